// What the completion of requests must do for nonblocking and persistent collectives. The bodies of the
// collective functions themselves are declared in piggyback/interception/calls.hpp.
#pragma once

#include "piggyback/distributed/layer.hpp"
#include "piggyback/rank/call.hpp"
#include "piggyback/rank/requests.hpp"

namespace dampi::piggyback::distributed {

/// A nonblocking or started persistent collective has completed: what the ranks that it got data from knew, null for
/// nothing. Once per completion.
[[nodiscard]] clocks::Snapshot complete_collective(DistributedLayer& layer, const Call& call, Request& request);

/// A persistent collective is about to be started: gives it its number on the communicator and publishes the
/// clock. Call it before MPI starts the request; does not touch `request.active`.
void start_collective(DistributedLayer& layer, const Call& call, Request& request);

}  // namespace dampi::piggyback::distributed
