// A program that may need more for its buffered sends than it has attached must be told.
#pragma once

#include "piggyback/rank/call.hpp"

#include <cstdint>

#include <mpi.h>

namespace dampi::piggyback::central {

/// A message with so many bytes of data must have room beside all those that are not known to have been received: if
/// not, it is a violation, and the run goes on. If it has none even alone, the error has been delivered.
int check_room(const Call& call, MPI_Comm comm, std::uint64_t bytes);

}  // namespace dampi::piggyback::central
