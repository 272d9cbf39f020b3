// MPI_UNWEIGHTED and MPI_WEIGHTS_EMPTY are variables of the MPI library's, which may not be loaded with the layer.
#pragma once

namespace dampi::piggyback {

// Null where there is no MPI library yet.
[[nodiscard]] const int* unweighted();
[[nodiscard]] const int* weights_empty();

}  // namespace dampi::piggyback
