// Values of attributes between the languages, as the standard has it: what Fortran puts is a number, and C gets the
// address of one that holds it; what C puts is an address, and Fortran gets that as a number.
#pragma once

#include <mpi.h>

namespace dampi::piggyback::openmpi::fortran {

/// What is kept in the attribute. Equal values have one address, for which there is always one number.
[[nodiscard]] void* to_attribute(MPI_Aint value);
[[nodiscard]] MPI_Aint from_attribute(void* attribute);

/// Of an attribute that MPI itself has, or any of these.
[[nodiscard]] MPI_Aint communicators_value(int keyval, void* attribute);
[[nodiscard]] MPI_Aint windows_value(int keyval, void* attribute);

}  // namespace dampi::piggyback::openmpi::fortran
