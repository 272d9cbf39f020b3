// The modes of buffering that are wanted and that a sweep has not come to, since a bound has ended it before: a
// deadlock that any run would show there had better not stay unseen for that. Decides for which of them a few runs are
// made beside the sweep's own, and what becomes of what these show.
#pragma once

#include "replay/buffering.hpp"
#include "scheduler/sweep/sweep_result.hpp"

#include <cstdint>
#include <vector>

namespace dampi::scheduler {

/// So many in each mode: most deadlocks of waiting sends need none of the choices.
constexpr std::uint64_t most_runs_in_other_bufferings = 4;

/// Those of `wanted` in which the sweep has run nothing, though it has run something.
[[nodiscard]] std::vector<replay::Buffering> bufferings_without_runs(const std::vector<replay::Buffering>& wanted,
                                                                     const SweepResult& result);

/// Whether none of the sweep's own runs was in a mode in which the finding was seen.
[[nodiscard]] bool is_of_other_buffering(const Finding& finding, const SweepResult& result);

/// Takes what such runs have shown into the result: causes that the sweep's own have not, as far as they are none of
/// theirs with fewer buffers.
void take_in_other_bufferings(std::vector<Finding> seen, SweepResult& result);

}  // namespace dampi::scheduler
