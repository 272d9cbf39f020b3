// Drives the MPI library's progress while a rank waits for something that is not a request.
#pragma once

namespace dampi::piggyback {

/// After MPI_Init and before MPI_Finalize, once each.
void begin_progress();
void end_progress();

/// Lets the library look once for what it can do, whatever messages lie around.
void make_progress();

}  // namespace dampi::piggyback
