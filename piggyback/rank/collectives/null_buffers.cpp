#include "piggyback/rank/collectives/null_buffers.hpp"

#include "piggyback/rank/errors/errors.hpp"
#include "piggyback/rank/layer.hpp"

#include <cstddef>

namespace dampi::piggyback {
std::size_t number_of(MPI_Comm comm, Peers peers) {
    Communicator* communicator = Layer::current()->communicators.find(comm);
    if (communicator == nullptr) {
        return 0;
    }
    if (peers == Peers::all) {
        return communicator->peers.size();
    }
    const Neighbours* neighbours = neighbours_of(*communicator);
    if (neighbours == nullptr) {
        return 0;
    }
    return peers == Peers::neighbours_before ? neighbours->in.size() : neighbours->out.size();
}

namespace {

template <typename TypeOf>
bool is_any_missed(MPI_Comm comm, Counts counts, Peers peers, TypeOf&& type_of) {
    for (std::size_t i = counts.null() ? 0 : number_of(comm, peers); i > 0; --i) {
        if (is_missed(comm, counts[i - 1], type_of(i - 1))) {
            return true;
        }
    }
    return false;
}

}  // namespace

bool is_missed(MPI_Comm comm, MPI_Count count, MPI_Datatype type) {
    if (count <= 0 || Layer::current()->communicators.find(comm) == nullptr) {
        return false;
    }
    const QuietErrors quiet;
    int error_class = MPI_SUCCESS;
    PMPI_Error_class(PMPI_Send_c(nullptr, count, type, MPI_PROC_NULL, 0, comm), &error_class);
    return error_class == MPI_ERR_BUFFER;
}

bool is_missed(MPI_Comm comm, Counts counts, MPI_Datatype type, Peers peers) {
    return is_any_missed(comm, counts, peers, [&](std::size_t) { return type; });
}

bool is_missed(MPI_Comm comm, Counts counts, const MPI_Datatype* types, Peers peers) {
    return types != nullptr && is_any_missed(comm, counts, peers, [&](std::size_t i) { return types[i]; });
}

bool is_root(MPI_Comm comm, int root) {
    const Communicator* communicator = Layer::current()->communicators.find(comm);
    return communicator != nullptr && root == (communicator->inter ? MPI_ROOT : communicator->rank);
}

}  // namespace dampi::piggyback
