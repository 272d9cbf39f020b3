// Handles of Open MPI's programs and of MPICH: which stands for which. A predefined one is the address of an object
// (predefined.def), any other MPICH's number in a pointer that is the address of nothing. So nothing is kept of what a
// program makes and frees, and a handle that was never given out is none in MPICH either.
#pragma once

#include "piggyback/openmpi/abi.hpp"

#include <cstdint>

#include <mpi.h>

namespace dampi::piggyback::openmpi {

/// MPICH's handle, of whatever class (they are all numbers, and different ones; but see message_to_openmpi()).
[[nodiscard]] int to_mpich(Handle handle) noexcept;
[[nodiscard]] Handle to_openmpi(int handle) noexcept;

/// MPICH's null message is its null request.
[[nodiscard]] Handle message_to_openmpi(MPI_Message message) noexcept;

/// Files are pointers in both.
[[nodiscard]] MPI_File file_to_mpich(Handle file) noexcept;
[[nodiscard]] Handle file_to_openmpi(MPI_File file) noexcept;

enum class Class : std::uint8_t { comm, group, request, message, errhandler, info, win, op, datatype };

/// The number of a handle in Fortran, whose predefined ones are small, and back. The class tells what a small number
/// is.
[[nodiscard]] int to_fortran(Handle handle) noexcept;
[[nodiscard]] Handle from_fortran(int number, Class of) noexcept;

}  // namespace dampi::piggyback::openmpi
