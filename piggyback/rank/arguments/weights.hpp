// The weights of a graph's edges. MPI_UNWEIGHTED and MPI_WEIGHTS_EMPTY are variables of the MPI library's, which may
// not be loaded with the layer.
#pragma once

#include <cstddef>

namespace dampi::piggyback {

// Null where there is no MPI library yet.
[[nodiscard]] const int* unweighted();
[[nodiscard]] const int* weights_empty();

/// Whether the weights are given at all.
[[nodiscard]] inline bool weighs(const int* weights) { return weights != unweighted(); }
[[nodiscard]] inline int weight_at(const int* weights, std::size_t at) {
    return weighs(weights) && weights != weights_empty() ? weights[at] : 1;
}

}  // namespace dampi::piggyback
