#include "scheduler/cli/settled_request.hpp"

#include "scheduler/cli/command.hpp"
#include "scheduler/cli/merging_choice.hpp"
#include "scheduler/cli/time_choice.hpp"
#include "scheduler/engines/engines.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace dampi::scheduler {
namespace {

/// Why the ranks need MPI itself, as far as the options say; empty: they do not.
std::string needs_mpi(const Options& options) {
    return options.launcher                       ? "--launcher starts its ranks"
           : options.piggyback                    ? "--piggyback is about MPI's own messages"
           : options.mpi != launch::automatic_mpi ? "--mpi names the library that its ranks are to have"
                                                  : "";
}

/// Ranks on other hosts are run by the centralized engine alone: it is their MPI.
EngineChoice engine_over_hosts(const Options& options, const launch::Program& program) {
    if (options.engine == replay::EngineKind::distributed) {
        throw Error(
            "ranks on several hosts are run by the centralized engine, not by --engine distributed: leave that out, or "
            "give --hosts none");
    }
    const std::string why_mpi = options.engine ? "" : needs_mpi(options);  // who names the engine means it
    EngineChoice choice = choose_engine(std::nullopt, program, options.program, 1, why_mpi, false);
    if (choice.kind != replay::EngineKind::central) {
        throw Error("ranks on several hosts are run by the centralized engine, which cannot run " + options.program +
                    ": " + choice.why +
                    "; --workers ssh:FILE runs whole interleavings of it on many machines, and without hosts (--hosts "
                    "none) all ranks are on this one");
    }
    return choice;
}

EngineChoice engine_of(const Options& options, const launch::Program& program) {
    if (!options.hosts.empty()) {
        return engine_over_hosts(options, program);
    }
    return choose_engine(options.engine, program, options.program, options.processes, needs_mpi(options),
                         std::any_of(options.buffering.begin(), options.buffering.end(),
                                     [](const replay::Buffering& each) { return each.counts_bytes(); }));
}

void require_possible_workers(const Options& options) {
    if (options.workers && options.launcher) {
        throw Error("--workers and --launcher exclude each other: each worker starts the ranks of its runs itself");
    }
    if (options.workers && options.show_output) {
        throw Error(
            "--workers and --show-output exclude each other: the program's output is on other machines; what it "
            "printed is in the sweep's directory when a run is over");
    }
}

void require_possible_hosts(const Options& options) {
    if (options.hosts.empty()) {
        return;
    }
    const auto exclude = [&](bool given, const std::string& what, const std::string& why) {
        if (given) {
            throw Error(options.hosts_by_slurm
                            ? "the nodes of Slurm's allocation have the ranks, which excludes " + what + ": " + why +
                                  "; --hosts none has all of them on this machine"
                            : "--hosts and " + what + " exclude each other: " + why);
        }
    };
    exclude(options.workers.has_value(), "--workers", "a worker runs all ranks of an interleaving on its own machine");
    exclude(options.launcher.has_value(), "--launcher", "dampi-run and its dampi-nodes start the ranks themselves");
    exclude(
        options.show_output, "--show-output",
        "the program's output is on other machines; what it printed is in the sweep's directory when a run is over");
    exclude(options.fresh_directory, "--fresh-dir", "the ranks of a run are in one directory, on all hosts");
    exclude(options.snapshots == SnapshotUse::always, "--snapshots always",
            "processes of several hosts cannot be copied at one moment");
    exclude(options.merge_states == MergeUse::always || options.merge_states == MergeUse::check,
            options.merge_states == MergeUse::check ? "--merge-states check" : "--merge-states always",
            "states of ranks on several hosts are not compared");
}

/// All but the piggyback.
SettledRequest look_at_program(const Options& given, const std::filesystem::path& layer) {
    require_possible_workers(given);
    require_possible_hosts(given);
    launch::Program program = inspect(given.program, given.arguments, given.processes, layer);
    Options options = given;
    EngineChoice choice = engine_of(options, program);
    options.may_hand_over = (options.may_hand_over || !options.engine) && options.hosts.empty();
    if (!options.hosts.empty()) {
        options.snapshots = SnapshotUse::never;
    }
    options.engine = choice.kind;
    // With the centralized engine MPI moves no messages, so there is nothing that another library would do better.
    const bool central = options.engine == replay::EngineKind::central;
    const std::string wish = central && options.mpi == launch::automatic_mpi ? launch::native_mpi : options.mpi;
    launch::MpiLibrary mpi_library = launch::choose_mpi_library(program, wish, !options.launcher, options.environment);
    program.mpi_library = mpi_library.path;
    TimeChoice time = choose_time(options.virtual_time, program, choice.kind);
    options.virtual_time = time.is_virtual;
    const auto obstacle = obstacle_to_merging(options, program);
    const bool must_merge = options.merge_states == MergeUse::always || options.merge_states == MergeUse::check;
    if (obstacle && must_merge) {
        throw Error("--merge-states " + std::string(options.merge_states == MergeUse::check ? "check" : "always") +
                    ": states of " + options.program + " cannot be compared, since " + *obstacle);
    }
    const bool merges = !obstacle && options.merge_states != MergeUse::never;
    Options without_workers = options;
    without_workers.workers.reset();
    const bool could_merge = options.merge_states != MergeUse::never && !obstacle_to_merging(without_workers, program);
    return {std::move(options), std::move(program),    std::move(mpi_library), merges,
            could_merge,        obstacle.value_or(""), std::move(choice.why),  std::move(time.why)};
}

/// One run has nothing to go on from, and is shown from its start to its end.
void run_alone(Options& options) {
    options.merge_states = MergeUse::never;
    options.snapshots = SnapshotUse::never;
    options.explain_order = false;
}

/// What decides how the decisions of the file are meant.
Options as_in(Options options, const replay::DecisionFile& file) {
    options.engine = file.engine;
    options.buffering = {file.interleaving.buffering};
    options.clock = file.clock;
    options.virtual_time = file.virtual_time;
    options.checks_buffers = options.checks_buffers || file.checks_buffers;
    options.explore_polls = file.explore_polls;
    run_alone(options);
    return options;
}

replay::Piggyback settled_piggyback(const SettledRequest& request) {
    return request.engine() == replay::EngineKind::central ? replay::Piggyback::shared
                                                           : piggyback_of(request.options, request.program);
}

}  // namespace

