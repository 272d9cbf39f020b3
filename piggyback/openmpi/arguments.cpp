#include "piggyback/openmpi/arguments.hpp"

#include "piggyback/openmpi/next.hpp"

#include <mutex>
#include <set>

namespace dampi::piggyback::openmpi {

int count_of_peers(MPI_Comm comm) {
    int is_inter = 0;
    int count = 0;
    if (next::comm_test_inter()(comm, &is_inter) != MPI_SUCCESS) {
        return 0;
    }
    const int code = is_inter != 0 ? next::comm_remote_size()(comm, &count) : next::comm_size()(comm, &count);
    return code == MPI_SUCCESS ? count : 0;
}

int count_of_neighbours(MPI_Comm comm, Direction direction) {
    int topology = MPI_UNDEFINED;
    int count = 0;
    if (next::topo_test()(comm, &topology) != MPI_SUCCESS) {
        return 0;
    }
    if (topology == MPI_CART) {
        return next::cartdim_get()(comm, &count) == MPI_SUCCESS ? 2 * count : 0;
    }
    if (topology == MPI_GRAPH) {
        int rank = 0;
        next::comm_rank()(comm, &rank);
        return next::graph_neighbors_count()(comm, rank, &count) == MPI_SUCCESS ? count : 0;
    }
    if (topology == MPI_DIST_GRAPH) {
        int outgoing = 0;
        int weighted = 0;
        next::dist_graph_neighbors_count()(comm, &count, &outgoing, &weighted);
        return direction == Direction::out ? outgoing : count;
    }
    return 0;
}

const MPI_Datatype* lasting(const Handle* types, int count) {
    if (types == nullptr) {
        return nullptr;
    }
    static std::mutex mutex;
    static std::set<std::vector<MPI_Datatype>> lists;
    std::vector<MPI_Datatype> list;
    for (int i = 0; i < count; ++i) {
        list.push_back(to_mpich(types[i]));
    }
    const std::lock_guard lock(mutex);
    return lists.insert(std::move(list)).first->data();
}

}  // namespace dampi::piggyback::openmpi
