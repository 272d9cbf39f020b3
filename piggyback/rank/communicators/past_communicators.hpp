// Where communicators were made and freed that the program has no more: for the finding where it uses one all the same.
#pragma once

#include "piggyback/rank/resources/held_handles.hpp"

#include <mpi.h>

namespace dampi::piggyback {

/// The program's present call frees the communicator, which it had from `made`.
void note_past(MPI_Comm handle, const Origin& made);

/// The latest one that had this handle; null: none. One that was made later in a way that the layer does not model may
/// have it now, so this only adds to what MPI says.
[[nodiscard]] const Past* past_communicator(MPI_Comm handle);

}  // namespace dampi::piggyback
