// Whether a run waits for something that was decided. What a decision forces may turn out to be impossible (the program
// keeps its messages in order by means outside MPI, or the tool is wrong); then MPI does not allow the run from where
// the operation was issued on, and nothing that it shows says anything about the program. Where a rank has died before
// it could come, that is different.
#pragma once

#include "launch/job.hpp"
#include "replay/decision.hpp"
#include "scheduler/judgement/record_reader.hpp"

#include <vector>

namespace dampi::scheduler {

/// `reader` has read; `ends`: by rank.
OpenDecisions open_decisions(RecordReader& reader, const std::vector<replay::Decision>& decisions,
                             const std::vector<launch::RankEnd>& ends);

}  // namespace dampi::scheduler
