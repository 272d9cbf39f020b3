#include "scheduler/cli/settled_request.hpp"

#include "scheduler/cli/command.hpp"
#include "scheduler/cli/merging_choice.hpp"
#include "scheduler/cli/time_choice.hpp"
#include "scheduler/engines/engines.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace dampi::scheduler {
namespace {

/// The options with the engine that runs the program.
Options with_engine(Options options, const launch::Program& program) {
    options.may_hand_over = options.may_hand_over || !options.engine;
    options.engine =
        choose_engine(options.engine, program, options.program, options.processes, options.launcher.has_value(),
                      std::any_of(options.buffering.begin(), options.buffering.end(),
                                  [](const replay::Buffering& each) { return each.counts_bytes(); }));
    return options;
}

/// All but the piggyback.
SettledRequest look_at_program(const Options& given, const std::filesystem::path& layer) {
    launch::Program program = inspect(given.program, given.arguments, layer);
    Options options = with_engine(given, program);
    // With the centralized engine MPI moves no messages, so there is nothing that another library would do better.
    const bool central = options.engine == replay::EngineKind::central;
    const std::string wish = central && options.mpi == launch::automatic_mpi ? launch::native_mpi : options.mpi;
    launch::MpiLibrary mpi_library = launch::choose_mpi_library(program, wish, !options.launcher, options.environment);
    program.mpi_library = mpi_library.path;
    TimeChoice time = choose_time(options.virtual_time, program);
    options.virtual_time = time.is_virtual;
    const auto obstacle = obstacle_to_merging(options, program);
    const bool must_merge = options.merge_states == MergeUse::always || options.merge_states == MergeUse::check;
    if (obstacle && must_merge) {
        throw Error("--merge-states " + std::string(options.merge_states == MergeUse::check ? "check" : "always") +
                    ": states of " + options.program + " cannot be compared, since " + *obstacle);
    }
    const bool merges = !obstacle && options.merge_states != MergeUse::never;
    return {std::move(options), std::move(program), std::move(mpi_library), merges, std::move(time.why)};
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
    Options options = given;
    options.engine = file.engine;
    options.buffering = {file.interleaving.buffering};
    options.clock = file.clock;
    options.piggyback = file.piggyback;
    options.virtual_time = file.virtual_time;
    options.explore_polls = file.explore_polls;
    options.merge_states = MergeUse::never;
    options.snapshots = SnapshotUse::never;  // one run has nothing to go on from, and is shown from its start
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

SettledRequest settle_resumed(const Options& given, const StoredSweep& stored, const Build& build,
                              const std::filesystem::path& layer) {
    const Options restored = restore(stored, given);
    SettledRequest asked = look_at_program(given.program.empty() ? restored : given, layer);
    require_same_sweep(given.output, stored.identity, identity_of(asked.options, asked.program, build));
    SettledRequest request{restored, std::move(asked.program), std::move(asked.mpi_library), asked.merges_states,
                           std::move(asked.time_reason)};
    request.options.piggyback = settled_piggyback(request);
    return request;
}

}  // namespace dampi::scheduler
