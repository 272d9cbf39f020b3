// While a thread of the program is in MPI, what it reads and writes is MPI's matter: ThreadSanitizer, which sees some
// of it (memcpy and the like), is not to look; nor at callbacks of the program's, which may be given memory of an
// operation that is pending. What the operation does with the program's memory it is told (fibers.hpp).
#pragma once

#include "piggyback/rank/sanitizers/thread_runtime.hpp"

namespace dampi::piggyback::sanitizers {

namespace in_mpi_detail {
void begin() noexcept;
void end() noexcept;
}  // namespace in_mpi_detail

/// This thread enters MPI, from the program or a callback of its.
inline void enter_mpi() noexcept {
    if (thread_runtime != nullptr) [[unlikely]] {
        in_mpi_detail::begin();
    }
}
/// It leaves it.
inline void leave_mpi() noexcept {
    if (thread_runtime != nullptr) [[unlikely]] {
        in_mpi_detail::end();
    }
}

}  // namespace dampi::piggyback::sanitizers
