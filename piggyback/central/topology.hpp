// A process topology: who is whose neighbour. Knows the ranks of one communicator, by numbers; asks nobody.
#pragma once

#include "piggyback/rank/collectives/flow.hpp"

#include <utility>
#include <vector>

#include <mpi.h>

namespace dampi::piggyback::central {

struct Topology {
    int kind = MPI_UNDEFINED;  ///< MPI_CART, MPI_GRAPH, MPI_DIST_GRAPH

    // Cartesian
    std::vector<int> dims;
    std::vector<int> periods;
    // graph
    std::vector<int> index;
    std::vector<int> edges;
    // distributed graph
    bool weighted = false;
    std::vector<int> sources;
    std::vector<int> source_weights;
    std::vector<int> destinations;
    std::vector<int> destination_weights;

    [[nodiscard]] std::vector<int> coordinates(int rank) const;
    /// Of coordinates that are taken modulo the size of periodic dimensions; MPI_PROC_NULL outside of the others.
    [[nodiscard]] int rank_of(std::vector<int> coordinates) const;
    /// Source and destination of a shift by `steps` in `dimension`.
    [[nodiscard]] std::pair<int, int> shift(int rank, int dimension, int steps) const;
    [[nodiscard]] std::vector<int> graph_neighbours(int rank) const;
    /// As collectives on neighbours take them.
    [[nodiscard]] Neighbours neighbours(int rank) const;
};

}  // namespace dampi::piggyback::central
