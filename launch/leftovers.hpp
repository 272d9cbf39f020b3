// Removes what killed ranks leave outside their own memory. MPICH and UCX share memory between ranks under names
// that they take away as soon as everybody is attached; ranks that are killed before that leave them behind.
#pragma once

#include <chrono>
#include <vector>

#include <sys/types.h>

namespace dampi::launch {

/// Removes private System V shared memory that these processes, which must have ended, created and nobody is attached
/// to; and MPICH's and UCX's files in /dev/shm, if they are ours, not older than `since`, and no process has them open
/// or mapped. Does what it can: what it may not look at or remove stays.
void remove_leftovers(const std::vector<pid_t>& ended, std::chrono::system_clock::time_point since);

}  // namespace dampi::launch
