// dampi-run: verifies one MPI program. Reads the command line, checks the program, runs the sweep (or the
// one interleaving of a decision file), and writes the reports.

#include "clocks/check.hpp"
#include "replay/decision_file.hpp"
#include "replay/epoch_names.hpp"
#include "replay/program.hpp"
#include "scheduler/exploration/each_buffering.hpp"
#include "scheduler/exploration/match_relations.hpp"
#include "scheduler/exploration/single.hpp"
#include "scheduler/options.hpp"
#include "scheduler/report/graphviz.hpp"
#include "scheduler/report/json_report.hpp"
#include "scheduler/report/progress.hpp"
#include "scheduler/report/text_report.hpp"
#include "scheduler/report/verdict.hpp"
#include "scheduler/supervision/local_engine.hpp"
#include "scheduler/sweep.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <iostream>
#include <memory>
#include <optional>
#include <system_error>

#include <fmt/format.h>
#include <unistd.h>

namespace {

using namespace dampi;
using namespace dampi::scheduler;

constexpr int usage_or_environment_error = 2;
constexpr int internal_error = 4;

std::atomic<bool> interrupted = false;

extern "C" void on_interrupt(int signal) {
    if (interrupted.exchange(true)) {
        _exit(128 + signal);  // the second time: at once; the ranks die with us
    }
}

void catch_interrupts() {
    struct sigaction action {};
    action.sa_handler = on_interrupt;
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        sigaction(signal, &action, nullptr);
    }
    std::signal(SIGPIPE, SIG_IGN);
}

/// A file of ours that lies at one of these places as seen from our own folder.
std::filesystem::path find_part(const char* name, std::initializer_list<const char*> places) {
    const std::filesystem::path here = std::filesystem::read_symlink("/proc/self/exe").parent_path();
    for (const char* relative : places) {
        std::error_code ignored;
        auto candidate = std::filesystem::canonical(here / relative, ignored);
        if (!ignored) {
            if (candidate.string().find_first_of(": ") != std::string::npos) {
                throw Error(candidate.string() +
                            " cannot be used because its path holds a colon or a space: install dampi elsewhere");
            }
            return candidate;
        }
    }
    throw Error(std::string(name) + " is not where it belongs beside " + here.string() +
                "/dampi-run: install dampi again");
}

/// Creates the sweep's directory and removes what an earlier sweep left in it; never anything else.
void prepare_directory(const std::filesystem::path& directory) {
    try {
        std::filesystem::create_directories(directory);
        const std::filesystem::path mark = directory / ".dampi-sweep";
        const bool ours = std::filesystem::exists(mark);
        for (const char* part : {"output", "decisions", "graphs"}) {
            if (!ours && std::filesystem::exists(directory / part)) {
                throw Error(
                    fmt::format("{} holds a folder '{}' that is not from an earlier sweep: choose another "
                                "directory with -o",
                                directory.string(), part));
            }
            std::filesystem::remove_all(directory / part);
        }
        std::filesystem::remove(directory / "report.json");
        std::ofstream(mark) << "This directory belongs to dampi-run, which clears it before each sweep.\n";
        std::filesystem::create_directories(directory / "output");
        std::filesystem::create_directories(directory / "decisions");
        std::filesystem::create_directories(directory / "graphs");
    } catch (const std::filesystem::filesystem_error& error) {
        throw Error(fmt::format("cannot use the directory {} ({}): choose another one with -o", directory.string(),
                                error.code().message()));
    }
}

/// Writes one decision file for each finding; returns their paths relative to the directory.
std::vector<std::filesystem::path> save_decisions(const std::vector<Finding>& findings, const Options& options,
                                                  const replay::Program& program) {
    std::vector<std::filesystem::path> files;
    for (const Finding& finding : findings) {
        std::string kind = finding.violation.kind;
        std::replace(kind.begin(), kind.end(), '/', '-');
        std::filesystem::path file;
        for (int number = 1; file.empty(); ++number) {
            const std::filesystem::path candidate = fmt::format("decisions/{}-{}.json", kind, number);
            if (!std::filesystem::exists(options.output / candidate)) {
                file = candidate;
            }
        }
        replay::save_decision_file(options.output / file,
                                   {.program = program.path.string(),
                                    .fingerprint = program.fingerprint,
                                    .arguments = options.arguments,
                                    .processes = options.processes,
                                    .clock = options.protocol(),
                                    .virtual_time = options.virtual_time,
                                    .explore_polls = options.explore_polls,
                                    .hang_limit = options.hang_limit.value_or(std::chrono::milliseconds(0)),
                                    .livelock_limit = options.livelock_limit.value_or(default_livelock_limit),
                                    .finding = finding.violation.kind,
                                    .interleaving = finding.reproducer});
        files.push_back(file);
    }
    return files;
}

