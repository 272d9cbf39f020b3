// dampi-run: verifies one MPI program. Reads the command line, checks the program, runs the sweep (or the
// one interleaving of a decision file), and writes the reports.

#include "base/check.hpp"
#include "launch/program/mpi_library.hpp"
#include "launch/program/program.hpp"
#include "replay/decision_file.hpp"
#include "replay/epoch_names.hpp"
#include "scheduler/cli/command.hpp"
#include "scheduler/cli/parse_options.hpp"
#include "scheduler/cli/sweep_directory.hpp"
#include "scheduler/cli/sweep_identity.hpp"
#include "scheduler/engines/engines.hpp"
#include "scheduler/engines/fresh_directory.hpp"
#include "scheduler/exploration/each_buffering.hpp"
#include "scheduler/exploration/match_relations.hpp"
#include "scheduler/exploration/sampling.hpp"
#include "scheduler/exploration/single.hpp"
#include "scheduler/report/json_report.hpp"
#include "scheduler/report/not_checked.hpp"
#include "scheduler/report/progress.hpp"
#include "scheduler/report/text_report.hpp"
#include "scheduler/report/verdict.hpp"
#include "scheduler/sweep/sweep.hpp"
#include "scheduler/sweep/sweep_journal.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>
#include <thread>

#include <fmt/format.h>
#include <unistd.h>

