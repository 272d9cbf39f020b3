// Duplicates that a pending MPI_Comm_idup makes: MPICH hands out their handle at once, but until the program knows the
// operation to be complete it may use it in no call (MPI-4.0, 6.4.2). With the layer's lock.
#pragma once

#include "piggyback/rank/call.hpp"

#include <cstddef>

#include <mpi.h>

namespace dampi::piggyback {

namespace being_made_detail {
inline constinit std::size_t number = 0;
bool is_pending(MPI_Comm handle);
}  // namespace being_made_detail

/// The call has begun to make a communicator: it is there when this request has been completed.
void note_being_made(const Call& call, MPI_Comm handle, MPI_Request request);

/// Whether that request is pending, as far as the program knows.
[[nodiscard]] inline bool is_being_made(MPI_Comm handle) {
    return being_made_detail::number != 0 && being_made_detail::is_pending(handle);
}

}  // namespace dampi::piggyback
