// The functions that ask for process topologies. Making them stands in communicators.cpp.

#include "piggyback/central/errors.hpp"
#include "piggyback/central/rank_side.hpp"
#include "piggyback/interception/central_calls.hpp"
#include "piggyback/rank/arguments/weights.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <tuple>

namespace dampi::piggyback::central {

namespace {

/// A communicator with a topology of this kind; null after an error, which has been delivered to `code`.
std::shared_ptr<const Topology> topology_of(const Call& call, MPI_Comm comm, int kind, int& code) {
    if (Layer::current()->communicators.find(comm) == nullptr) {
        int ignored = 0;
        code = PMPI_Comm_size(comm, &ignored);  // MPI refuses
        return nullptr;
    }
    auto topology = RankSide::current()->topologies.find(comm);
    if (topology == nullptr || topology->kind != kind) {
        code = raise(call, comm, Wrong::topology);
        return nullptr;
    }
    return topology;
}

bool has_rank(MPI_Comm comm, int rank) {
    const Communicator* communicator = Layer::current()->communicators.find(comm);
    return rank >= 0 && static_cast<std::size_t>(rank) < communicator->members.size();
}

int raise_rank(const Call& call, MPI_Comm comm, int rank) {
    const Communicator* communicator = Layer::current()->communicators.find(comm);
    return raise(call, comm, Wrong::rank, rank, static_cast<int>(communicator->members.size()));
}

/// As many as there is room for.
void copy(const std::vector<int>& from, int room, int* to) {
    std::copy_n(from.begin(), std::min(from.size(), static_cast<std::size_t>(std::max(room, 0))), to);
}

}  // namespace
}  // namespace dampi::piggyback::central