/// Writes the wait-for graph of each finding that has one, named as its decision file; returns the paths likewise.
std::vector<std::filesystem::path> save_graphs(const std::vector<Finding>& findings,
                                               const std::vector<std::filesystem::path>& decision_files,
                                               const Options& options) {
    std::vector<std::filesystem::path> files(findings.size());
    for (std::size_t i = 0; i < findings.size(); ++i) {
        if (findings[i].violation.wait_for) {
            files[i] = "graphs" / decision_files[i].filename().replace_extension(".dot");
            write_dot(options.output / files[i], findings[i].violation, static_cast<replay::Rank>(options.processes));
        }
    }
    return files;
}

int run(Options options) {
    const replay::Program program = replay::inspect_program(options.program);
    std::unique_ptr<Explorer> explorer;
    if (options.replay) {
        const replay::DecisionFile file = replay::load_decision_file(*options.replay);
        replay::require_same_program(file, program.fingerprint, options.processes, options.arguments);
        explorer = std::make_unique<SingleInterleaving>(file.interleaving);
        options.clock = file.clock;
        options.buffering = {file.interleaving.buffering};
        options.virtual_time = file.virtual_time;
        options.explore_polls = file.explore_polls;
        if (!options.hang_limit && file.hang_limit.count() != 0) {
            options.hang_limit = file.hang_limit;
        }
        options.livelock_limit = options.livelock_limit.value_or(file.livelock_limit);
    } else {
        explorer = std::make_unique<EachBuffering>(
            options.buffering, [polls = options.explore_polls] { return std::make_unique<MatchRelations>(polls); });
    }
    const std::filesystem::path layer =
        find_part("libdampi.so", {DAMPI_LAYER_FROM_BUILT_RUN, DAMPI_LAYER_FROM_INSTALLED_RUN});
    std::optional<replay::Launcher> launcher;
    if (options.launcher) {
        launcher = {.command = *options.launcher,
                    .rank_helper = find_part("dampi-rank", {DAMPI_RANK_FROM_BUILT_RUN, DAMPI_RANK_FROM_INSTALLED_RUN})};
    }
    prepare_directory(options.output);
    catch_interrupts();

    LocalEngine engine({.program = program,
                        .name = options.program,
                        .arguments = options.arguments,
                        .processes = options.processes,
                        .environment = options.environment,
                        .layer = layer,
                        .launcher = launcher,
                        .output = options.output / "output",
                        .show_output = options.show_output,
                        .message_leaks = options.message_leaks,
                        .protocol = options.protocol(),
                        .virtual_time = options.virtual_time,
                        .hang_limit = options.hang_limit,
                        .livelock_limit = options.livelock_limit.value_or(default_livelock_limit)});
    Progress progress(STDERR_FILENO, options.verbosity >= 0 && !options.show_output);
    const auto begin = std::chrono::steady_clock::now();
    SweepSettings settings;
    settings.limits = {.max_interleavings = options.max_interleavings,
                       .time_limit = options.time_limit,
                       .stop_on_first = options.stop_on_first};
    settings.jobs = 1;
    settings.interrupted = &interrupted;
    settings.progress = [&](const SweepProgress& so_far) {
        progress.update({.explored = so_far.explored,
                         .pending = so_far.pending + so_far.running,
                         .violations = so_far.findings,
                         .elapsed = std::chrono::duration_cast<std::chrono::milliseconds>(
                             std::chrono::steady_clock::now() - begin)});
    };
    SweepAccount account(options.explore_polls != 0);

    ReportInputs inputs;
    inputs.options = options;
    inputs.clock = replay::clock_name(options.protocol());
    inputs.engine = "local";
    inputs.result = run_sweep(engine, *explorer, account, settings);
    progress.erase();
    for (const replay::Buffering mode : options.buffering) {
        if (!inputs.result.by_buffering.contains(mode) && !inputs.result.by_buffering.empty()) {
            inputs.result.left_out.push_back(
                {"buffering", fmt::format("nothing was run with {} buffering", replay::buffering_name(mode))});
        }
    }
    if (options.replay) {
        inputs.result.left_out.push_back(
            {"replay", "only the one interleaving of " + options.replay->string() + " was run"});
    }
    try {
        inputs.finding_files = save_decisions(inputs.result.findings, options, program);
        inputs.finding_graphs = save_graphs(inputs.result.findings, inputs.finding_files, options);
        inputs.doubt_files = save_decisions(inputs.result.doubts, options, program);
        write_json_report(options.output / "report.json", inputs);
    } catch (const Error&) {
        std::cout << make_text_report(inputs) << std::flush;  // what was found must not be lost with the disk
        throw;
    }
    std::cout << make_text_report(inputs) << std::flush;
    return exit_status(verdict_of(inputs));
}

}  // namespace

int main(int argc, char** argv) {
    try {
        const ParsedOptions parsed = parse_options(argc, argv);
        if (parsed.exit_status) {
            return *parsed.exit_status;
        }
        return run(parsed.options);
    } catch (const Error& error) {
        std::cerr << "dampi-run: " << error.what() << '\n';
        return usage_or_environment_error;
    } catch (const std::exception& error) {
        std::cerr << "dampi-run: " << error.what() << '\n';
        return internal_error;
    }
}
