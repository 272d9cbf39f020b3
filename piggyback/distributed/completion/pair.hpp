// The two halves of an MPI_Isendrecv (pairs.hpp tells how they are one request).
#pragma once

#include "piggyback/rank/requests.hpp"

#include <memory>

#include <mpi.h>

namespace dampi::piggyback::distributed {

/// Both halves have requests of MPI's that the program does not see, and are not among DistributedLayer::requests.
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

}  // namespace dampi::piggyback::distributed
