#include "scheduler/cli/command.hpp"

#include "base/check.hpp"

#include <csignal>
#include <system_error>

#include <unistd.h>

namespace dampi::scheduler {
namespace {

std::atomic<bool> interrupted = false;

extern "C" void on_interrupt(int signal) {
    if (interrupted.exchange(true)) {
        _exit(128 + signal);  // the second time: at once; the ranks die with us
    }
}

}  // namespace

std::filesystem::path find_part(const char* name, std::initializer_list<const char*> places) {
    std::error_code error;
    const std::filesystem::path command = std::filesystem::read_symlink("/proc/self/exe", error);
    if (error) {
        throw Error("/proc, which dampi-run and the ranks need, cannot be read (" + error.message() +
                    "): mount it, with 'mount -t proc proc /proc'");
    }
    for (const char* relative : places) {
        std::error_code ignored;
        auto candidate = std::filesystem::canonical(command.parent_path() / relative, ignored);
        if (!ignored) {
            if (candidate.string().find_first_of(": ") != std::string::npos) {
                throw Error(candidate.string() +
                            " cannot be used because its path holds a colon or a space: install dampi elsewhere");
            }
            return candidate;
        }
    }
    throw Error(std::string(name) + " is not where it belongs beside " + command.string() + ": install dampi again");
}

launch::Program inspect(const std::string& program, const std::vector<std::string>& arguments,
                        const std::filesystem::path& layer) {
    const std::filesystem::path folder = layer.parent_path();
    launch::Program inspected = launch::inspect_program(
        program, {}, arguments,
        {.c = folder / "libdampi-openmpi.so", .fortran = folder / "libdampi-openmpi-fortran.so"});
    if (!inspected.contained_layer.empty() && inspected.contained_layer != launch::build_fingerprint(layer)) {
        throw Error(program +
                    " was linked with the layer of another build of dampi; link it again with the "
                    "dampi-cc that lies beside this dampi-run");
    }
    return inspected;
}

std::atomic<bool>& catch_interrupts() {
    struct sigaction action {};
    action.sa_handler = on_interrupt;
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        sigaction(signal, &action, nullptr);
    }
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);  // a limit on file sizes is met as an error
    return interrupted;
}

}  // namespace dampi::scheduler
