// Drives the MPI library's progress while a rank waits for something that is not a request, and sees it while the rank
// is inside of a call of the library's.
#pragma once

#include <mpi.h>

namespace dampi::piggyback::distributed {

class DistributedLayer;

/// A request of its own, which PMPI_Grequest_complete completes.
[[nodiscard]] MPI_Request open_request();

/// After MPI_Init and before MPI_Finalize, once each.
void begin_progress();
void end_progress();

/// Lets a patched library (library_values.hpp) tell when it has nothing to do inside of a call.
void watch_idle_library(DistributedLayer& layer);

/// Where a patched library counts what it has found to do, writes it down for dampi-run; returns whether there was
/// something since the last time.
bool note_library_events(DistributedLayer& layer);

/// Lets the library look once for what it can do, whatever messages lie around.
void make_progress();

}  // namespace dampi::piggyback::distributed
