// What follows when a request has completed, whichever call noticed it.
#pragma once

#include "piggyback/distributed/layer.hpp"
#include "piggyback/rank/call.hpp"

#include <mpi.h>

namespace dampi::piggyback::distributed {

/// The request has completed with this status: settles it. A persistent request becomes inactive, any other is
/// forgotten (the reference is then dangling). Returns what the program is to learn, null for nothing.
clocks::Snapshot finish(DistributedLayer& layer, const Call& call, Request& request, const MPI_Status& status);

/// The part of finish() after which the request is still there: settles it, and if it was to be cancelled says whether
/// it was.
clocks::Snapshot conclude(DistributedLayer& layer, const Call& call, Request& request, const MPI_Status& status);

}  // namespace dampi::piggyback::distributed
