// The record at the end of a run: what MPI knows by then and nobody has asked for.
#pragma once

#include "piggyback/distributed/layer.hpp"

namespace dampi::piggyback::distributed {

/// Resolves every pending receive that has matched, as MPI tells, and settles the requests that choices could have
/// reported.
void write_epilogue(DistributedLayer& layer);

}  // namespace dampi::piggyback::distributed
