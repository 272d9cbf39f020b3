// What a polling call does in a copy of the process that is tried out (rank/repetition): whether it may answer "nothing
// yet", as all calls of a round must. It may as long as something that it asks for can still come. Writes nothing.
#pragma once

#include <mpi.h>

namespace dampi::piggyback {

/// The copy asks for these requests. Whether it goes on with "nothing yet".
[[nodiscard]] bool repeats_poll(const char* function, const void* return_address, int count,
                                const MPI_Request* requests) noexcept;
/// Likewise for a message from this source.
[[nodiscard]] bool repeats_poll(const char* function, const void* return_address, MPI_Comm comm, int source) noexcept;

}  // namespace dampi::piggyback
