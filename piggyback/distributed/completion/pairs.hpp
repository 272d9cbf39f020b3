// MPI_Isendrecv and MPI_Isendrecv_replace: one request of the program for a send and a receive, which the layer issues
// apart, so that each is what it would be by itself. The program gets a generalized request, which the layer completes
// when both have completed; so it can stand beside others in all calls that complete requests.
#pragma once

#include "piggyback/distributed/completion/pair.hpp"
#include "piggyback/distributed/layer.hpp"

#include <mpi.h>

namespace dampi::piggyback::distributed {

/// MPI_Grequest_start for the program's request.
int make_request(Pair& pair, MPI_Request* request);

/// Asks MPI about the halves, and completes the program's request with the latter of them. To be called before MPI is
/// asked about that request.
void advance(Request& request);

/// Whether a complete pair can be settled without waiting for anybody, and without taking what MPI has matched for
/// something that the program knows.
bool can_be_settled(DistributedLayer& layer, const Pair& pair);

/// The program's request is gone: so are those of the halves.
void release(Pair& pair);

}  // namespace dampi::piggyback::distributed
