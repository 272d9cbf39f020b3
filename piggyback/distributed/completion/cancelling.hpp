// MPI_Cancel of a receive: whether it comes in time is an epoch. MPI decides that inside of the call, so it is asked
// there: the program may never wait for the request.
//
// Where no message could have met the receive, it is always in time. Where one could have, both outcomes are possible,
// but only one can be brought about in a guided run (waiting for the message); the result then says that this was not
// explored.
#pragma once

#include "clocks/snapshot.hpp"
#include "piggyback/distributed/layer.hpp"
#include "piggyback/rank/call.hpp"
#include "piggyback/rank/requests.hpp"

namespace dampi::piggyback::distributed {

/// The request, for which MPI_Cancel was too late, has completed.
void conclude_cancel(DistributedLayer& layer, const Call& call, Request& request, bool in_time,
                     const clocks::Snapshot& known);

}  // namespace dampi::piggyback::distributed