namespace {

using namespace dampi;
using namespace dampi::scheduler;

constexpr int usage_or_environment_error = 2;
constexpr int internal_error = 4;

/// Whether the user wants only a part of all interleavings.
bool bounded(const Options& options) { return options.bounds != heuristics::SearchBoundSettings{}; }

/// How many runs go on side by side unless the user says so. Ranks wait for each other much of the time, so a run of
/// few ranks leaves cores idle; with very many ranks a second run would only cost memory.
unsigned default_jobs(const Options& options) {
    constexpr unsigned ranks_per_core = 8;
    if (options.show_output) {
        return 1;  // what several print would come out mixed
    }
    const unsigned cores = std::max(std::thread::hardware_concurrency(), 1U);
    return std::clamp(ranks_per_core * cores / static_cast<unsigned>(options.processes), 1U, cores + 1);
}

/// A replay has the MPI library that the decision file was made with, unless the user wishes another one. Where that is
/// the patched one, and the program does not get it, the report says why.
void choose_mpi_for_replay(Options& options, const replay::DecisionFile& file) {
    if (!options.given.contains("--mpi") && !file.patched_mpi) {
        options.mpi = launch::native_mpi;
    }
}

/// What a decision file says about how its run was made is what counts.
std::unique_ptr<Explorer> explorer_for_replay(Options& options, const replay::DecisionFile& file,
                                              const launch::Program& program) {
    replay::require_same_program(file, program.fingerprint, options.processes, options.arguments);
    options.clock = file.clock;
    options.piggyback = file.piggyback;
    options.virtual_time = file.virtual_time;
    options.explore_polls = file.explore_polls;
    if (!options.hang_limit && file.hang_limit.count() != 0) {
        options.hang_limit = file.hang_limit;
    }
    options.livelock_limit = options.livelock_limit.value_or(file.livelock_limit);
    return std::make_unique<SingleInterleaving>(file.interleaving);
}

/// Nothing where no random walks are wanted or can be made. What does not belong to a sweep's identity only decides
/// whether any are begun.
std::optional<SamplingSettings> sampling_settings(const Options& options) {
    constexpr std::uint64_t few_interleavings = 200;
    const bool possible = options.explore_polls == 0 && options.protocol() == clocks::Protocol::vector &&
                          !options.buffering.front().counts_bytes();
    const bool wanted = options.sample ? *options.sample != 0 : !bounded(options);
    if (!possible || !wanted) {
        return std::nullopt;
    }
    return SamplingSettings{.walks = options.sample,
                            .if_many = options.max_interleavings.value_or(few_interleavings) >= few_interleavings,
                            .seed = options.seed};
}

std::unique_ptr<Explorer> explorer_for_sweep(const Options& options) {
    const MatchRelationsSettings settings{.explore_polls = options.explore_polls,
                                          .bounds = options.bounds,
                                          .order = options.order,
                                          .seed = options.seed,
                                          .one_past_of_several = options.buffering.front().counts_bytes()};
    const auto sampling = sampling_settings(options);
    return std::make_unique<EachBuffering>(options.buffering, [settings, sampling]() -> std::unique_ptr<Explorer> {
        auto explorer = std::make_unique<MatchRelations>(settings);
        if (sampling) {
            return std::make_unique<Sampling>(std::move(explorer), *sampling);
        }
        return explorer;
    });
}

ProgressKind progress_kind(const Options& options) {
    const bool unwanted = options.verbosity < 0 || options.show_output;  // the program's own output is on the terminal
    return options.progress == ProgressKind::automatic && unwanted ? ProgressKind::none : options.progress;
}

/// Settles which engine runs the program. Throws dampi::Error where the one that is wanted cannot.
void settle_engine(Options& options, const launch::Program& program) {
    options.may_hand_over = options.may_hand_over || !options.engine;
    options.engine =
        choose_engine(options.engine, program, options.program, options.processes, options.launcher.has_value(),
                      std::any_of(options.buffering.begin(), options.buffering.end(),
                                  [](const replay::Buffering& each) { return each.counts_bytes(); }));
}

/// The program, and the MPI library that its ranks get.
struct Inspected {
    launch::Program program;
    launch::MpiLibrary mpi_library;
};

Inspected inspect(Options& options, const std::filesystem::path& layer) {
    launch::Program program = scheduler::inspect(options.program, options.arguments, layer);
    settle_engine(options, program);
    // With the centralized engine MPI moves no messages, so there is nothing that another library would do better.
    const bool central = options.engine == replay::EngineKind::central;
    const std::string wish = central && options.mpi == launch::automatic_mpi ? launch::native_mpi : options.mpi;
    launch::MpiLibrary mpi_library = launch::choose_mpi_library(program, wish, !options.launcher, options.environment);
    program.mpi_library = mpi_library.path;
    return {std::move(program), std::move(mpi_library)};
}

/// A sweep and where it is kept.
struct Prepared {
    Inspected inspected;
    std::unique_ptr<Explorer> explorer;
    SweepAccount account;
    std::unique_ptr<SweepJournal> journal;  ///< none for a replay
};

Prepared prepare_new(Options& options, const SweepDirectory& directory, const std::filesystem::path& layer) {
    std::optional<replay::DecisionFile> file;
    if (options.replay) {
        file = replay::load_decision_file(*options.replay);
        options.engine = file->engine;
        options.buffering = {file->interleaving.buffering};
        choose_mpi_for_replay(options, *file);
    }
    Inspected inspected = inspect(options, layer);
    if (file && file->patched_mpi && !inspected.mpi_library.patched) {
        std::cerr << fmt::format("dampi-run: {} was made with the patched MPI library, this run has another: {}\n",
                                 options.replay->string(), inspected.mpi_library.why);
    }
    auto explorer = file ? explorer_for_replay(options, *file, inspected.program) : explorer_for_sweep(options);
    std::optional<std::filesystem::path> set_aside;
    replay::JournalLock lock = directory.begin(set_aside);
    if (set_aside) {
        std::cerr << fmt::format("dampi-run: the sweep that was in {} had not come to its end; its journal is now {}\n",
                                 options.output.string(), set_aside->string());
    }
    std::unique_ptr<SweepJournal> journal;
    if (!options.replay) {
        journal = std::make_unique<SweepJournal>(
            std::move(lock), header_bytes({.identity = identity_of(options, inspected.program, own_build(layer)),
                                           .options = free_options_of(options)}));
    }
    return {std::move(inspected), std::move(explorer), SweepAccount(options.explore_polls != 0), std::move(journal)};
}

/// Goes on with the sweep in the directory; the options become those with which it was begun, as far as no others are
/// given.
Prepared prepare_to_resume(Options& options, const SweepDirectory& directory, const std::filesystem::path& layer) {
    const Build build = own_build(layer);
    replay::JournalLock lock = directory.reopen();
    replay::JournalReader reader(directory.journal());
    const StoredSweep stored = read_header(options.output, reader.header(), build);
    const Options given = std::exchange(options, restore(stored, options));
    Options compared = given.program.empty() ? options : given;
    Inspected inspected = inspect(compared, layer);
    require_same_sweep(options.output, stored.identity, identity_of(compared, inspected.program, build));
    Prepared prepared{std::move(inspected), explorer_for_sweep(options), SweepAccount(options.explore_polls != 0),
                      nullptr};
    prepared.journal = std::make_unique<SweepJournal>(std::move(lock), reader, *prepared.explorer, prepared.account);
    directory.clear_reports();
    return prepared;
}

/// Empty without --fresh-dir.
std::filesystem::path place_for_copies(const Options& options, const SweepDirectory& directory) {
    if (!options.fresh_directory) {
        return {};
    }
    return std::filesystem::canonical(options.output) / directory.fresh().filename();
}

int run(Options options) {
    const std::filesystem::path layer =
        find_part("libdampi.so", {DAMPI_LAYER_FROM_BUILT_RUN, DAMPI_LAYER_FROM_INSTALLED_RUN});
    const SweepDirectory directory(options.output);
    if (options.fresh_directory) {
        require_outside(std::filesystem::current_path(), std::filesystem::weakly_canonical(options.output));
    }
    auto [inspected, explorer, account, journal] =
        options.resume ? prepare_to_resume(options, directory, layer) : prepare_new(options, directory, layer);
    std::optional<launch::Launcher> launcher;
    if (options.launcher) {
        launcher = {.command = *options.launcher,
                    .rank_helper = find_part("dampi-rank", {DAMPI_RANK_FROM_BUILT_RUN, DAMPI_RANK_FROM_INSTALLED_RUN})};
    }
    const std::atomic<bool>& interrupted = catch_interrupts();

    const auto& [program, mpi_library] = inspected;
    const replay::EngineKind kind = options.engine.value_or(replay::EngineKind::distributed);
    const replay::Piggyback piggyback =
        kind == replay::EngineKind::central ? replay::Piggyback::shared : piggyback_of(options, program);
    options.piggyback = piggyback;
    const LocalEngineSettings engine_settings{
        .program = program,
        .mpi_library = mpi_library,
        .name = options.program,
        .arguments = options.arguments,
        .processes = options.processes,
        .environment = options.environment,
        .layer = layer,
        .launcher = launcher,
        .output = directory.output(),
        .fresh_directories = place_for_copies(options, directory),
        .show_output = options.show_output,
        .message_leaks = options.message_leaks,
        .protocol = options.protocol(),
        .piggyback = piggyback,
        // One run has nothing to go on from, and is to show what happens from the start.
        .snapshots = options.replay ? SnapshotUse::never : options.snapshots,
        .prepare = options.prepare,
        .virtual_time = options.virtual_time,
        .record_stacks = heuristics::SearchBounds(options.bounds).needs_stacks(),
        .hang_limit = options.hang_limit,
        .livelock_limit = options.livelock_limit.value_or(default_livelock_limit)};
    const bool may_hand_over = kind == replay::EngineKind::central && options.may_hand_over;
    const Engine engine =
        may_hand_over
            ? make_handing_over_engine(engine_settings,
                                       [](const std::string& what) { std::cerr << "dampi-run: " << what << '\n'; })
            : make_engine(kind, engine_settings);
    Progress progress(STDERR_FILENO, progress_kind(options));
    const auto begin = std::chrono::steady_clock::now();
    const auto numbers = [&, before = account.explored(),
                          trials_before = account.trials()](const SweepProgress& so_far) {
        return ProgressNumbers{
            .explored = so_far.explored,
            .explored_before = before,
            .trials = so_far.trials - trials_before,
            .running = so_far.running,
            .pending = so_far.pending,
            .violations = so_far.findings,
            .part_done = so_far.part_done,
            .elapsed = std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - begin),
            .size = bounded(options) ? std::nullopt : so_far.size};
    };
    OutputKeeper kept_output(directory.output());
    SweepSettings settings;
    settings.limits = {.max_interleavings = options.max_interleavings,
                       .time_limit = options.time_limit,
                       .stop_on_first = options.stop_on_first};
    settings.jobs = options.jobs ? static_cast<unsigned>(*options.jobs) : default_jobs(options);
    settings.interrupted = &interrupted;
    settings.keeper = journal.get();
    settings.progress = [&](const SweepProgress& so_far) { progress.update(numbers(so_far)); };
    if (options.keep_output == KeptOutput::findings) {
        if (options.resume) {
            kept_output.begin(account);
        }
        settings.taken_in = [&](std::uint64_t number, const SweepAccount& so_far) {
            kept_output.taken_in(number, so_far);
        };
    }

