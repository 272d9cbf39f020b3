// MPI_COMM_DUP_FN and its kin in Fortran: procedures that do what they say, and are known again where they are given.
#pragma once

#include "piggyback/openmpi/callbacks.hpp"

extern "C" {
// What C has for the same (piggyback/openmpi/callbacks.cpp).
// NOLINTBEGIN(readability-identifier-naming)
dampi::piggyback::openmpi::UserCopy OMPI_C_MPI_NULL_COPY_FN;
dampi::piggyback::openmpi::UserCopy OMPI_C_MPI_DUP_FN;
dampi::piggyback::openmpi::UserDelete OMPI_C_MPI_NULL_DELETE_FN;
// NOLINTEND(readability-identifier-naming)
}

namespace dampi::piggyback::openmpi::fortran {

enum class Predefined { none, null_copy, dup, null_delete, null_conversion };

/// Which one the program has given.
[[nodiscard]] Predefined predefined_procedure(const void* procedure) noexcept;

}  // namespace dampi::piggyback::openmpi::fortran
