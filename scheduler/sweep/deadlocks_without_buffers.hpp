// A deadlock often stops more ranks where nothing is buffered: those that send to a rank that is stuck have gone on to
// MPI_Finalize with buffers, and wait in their sends without. And a message that nobody receives is only that with
// buffers, and a deadlock without. Each is one finding, the one with more buffers.
#pragma once

#include "scheduler/sweep/sweep_result.hpp"

#include <vector>

namespace dampi::scheduler {

/// Joins each deadlock to a finding that a mode of buffering before those that show it has, where it is what becomes of
/// that with fewer buffers:
///   - a deadlock: the ranks of its core that wait for something else than the end of the others stand where they stand
///     here, for the same, and none of the other ranks would be stuck but for them;
///   - a deadlock in which the same messages were not received, and the same receives found none, where all others wait
///     for ranks that stand in the same places, for the same, in both;
///   - a message that is never received, where here its send waits, and all others for that.
/// Of the last two the finding says in what form it shows (Finding::other_forms). Decimal numbers of outcomes are added
/// up. The order stays.
void join_deadlocks_without_buffers(std::vector<Finding>& findings);

}  // namespace dampi::scheduler
