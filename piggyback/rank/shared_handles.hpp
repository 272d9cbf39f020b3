// Of the operations that complete in the call that begins them MPICH hands out one and the same request: several may be
// about at a time, and which of them the program means nobody can tell.
#pragma once

#include <mpi.h>

namespace dampi::piggyback {

[[nodiscard]] inline bool is_shared_handle(MPI_Request handle) {
    constexpr unsigned kind_of_shared_handles = 1;
    return static_cast<unsigned>(handle) >> 30 == kind_of_shared_handles;
}

}  // namespace dampi::piggyback
