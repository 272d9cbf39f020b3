// How much room there is in the buffer that the program attaches for sends in buffered mode.
#pragma once

#include <cstdint>
#include <limits>

#include <mpi.h>

namespace dampi::piggyback {

/// In bytes. With MPI_BUFFER_AUTOMATIC (MPI 4.1) it is MPI that makes room, for as much as is sent.
inline std::uint64_t room_of_buffer([[maybe_unused]] const void* buffer, MPI_Count size) {
#ifdef MPI_BUFFER_AUTOMATIC
    if (buffer == MPI_BUFFER_AUTOMATIC) {
        return std::numeric_limits<std::int64_t>::max();
    }
#endif
    return static_cast<std::uint64_t>(size);
}

}  // namespace dampi::piggyback
