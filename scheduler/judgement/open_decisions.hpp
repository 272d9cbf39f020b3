// Whether a run waits for something that was decided. What a decision forces may turn out to be impossible (the program
// keeps its messages in order by means outside MPI, or the tool is wrong); then MPI does not allow the run from where
// the operation was issued on, and nothing that it shows says anything about the program.
#pragma once

#include "launch/job.hpp"
#include "replay/decision.hpp"
#include "scheduler/judgement/record_reader.hpp"

#include <optional>
#include <vector>

namespace dampi::scheduler {

/// Where the first decision was not carried out whose operation was issued. `reader` has read; `ends`: by rank. An
/// operation in which its rank has ended counts as carried out: what had been decided came, and was an error.
std::optional<replay::RankSituation> open_decision(RecordReader& reader, const std::vector<replay::Decision>& decisions,
                                                   const std::vector<launch::RankEnd>& ends);

}  // namespace dampi::scheduler
