// Makes programs that `use mpi_f08` visible to the layer. Many procedures of MPICH's Fortran 2008 bindings (all
// without a choice buffer: initialisation, completion, communicators, ...) call PMPI_ functions of the C library,
// past any wrapper; the older bindings and the procedures with a choice buffer call MPI_ functions.
#pragma once

namespace dampi::piggyback {

/// Lets each call of PMPI_X in the loaded library of Fortran bindings go to the wrapper of MPI_X, if the layer has
/// one. Calls from anywhere else stay as they are. Does nothing where no such library is loaded, nor where it has
/// been done before. Call it before the program calls MPI, while there is one thread. Throws dampi::Error if the
/// library's memory cannot be changed.
void redirect_fortran_bindings();

}  // namespace dampi::piggyback
