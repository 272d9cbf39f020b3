#include "scheduler/cli/command.hpp"

#include "base/check.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <CLI/CLI.hpp>
#include <unistd.h>

namespace dampi::scheduler {
namespace {

std::atomic<bool> interrupted = false;
std::string last_words;

extern "C" void on_interrupt(int signal) {
    if (interrupted.exchange(true)) {
        // The second time: at once; the ranks die with us.
        [[maybe_unused]] const ssize_t told = ::write(STDERR_FILENO, last_words.data(), last_words.size());
        _exit(128 + signal);
    }
}

/// The program of a launcher's command line with its arguments: from the first word on that is no option, nor the value
/// of one.
std::string launched(const std::vector<std::string>& words) {
    constexpr std::array one_value = std::to_array<std::string_view>(
        {"-n",      "-np",       "-c",       "-N",         "-ppn",         "-perhost",      "-w",
         "-p",      "-t",        "-A",       "-x",         "-f",           "-host",         "--host",
         "-hosts",  "-hostfile", "--np",     "--hostfile", "-machinefile", "--machinefile", "--map-by",
         "-map-by", "--bind-to", "-bind-to", "--ntasks",   "--nodes",      "-wdir",         "--wdir"});
    constexpr std::array two_values = std::to_array<std::string_view>({"-genv", "-env", "--mca", "-mca", "--gmca"});
    const auto is_among = [](const auto& all, const std::string& word) {
        return std::find(all.begin(), all.end(), word) != all.end();
    };
    std::size_t at = 0;
    while (at < words.size() && words[at].starts_with('-')) {
        at += is_among(two_values, words[at]) ? 3 : is_among(one_value, words[at]) ? 2 : 1;
    }
    std::string text;
    for (; at < words.size(); ++at) {
        text += (text.empty() ? "" : " ") + words[at];
    }
    return text.empty() ? "PROGRAM" : text;
}

/// The habit of years: ranks that another launcher starts would each be alone.
void refuse_launchers(const std::string& program, const std::vector<std::string>& arguments, int processes) {
    constexpr std::array launchers = std::to_array<std::string_view>(
        {"mpiexec", "mpirun", "orterun", "prun", "prterun", "srun", "aprun", "jsrun", "ibrun"});
    const std::string name = std::filesystem::path(program).filename();
    const std::string stem = name.substr(0, name.find('.'));
    if (std::find(launchers.begin(), launchers.end(), stem) != launchers.end()) {
        throw Error("leave out " + program + ": dampi-run starts the ranks itself: dampi-run -n " +
                    std::to_string(processes) + " " + launched(arguments) +
                    " (to have another launcher start them, see --launcher)");
    }
}

/// Likewise: each of these processes would run the whole sweep.
void refuse_to_be_launched() {
    struct Launcher {
        const char* size;  ///< the variable that says how many there are
        const char* name;
        const char* also;  ///< is set besides
    };
    constexpr std::array launchers =
        std::to_array<Launcher>({{"PMI_SIZE", "mpiexec", "PMI_RANK"},
                                 {"OMPI_COMM_WORLD_SIZE", "mpirun", "OMPI_COMM_WORLD_RANK"},
                                 {"SLURM_STEP_NUM_TASKS", "srun", "SLURM_STEP_ID"}});
    for (const Launcher& launcher : launchers) {
        const char* const size = std::getenv(launcher.size);
        const int count = size == nullptr || std::getenv(launcher.also) == nullptr ? 0 : std::atoi(size);
        if (count > 1) {
            throw Error(std::string(launcher.name) + " has started " + size +
                        " processes of dampi-run, which would each run the whole sweep: leave out " + launcher.name +
                        ", for dampi-run starts the ranks itself, as in dampi-run -n " + size + " PROGRAM");
        }
    }
}

}  // namespace

int run_command(CLI::App& app, int argc, char** argv, const std::function<int()>& run) {
    const std::string name = app.get_name();
    try {
        app.parse(argc, argv);
        return run();
    } catch (const CLI::Success& success) {  // --help and --version: CLI11 prints the text
        return app.exit(success, std::cout, std::cerr);
    } catch (const CLI::ParseError& error) {
        std::cerr << name << ": " << error.what() << " (see " << name << " --help)\n";
    } catch (const Error& error) {
        std::cerr << name << ": " << error.what() << '\n';
    } catch (const std::exception& error) {
        std::cerr << name << ": " << error.what() << '\n';
        return internal_error;
    }
    return usage_or_environment_error;
}

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

launch::Program inspect(const std::string& program, const std::vector<std::string>& arguments, int processes,
                        const std::filesystem::path& layer) {
    refuse_to_be_launched();
    refuse_launchers(program, arguments, processes);
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

std::atomic<bool>& catch_interrupts(const std::string& kept) {
    if (last_words.empty()) {  // a signal may come at any time once they stand
        last_words = std::string(program_invocation_short_name) +
                     ": ended at once by a second signal, without a report" + kept + "\n";
    }
    struct sigaction action {};
    action.sa_handler = on_interrupt;
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        struct sigaction before {};
        const bool is_ignored =
            signal == SIGHUP && sigaction(signal, nullptr, &before) == 0 && before.sa_handler == SIG_IGN;  // nohup
        if (!is_ignored) {
            sigaction(signal, &action, nullptr);
        }
    }
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);  // a limit on file sizes is met as an error
    return interrupted;
}

}  // namespace dampi::scheduler
