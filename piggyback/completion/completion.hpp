// What follows when a request has completed, whichever call noticed it.
#pragma once

#include "piggyback/call.hpp"
#include "piggyback/layer.hpp"

#include <mpi.h>

namespace dampi::piggyback {

/// The request has completed with this status, and the program gets to know: resolves and learns. A
/// persistent request becomes inactive, any other is forgotten (the reference is then dangling).
void complete(Layer& layer, const Call& call, Request& request, const MPI_Status& status);

}  // namespace dampi::piggyback
