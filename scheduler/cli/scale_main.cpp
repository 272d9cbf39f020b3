// dampi-scale: measures how much data the collectives of an MPI library take before they go wrong, keeps it in a file
// that dampi-run --scale-bounds warns by, and makes a library that goes round it. Verifies nothing itself.

#include "base/available_memory.hpp"
#include "base/check.hpp"
#include "scheduler/cli/command.hpp"
#include "scheduler/cli/joining.hpp"
#include "scheduler/scale/measuring.hpp"
#include "scheduler/scale/scale_bounds.hpp"
#include "scheduler/scale/site_compiler.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <iostream>
#include <limits>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace {

using namespace dampi;
using namespace dampi::scheduler;
namespace fs = std::filesystem;

constexpr int some_fail = 1;
constexpr int interrupted_before_its_end = 3;

struct Asked {
    std::vector<std::string> collectives;
    int processes = 4;
    std::int64_t element = 1;
    std::uint64_t memory = 0;
    unsigned seconds = 60;
    std::string compiler = "mpicc";
    std::string launcher = "mpiexec";
    std::string output = "dampi-scale.json";
    std::string workarounds;
    std::string library = "libdampi-scale.so";
    bool verbose = false;
};

void declare(CLI::App& app, Asked& asked) {
    app.add_option("COLLECTIVE", asked.collectives, "What to measure: MPI_Gather, ...; all, unless some are named");
    app.add_option("-n", asked.processes, "Processes; those that fail are measured with twice as many, too")
        ->check(CLI::Range(1, 1 << 20))
        ->capture_default_str();
    app.add_option("--element", asked.element, "Bytes of an element")
        ->check(CLI::Range(1, 1 << 20))
        ->capture_default_str();
    app.add_option("--memory", asked.memory,
                   "Bytes for the buffers of all processes, 4G for instance; half of what is free")
        ->transform(CLI::AsSizeValue(false));
    app.add_option("--seconds", asked.seconds, "How long the smallest amount may take; others ten times the one before")
        ->check(CLI::Range(1, 86'400))
        ->capture_default_str();
    app.add_option("--mpicc", asked.compiler, "The compiler of the MPI library")->capture_default_str();
    app.add_option("--mpiexec", asked.launcher, "What starts its processes: '-n P' and a program follow")
        ->capture_default_str();
    app.add_option("-o,--output", asked.output, "The file for what was measured")->capture_default_str();
    app.add_option("--workarounds", asked.workarounds,
                   "Measure nothing: make a library, to be preloaded, that goes round the bounds of this file and\n"
                   "round displacements that have overflowed")
        ->excludes("COLLECTIVE");
    app.add_option("--library", asked.library, "Where to that library")->capture_default_str();
    app.add_flag("-v,--verbose", asked.verbose, "Print a line for each amount");
    app.set_version_flag("--version", std::string("dampi-scale ") + DAMPI_VERSION);
    app.footer(
        "Each collective is run with more and more data, until what arrives is wrong, a process crashes, it takes far\n"
        "too long, or there is no memory for more. Exit status: 0 all that was measured is right, 1 some is not, 2 it\n"
        "could not be done, 3 it was ended before.");
}

std::vector<std::string> collectives_of(const Asked& asked) {
    for (const std::string& name : asked.collectives) {
        const auto& known = scale::known_collectives();
        if (std::find(known.begin(), known.end(), name) == known.end()) {
            throw Error(fmt::format("dampi-scale does not measure {}: it knows {}", name, fmt::join(known, ", ")));
        }
    }
    return asked.collectives.empty() ? scale::known_collectives() : asked.collectives;
}

std::string line_of(const scale::Measured& measured) {
    return fmt::format("{:26} {:5} processes {:3} bytes: {:>11} elements of each are right{}", measured.collective,
                       measured.processes, measured.element, measured.passes,
                       measured.fails ? fmt::format(", {} are not: {}", *measured.fails, measured.why)
                                      : fmt::format("; {}", measured.why));
}

int measure(const Asked& asked, const std::atomic<bool>& interrupted) {
    const std::vector<std::string> collectives = collectives_of(asked);
    const OwnFolder folder("dampi-scale-");
    const std::uint64_t half = base::available_memory() / 2;
    constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    scale::MeasuringSettings settings;
    settings.launcher = scale::words_of_command(asked.launcher, "--mpiexec");
    settings.probe = folder.path() / "probe";
    settings.folder = folder.path();
    settings.memory = static_cast<std::int64_t>(std::min(asked.memory != 0 ? asked.memory : half, most));
    settings.first_limit = std::chrono::seconds(asked.seconds);
    settings.go_on = [&interrupted] { return !interrupted; };
    settings.say = [&asked](const std::string& what) {
        if (asked.verbose) {
            std::cerr << what << std::endl;
        }
    };
    scale::compile_probe(asked.compiler, folder.path(), settings.probe);
    scale::ScaleBounds bounds;
    for (const std::string& collective : collectives) {
        const std::size_t before = bounds.measured.size();
        scale::measure_all(settings, collective, asked.processes, asked.element, bounds);
        for (std::size_t i = before; i < bounds.measured.size(); ++i) {
            std::cout << line_of(bounds.measured[i]) << std::endl;
        }
        if (interrupted) {
            break;
        }
    }
    scale::write_scale_bounds(asked.output, bounds);
    for (const scale::Bound& bound : bounds.bounds) {
        std::cout << fmt::format("{} is bounded by the {}: {}\n", bound.collective, scale::text_of(bound.form),
                                 bound.most);
    }
    std::cout << fmt::format("{}: {} ({})\n", bounds.library, asked.output,
                             bounds.bounds.empty() ? "nothing went wrong" : "dampi-run --scale-bounds warns by it");
    return interrupted ? interrupted_before_its_end : bounds.bounds.empty() ? 0 : some_fail;
}

int run(const Asked& asked) {
    const std::atomic<bool>& interrupted = catch_interrupts();
    if (asked.workarounds.empty()) {
        return measure(asked, interrupted);
    }
    const OwnFolder folder("dampi-scale-");
    scale::compile_workarounds(asked.compiler, scale::read_scale_bounds(asked.workarounds).bounds, folder.path(),
                               asked.library);
    std::cout << fmt::format("{}: LD_PRELOAD={} mpiexec ...\n", asked.library, fs::absolute(asked.library).string());
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app{
        "Measures how much data the collectives of an MPI library take before they go wrong.\n\n"
        "  dampi-scale [options] [MPI_Gather ...]\n"
        "  dampi-scale --workarounds FILE\n"};
    app.name("dampi-scale");
    Asked asked;
    declare(app, asked);
    return run_command(app, argc, argv, [&] { return run(asked); });
}
