// Of a sweep in which runs have ended in states of others: how many outcomes lead to each finding, and, if some runs
// went on there (--merge-states check), whether the same followed. From the numbers of OutcomeCount.
#pragma once

#include "scheduler/sweep/sweep_result.hpp"

#include <string>

namespace dampi::scheduler {

/// From `result.outcomes`, where the sweep is complete: Finding::outcomes and SweepResult::merge_faults.
void tell_outcomes(SweepResult& result);

/// What makes the result useless, as an internal fault; empty: nothing.
[[nodiscard]] std::string merging_error(const SweepResult& result);

}  // namespace dampi::scheduler
