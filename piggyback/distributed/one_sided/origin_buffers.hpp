// The buffers of this rank's own that its accesses to windows read or fill until they are complete: an access that
// fills one which another reads or fills meanwhile is a race, too, and what the program itself stores there is wrong:
// of small ones that is seen. Those of accesses with a request end with it as well.
#pragma once

#include "piggyback/distributed/layer.hpp"
#include "piggyback/distributed/one_sided/window.hpp"
#include "piggyback/rank/call.hpp"
#include "piggyback/rank/resources/access_requests.hpp"

#include <cstdint>

#include <mpi.h>

namespace dampi::piggyback::distributed {

struct Buffer {
    const void* address = nullptr;  ///< null: there is none
    MPI_Count count = 0;
    MPI_Datatype type = MPI_DATATYPE_NULL;
};

/// An access to `target`'s memory has begun that reads `sent` and fills `received`, until end_buffers(), or until its
/// request, if it has one, is complete.
void note_buffers(DistributedLayer& layer, const Call& call, Window& window, int target, const Buffer& sent,
                  const Buffer& received, AccessRequest* request);

/// The program has changed the byte there of the buffer with this token, outside of MPI.
void find_changed_origin(DistributedLayer& layer, const Call& call, StillMemory::Token token, std::int64_t address);

}  // namespace dampi::piggyback::distributed