SettledRequest settle(const Options& given, const std::filesystem::path& layer) {
    SettledRequest request = look_at_program(given, layer);
    request.options.piggyback = settled_piggyback(request);
    return request;
}

SettledRequest settle_replay(const Options& given, const replay::DecisionFile& file,
                             const std::filesystem::path& layer) {
    Options options = as_in(given, file);
    options.piggyback = file.piggyback;
    if (!options.hang_limit && file.hang_limit.count() != 0) {
        options.hang_limit = file.hang_limit;
    }
    options.livelock_limit = options.livelock_limit.value_or(file.livelock_limit);
    // Where the file's library is the patched one and the program does not get it, the report says why.
    if (!options.given.contains("--mpi") && !file.patched_mpi) {
        options.mpi = launch::native_mpi;
    }
    SettledRequest request = look_at_program(options, layer);
    replay::require_same_program(file, request.program.fingerprint, options.processes, options.arguments);
    request.options.piggyback = settled_piggyback(request);
    return request;
}

SettledRequest settle_kept(const Options& settled, const replay::DecisionFile& file,
                           const std::filesystem::path& layer) {
    Options options = as_in(settled, file);
    options.may_hand_over = false;
    options.hosts.clear();
    options.hosts_by_slurm = false;
    if (!options.given.contains("--piggyback")) {
        options.piggyback.reset();
    }
    SettledRequest request = look_at_program(options, layer);
    request.options.piggyback = settled_piggyback(request);
    return request;
}

SettledRequest settle_single(const SettledRequest& sweep, replay::EngineKind engine) {
    SettledRequest request = sweep;
    run_alone(request.options);
    request.options.workers.reset();
    request.options.hosts.clear();
    request.options.hosts_by_slurm = false;
    request.merges_states = false;
    request.options.engine = engine;
    request.options.may_hand_over = false;
    return request;
}

SettledRequest settle_resumed(const Options& given, const StoredSweep& stored, const Build& build,
                              const std::filesystem::path& layer) {
    const Options restored = restore(stored, given);
    if (restored.hosts_by_slurm && !given.hosts_by_slurm) {
        throw Error(
            fmt::format("the ranks of the sweep in '{}' were on the nodes of an allocation of Slurm's: it goes on "
                        "inside of another one with the same number of tasks on each node",
                        given.output.string()));
    }
    require_possible_workers(restored);
    SettledRequest asked = look_at_program(given.program.empty() ? restored : given, layer);
    require_same_sweep(given.output, stored.identity, identity_of(asked.options, asked.program, build));
    // The sweep knows which time it has, but not whether somebody has asked for that.
    if (TimeChoice time = choose_time(std::nullopt, asked.program, *asked.options.engine);
        time.is_virtual == restored.virtual_time) {
        asked.time_reason = std::move(time.why);
    }
    SettledRequest request{restored,
                           std::move(asked.program),
                           std::move(asked.mpi_library),
                           asked.merges_states && !restored.workers,
                           asked.could_merge,
                           restored.workers ? "a worker knows nothing of the states of others (--workers)"
                                            : std::move(asked.obstacle_to_comparing),
                           std::move(asked.engine_reason),
                           std::move(asked.time_reason)};
    request.options.piggyback = settled_piggyback(request);
    return request;
}

}  // namespace dampi::scheduler
