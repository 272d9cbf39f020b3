// A deadlock often stops more ranks where nothing is buffered: those that send to a rank that is stuck have gone on to
// MPI_Finalize with buffers, and wait in their sends without. That is one finding, the one with more buffers.
#pragma once

#include "scheduler/sweep/sweep_result.hpp"

#include <vector>

namespace dampi::scheduler {

/// Joins each deadlock to one that a mode of buffering before those that show it has: the ranks of that one's core that
/// wait for something else than the end of the others stand where they stand there, for the same, and none of the other
/// ranks would be stuck but for them. Decimal numbers of outcomes are added up. The order stays.
void join_deadlocks_without_buffers(std::vector<Finding>& findings);

}  // namespace dampi::scheduler
