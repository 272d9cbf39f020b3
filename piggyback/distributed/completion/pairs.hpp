// MPI_Isendrecv and MPI_Isendrecv_replace: one request of the program for a send and a receive, which the layer issues
// apart, so that each is what it would be by itself. The program gets a generalized request, which the layer completes
// when both have completed; so it can stand beside others in all calls that complete requests.
#pragma once

#include "piggyback/rank/call.hpp"
#include "piggyback/rank/rank.hpp"
#include "piggyback/rank/requests.hpp"

#include <memory>

#include <mpi.h>

namespace dampi::piggyback {

/// Both halves have requests of MPI's that the program does not see, and are not among Layer::requests.
struct Pair {
    Request receive;
    Request send;
    std::unique_ptr<char[]> packed;  ///< what is sent while the program's buffer is received into
    bool received = false;
    bool sent = false;
    bool complete = false;   ///< both, and the program's request
    MPI_Status status{};     ///< the receive's
    int code = MPI_SUCCESS;  ///< of MPI, once the requests of the halves are gone
};

/// MPI_Grequest_start for the program's request.
int make_request(Pair& pair, MPI_Request* request);

/// Asks MPI about the halves, and completes the program's request with the latter of them. To be called before MPI is
/// asked about that request.
void advance(Request& request);

/// The same as settle() for a complete pair.
clocks::Snapshot settle_pair(Layer& layer, const Call& call, Pair& pair);

/// Whether a complete pair can be settled without waiting for anybody, and without taking what MPI has matched for
/// something that the program knows.
bool can_be_settled(Layer& layer, const Pair& pair);

/// The program's request is gone: so are those of the halves.
void release(Pair& pair);

}  // namespace dampi::piggyback
