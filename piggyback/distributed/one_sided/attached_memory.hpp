// The memory that ranks have attached to a dynamic window. Each tells the others what it has, so that an access to what
// is not attached is seen: whoever accesses memory must know that it is, so what is not attached when the call is made
// was not, whatever the timing. It never says that an access is right: the memory may be detached too early.
#pragma once

#include "piggyback/distributed/layer.hpp"
#include "piggyback/distributed/one_sided/window.hpp"
#include "piggyback/rank/buffers/blocks.hpp"

#include <cstdint>
#include <string>
#include <vector>

#include <mpi.h>

namespace dampi::piggyback::distributed {

/// MPI has attached this rank's memory, or detached it.
void note_attached(DistributedLayer& layer, std::uint64_t site, Window& window, const void* base, MPI_Aint size);
void note_detached(DistributedLayer& layer, Window& window, const void* base);

/// What is wrong with an access to these bytes of a member's memory, at addresses: ", which is not attached to the
/// window", or how far it is too long; empty where all of them are attached.
[[nodiscard]] std::string not_attached(DistributedLayer& layer, Window& window, int target,
                                       const std::vector<Blocks>& blocks);

}  // namespace dampi::piggyback::distributed
