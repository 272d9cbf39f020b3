// Starting a persistent receive, which opens an epoch each time if it is a wildcard.
#pragma once

#include "piggyback/distributed/layer.hpp"
#include "piggyback/rank/call.hpp"

namespace dampi::piggyback::distributed {

/// Returns MPI's code. The request must be an inactive persistent receive.
int start_receive(DistributedLayer& layer, const Call& call, Request& request);

}  // namespace dampi::piggyback::distributed
