// The order in which the program's threads issue the operations that are named by their place in an order (sends,
// receives, probes and choices). It is recorded as soon as there are several threads. A guided run follows it as far as
// its decisions go: a thread that comes too early waits. Threads share the clock of their rank, so the rank is one
// process whose steps are those of its threads in that order.
//
// Another order of the threads is never explored.
#pragma once

#include "piggyback/distributed/layer.hpp"
#include "piggyback/rank/call.hpp"

namespace dampi::piggyback::distributed {

/// The calling thread is about to issue an operation that is named by its place in an order: in a guided run it waits
/// for its turn, and then counts as having issued it. When the thread whose turn it is does not come, the run has
/// diverged. May let other threads into the layer; when it returns, none comes in between.
void take_turn(DistributedLayer& layer, const Call& call);

}  // namespace dampi::piggyback::distributed
