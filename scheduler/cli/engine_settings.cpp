#include "scheduler/cli/engine_settings.hpp"

#include "heuristics/search_bounds.hpp"
#include "scheduler/cli/merging_choice.hpp"

#include <algorithm>
#include <thread>

namespace dampi::scheduler {

LocalEngineSettings engine_settings(const SettledRequest& request, const std::filesystem::path& output,
                                    const std::filesystem::path& fresh, const std::filesystem::path& layer) {
    const Options& options = request.options;
    return {.program = request.program,
            .mpi_library = request.mpi_library,
            .name = options.program,
            .arguments = options.arguments,
            .processes = options.processes,
            .environment = options.environment,
            .layer = layer,
            .launcher = std::nullopt,
            .output = output,
            .fresh_directories = options.fresh_directory ? fresh : std::filesystem::path(),
            .show_output = options.show_output,
            .compare_printed = printed_tells(request.program),
            .message_leaks = options.message_leaks,
            .warns_unusual = options.warns_unusual,
            .checks_buffers = options.checks_buffers,
            .good_exits = options.good_exits,
            .wrappers = options.wrappers,
            .protocol = options.protocol(),
            .piggyback = request.piggyback(),
            .snapshots = options.snapshots,
            .merge_states = request.merges_states,
            .check_merging = options.merge_states == MergeUse::check,
            .keep_courses = options.explain_order && request.obstacle_to_comparing.empty(),
            .prepare = options.prepare,
            .virtual_time = options.virtual_time.value_or(false),
            .late_messages = !options.explore_polls,  // else the user has said how late they may be
            .record_stacks = heuristics::SearchBounds(options.bounds).needs_stacks(),
            .hang_limit = options.hang_limit,
            .livelock_limit = options.livelock_limit.value_or(default_livelock_limit)};
}

unsigned default_jobs(int processes) {
    constexpr unsigned ranks_per_core = 8;
    const unsigned cores = std::max(std::thread::hardware_concurrency(), 1U);
    return std::clamp(ranks_per_core * cores / static_cast<unsigned>(processes), 1U, cores + 1);
}

}  // namespace dampi::scheduler
