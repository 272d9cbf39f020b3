// How a process becomes a rank: when the library is loaded, in a prepared process after the fork, in a late start at
// the first call of MPI.
#pragma once

namespace dampi::piggyback {

/// Creates the layer if dampi-run started this process as a rank of the run whose memory is at `path` (null: none).
/// Whether it did. Ends the process with a sentence where it cannot.
bool attach_rank(const char* path);

}  // namespace dampi::piggyback
