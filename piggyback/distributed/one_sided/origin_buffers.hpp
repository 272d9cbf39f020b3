// The buffers of this rank's own that its accesses to windows read or fill until they are complete: an access that
// fills one which another reads or fills meanwhile is a race, too. Those of accesses with a request are compared when
// they begin; when they end is not followed.
#pragma once

#include "piggyback/distributed/layer.hpp"
#include "piggyback/distributed/one_sided/window.hpp"
#include "piggyback/rank/call.hpp"

#include <mpi.h>

namespace dampi::piggyback::distributed {

struct Buffer {
    const void* address = nullptr;  ///< null: there is none
    MPI_Count count = 0;
    MPI_Datatype type = MPI_DATATYPE_NULL;
};

/// An access to `target`'s memory has begun that reads `sent` and fills `received`. `stays`: until end_accesses().
void note_buffers(DistributedLayer& layer, const Call& call, Window& window, int target, const Buffer& sent,
                  const Buffer& received, bool stays);

}  // namespace dampi::piggyback::distributed
