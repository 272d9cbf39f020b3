// What the library of Fortran's procedures has beside them: the common blocks whose addresses are arguments, where the
// program itself has none, and their addresses for C.
#include "piggyback/openmpi/fortran/sentinels.hpp"

#define VISIBLE __attribute__((visibility("default")))

extern "C" {
#define SENTINEL(name, size) VISIBLE char mpi_fortran_##name##_[size] = {};
#include "piggyback/openmpi/fortran/sentinels.def"
#undef SENTINEL

// NOLINTBEGIN(readability-identifier-naming)
VISIBLE int* MPI_F_STATUS_IGNORE = reinterpret_cast<int*>(mpi_fortran_status_ignore_);
VISIBLE int* MPI_F_STATUSES_IGNORE = reinterpret_cast<int*>(mpi_fortran_statuses_ignore_);
// NOLINTEND(readability-identifier-naming)

/// By it Open MPI's modules ask for the library.
VISIBLE void mpiext_pcollreq_mpifh_dummy() {}
}
