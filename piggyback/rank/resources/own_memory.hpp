// MPI_Free_mem, as both engines have it.
#pragma once

namespace dampi::piggyback {

/// Frees memory of MPI_Alloc_mem, which is no leak then. What MPI says.
int give_back_memory(void* base) noexcept;

}  // namespace dampi::piggyback