namespace dampi::piggyback::central::calls {

int topo_test(Call& /*call*/, MPI_Comm comm, int* status) noexcept {
    if (Layer::current()->communicators.find(comm) == nullptr) {
        return PMPI_Topo_test(comm, status);
    }
    const auto topology = RankSide::current()->topologies.find(comm);
    *status = topology == nullptr ? MPI_UNDEFINED : topology->kind;
    return MPI_SUCCESS;
}

int cartdim_get(Call& call, MPI_Comm comm, int* ndims) noexcept {
    int code = MPI_SUCCESS;
    if (const auto topology = topology_of(call, comm, MPI_CART, code)) {
        *ndims = static_cast<int>(topology->dims.size());
    }
    return code;
}

int cart_get(Call& call, MPI_Comm comm, int maxdims, int dims[], int periods[], int coords[]) noexcept {
    int code = MPI_SUCCESS;
    if (const auto topology = topology_of(call, comm, MPI_CART, code)) {
        copy(topology->dims, maxdims, dims);
        copy(topology->periods, maxdims, periods);
        copy(topology->coordinates(Layer::current()->communicators.find(comm)->rank), maxdims, coords);
    }
    return code;
}

int cart_coords(Call& call, MPI_Comm comm, int rank, int maxdims, int coords[]) noexcept {
    int code = MPI_SUCCESS;
    if (const auto topology = topology_of(call, comm, MPI_CART, code)) {
        if (!has_rank(comm, rank)) {
            return raise_rank(call, comm, rank);
        }
        copy(topology->coordinates(rank), maxdims, coords);
    }
    return code;
}

int cart_rank(Call& call, MPI_Comm comm, const int coords[], int* rank) noexcept {
    int code = MPI_SUCCESS;
    if (const auto topology = topology_of(call, comm, MPI_CART, code)) {
        const int found = topology->rank_of(std::vector<int>(coords, coords + topology->dims.size()));
        if (found == MPI_PROC_NULL) {
            return raise(call, comm, Wrong::argument);
        }
        *rank = found;
    }
    return code;
}

int cart_shift(Call& call, MPI_Comm comm, int direction, int disp, int* rank_source, int* rank_dest) noexcept {
    int code = MPI_SUCCESS;
    if (const auto topology = topology_of(call, comm, MPI_CART, code)) {
        if (direction < 0 || static_cast<std::size_t>(direction) >= topology->dims.size()) {
            return raise(call, comm, Wrong::argument);
        }
        std::tie(*rank_source, *rank_dest) =
            topology->shift(Layer::current()->communicators.find(comm)->rank, direction, disp);
    }
    return code;
}

int cart_map(Call& call, MPI_Comm comm, int ndims, const int dims[], const int /*periods*/[], int* newrank) noexcept {
    const Communicator* communicator = Layer::current()->communicators.find(comm);
    if (communicator == nullptr || ndims < 0) {
        return communicator == nullptr ? PMPI_Comm_rank(comm, newrank) : raise(call, comm, Wrong::dimensions);
    }
    const int nodes = std::accumulate(dims, dims + ndims, 1, std::multiplies<>());
    if (nodes > static_cast<int>(communicator->members.size())) {
        return raise(call, comm, Wrong::dimensions);
    }
    *newrank = communicator->rank < nodes ? communicator->rank : MPI_UNDEFINED;
    return MPI_SUCCESS;
}

int graph_map(Call& call, MPI_Comm comm, int nnodes, const int /*indx*/[], const int /*edges*/[],
              int* newrank) noexcept {
    const Communicator* communicator = Layer::current()->communicators.find(comm);
    if (communicator == nullptr || nnodes <= 0 || nnodes > static_cast<int>(communicator->members.size())) {
        return communicator == nullptr ? PMPI_Comm_rank(comm, newrank) : raise(call, comm, Wrong::argument);
    }
    *newrank = communicator->rank < nnodes ? communicator->rank : MPI_UNDEFINED;
    return MPI_SUCCESS;
}

int graphdims_get(Call& call, MPI_Comm comm, int* nnodes, int* nedges) noexcept {
    int code = MPI_SUCCESS;
    if (const auto topology = topology_of(call, comm, MPI_GRAPH, code)) {
        *nnodes = static_cast<int>(topology->index.size());
        *nedges = static_cast<int>(topology->edges.size());
    }
    return code;
}

int graph_get(Call& call, MPI_Comm comm, int maxindex, int maxedges, int indx[], int edges[]) noexcept {
    int code = MPI_SUCCESS;
    if (const auto topology = topology_of(call, comm, MPI_GRAPH, code)) {
        copy(topology->index, maxindex, indx);
        copy(topology->edges, maxedges, edges);
    }
    return code;
}

int graph_neighbors_count(Call& call, MPI_Comm comm, int rank, int* nneighbors) noexcept {
    int code = MPI_SUCCESS;
    if (const auto topology = topology_of(call, comm, MPI_GRAPH, code)) {
        if (!has_rank(comm, rank)) {
            return raise_rank(call, comm, rank);
        }
        *nneighbors = static_cast<int>(topology->graph_neighbours(rank).size());
    }
    return code;
}

int graph_neighbors(Call& call, MPI_Comm comm, int rank, int maxneighbors, int neighbors[]) noexcept {
    int code = MPI_SUCCESS;
    if (const auto topology = topology_of(call, comm, MPI_GRAPH, code)) {
        if (!has_rank(comm, rank)) {
            return raise_rank(call, comm, rank);
        }
        copy(topology->graph_neighbours(rank), maxneighbors, neighbors);
    }
    return code;
}

int dist_graph_neighbors_count(Call& call, MPI_Comm comm, int* indegree, int* outdegree, int* weighted) noexcept {
    int code = MPI_SUCCESS;
    if (const auto topology = topology_of(call, comm, MPI_DIST_GRAPH, code)) {
        *indegree = static_cast<int>(topology->sources.size());
        *outdegree = static_cast<int>(topology->destinations.size());
        *weighted = topology->weighted ? 1 : 0;
    }
    return code;
}

int dist_graph_neighbors(Call& call, MPI_Comm comm, int maxindegree, int sources[], int sourceweights[],
                         int maxoutdegree, int destinations[], int destweights[]) noexcept {
    int code = MPI_SUCCESS;
    if (const auto topology = topology_of(call, comm, MPI_DIST_GRAPH, code)) {
        copy(topology->sources, maxindegree, sources);
        copy(topology->destinations, maxoutdegree, destinations);
        if (topology->weighted && sourceweights != unweighted()) {
            copy(topology->source_weights, maxindegree, sourceweights);
        }
        if (topology->weighted && destweights != unweighted()) {
            copy(topology->destination_weights, maxoutdegree, destweights);
        }
    }
    return code;
}

}  // namespace dampi::piggyback::central::calls
