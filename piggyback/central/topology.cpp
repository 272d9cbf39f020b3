// The arithmetic of process topologies.
#include "piggyback/central/topology.hpp"

#include <utility>

namespace dampi::piggyback::central {

std::vector<int> Topology::coordinates(int rank) const {
    std::vector<int> result(dims.size());
    for (std::size_t i = dims.size(); i-- > 0;) {
        result[i] = rank % dims[i];
        rank /= dims[i];
    }
    return result;
}

int Topology::rank_of(std::vector<int> coordinates) const {
    int rank = 0;
    for (std::size_t i = 0; i < dims.size(); ++i) {
        if (periods[i] != 0) {
            coordinates[i] = (coordinates[i] % dims[i] + dims[i]) % dims[i];
        } else if (coordinates[i] < 0 || coordinates[i] >= dims[i]) {
            return MPI_PROC_NULL;
        }
        rank = rank * dims[i] + coordinates[i];
    }
    return rank;
}

std::pair<int, int> Topology::shift(int rank, int dimension, int steps) const {
    const auto moved = [&](int by) {
        std::vector<int> place = coordinates(rank);
        place[static_cast<std::size_t>(dimension)] += by;
        return rank_of(std::move(place));
    };
    return {moved(-steps), moved(steps)};
}

std::vector<int> Topology::graph_neighbours(int rank) const {
    const auto end = index[static_cast<std::size_t>(rank)];
    const auto begin = rank == 0 ? 0 : index[static_cast<std::size_t>(rank) - 1];
    return {edges.begin() + begin, edges.begin() + end};
}

Neighbours Topology::neighbours(int rank) const {
    Neighbours result;
    if (kind == MPI_CART) {
        for (std::size_t i = 0; i < dims.size(); ++i) {
            const auto [below, above] = shift(rank, static_cast<int>(i), 1);
            result.in.push_back(below);
            result.in.push_back(above);
        }
        result.out = result.in;
        result.on_grid = true;
    } else if (kind == MPI_GRAPH) {
        result.in = graph_neighbours(rank);
        result.out = result.in;
    } else if (kind == MPI_DIST_GRAPH) {
        result.in = sources;
        result.out = destinations;
    }
    return result;
}

}  // namespace dampi::piggyback::central