    ReportInputs inputs;
    inputs.options = options;
    inputs.clock = replay::clock_name(options.protocol());
    inputs.engine = replay::engine_name(kind);
    inputs.mpi_library = mpi_library;
    inputs.piggyback = piggyback;
    inputs.not_checked = not_checked(program);
    inputs.result = run_sweep(*engine.runs, *explorer, account, settings);
    const SweepResult& result = inputs.result;
    inputs.launching = engine.launching();
    if (engine.handed_over()) {
        options.engine = replay::EngineKind::distributed;
        inputs.engine = replay::engine_name(replay::EngineKind::distributed);
        inputs.handed_over = true;
    }
    progress.end(numbers({.explored = result.explored,
                          .trials = account.trials(),
                          .running = 0,
                          .pending = result.pending,
                          .findings = account.findings(),
                          .part_done = explorer->progress(),
                          .size = result.size_estimate}));
    for (LeftOut& left : left_out_by_bounds(result, options.bounds)) {
        inputs.result.left_out.push_back(std::move(left));
    }
    if (journal) {
        inputs.was_finished = journal->was_finished();
        if (!result.ended_early) {
            journal->finish();
        }
    }
    for (const replay::Buffering mode : options.buffering) {
        if (!result.by_buffering.contains(mode) && !result.by_buffering.empty()) {
            inputs.result.left_out.push_back(
                {"buffering", fmt::format("nothing was run with {} buffering", replay::buffering_name(mode))});
        }
    }
    if (options.replay) {
        inputs.result.left_out.push_back(
            {"replay", "only the one interleaving of " + options.replay->string() + " was run"});
    }
    try {
        inputs.finding_files = directory.save_decisions(result.findings, options, program, mpi_library.patched);
        inputs.finding_graphs = directory.save_graphs(result.findings, inputs.finding_files, options);
        inputs.doubt_files = directory.save_decisions(result.doubts, options, program, mpi_library.patched);
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
