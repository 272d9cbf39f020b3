// What the generated wrappers of the centralized engine's library need beside the bodies.
#pragma once

#include "piggyback/rank/call.hpp"

#include <mpi.h>

namespace dampi::piggyback::central {

/// The program calls a function that the engine does not model: the run is over, and dampi-run says why.
[[noreturn]] void refuse(const Call& call) noexcept;

/// The program calls a function with a null pointer for something that MPI cannot do without: what MPI makes of it. The
/// error goes to the handler of `comm`, where there is such a communicator.
int refuse_null(const Call& call, MPI_Comm comm) noexcept;

/// What MPI makes of a null pointer for a buffer of a collective through which data goes.
int refuse_null_buffer(const Call& call, MPI_Comm comm) noexcept;

/// The program calls a function that ends a sequence of polling calls.
void end_polling() noexcept;

}  // namespace dampi::piggyback::central
