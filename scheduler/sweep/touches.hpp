// The program's own loads and stores in buffers of pending operations. To look for them takes longer than to run the
// program, so unless all runs do (--check-buffers) a few do, beside the sweep's own. Decides whether that is worth
// while, and what of it becomes a finding; what else these runs show is left to the sweep.
#pragma once

#include "launch/program/program.hpp"
#include "scheduler/sweep/sweep_result.hpp"

#include <chrono>
#include <cstdint>
#include <vector>

namespace dampi::scheduler {

/// Whether the program calls functions that leave something pending when they return, as far as that can be seen.
[[nodiscard]] bool may_leave_pending(const launch::Program& program);

/// So many that a small program is looked at in all interleavings, and its verdict is no matter of which comes first.
constexpr std::uint64_t most_runs_for_touches = 8;

/// The time that there is for all such runs: a tenth of what the sweep took, but at least two seconds. Zero where an
/// interleaving takes too long for it.
[[nodiscard]] std::chrono::milliseconds time_for_touches(const SweepResult& result);

/// Whether such runs have shown something else than loads and stores that the sweep's own runs do not show: then
/// looking has changed what the program does, and what was seen may not be all.
[[nodiscard]] bool went_otherwise(const std::vector<Finding>& seen, const SweepResult& result);

/// Takes what such runs have shown into the result. A store that the sweep's own runs have noticed without its place is
/// no finding of its own: its place is told there.
void take_in_touches(std::vector<Finding> seen, SweepResult& result);

}  // namespace dampi::scheduler
