#include "piggyback/central/moves.hpp"

#include <algorithm>
#include <memory>
#include <numeric>

namespace dampi::piggyback::central {
namespace {

bool in_place(const void* buffer) { return buffer == MPI_IN_PLACE; }

Data data_of(const void* buffer, MPI_Count count, MPI_Datatype type) {
    return {const_cast<void*>(buffer), count, type};
}

/// The parts of a buffer, one for each rank: all of the same size, one behind the other.
struct EqualParts {
    const void* buffer;
    MPI_Count count;
    MPI_Datatype type;

    Data operator()(std::size_t i) const {
        return data_of(advance(buffer, static_cast<MPI_Aint>(i) * count, type), count, type);
    }
};

/// Each with a size and place of its own, in elements of the type.
struct PlacedParts {
    const void* buffer;
    Counts counts;
    Displacements displs;
    MPI_Datatype type;

    Data operator()(std::size_t i) const { return data_of(advance(buffer, displs[i], type), counts[i], type); }
};

/// Each with a size, place and type of its own; places in bytes.
struct TypedParts {
    const void* buffer;
    Counts counts;
    Displacements displs;
    const MPI_Datatype* types;

    Data operator()(std::size_t i) const { return data_of(advance(buffer, displs[i], MPI_BYTE), counts[i], types[i]); }
};

/// Whether MPI refuses the two buffers, as they both have data.
bool same(const void* sent, const void* received, MPI_Count count) {
    return sent == received && sent != nullptr && !in_place(sent) && count > 0;
}

/// The index of a rank as point-to-point calls mean it.
int peer_index(const Communicator& communicator, std::size_t peer) {
    return static_cast<int>(peer + (communicator.inter ? communicator.members.size() : 0));
}

enum class Role { root, leaf, bystander };

Role role_of(const Communicator& communicator, int root) {
    if (communicator.inter) {
        return root == MPI_ROOT ? Role::root : root == MPI_PROC_NULL ? Role::bystander : Role::leaf;
    }
    return root == communicator.rank ? Role::root : Role::leaf;
}

int root_index(const Communicator& communicator, int root) {
    return peer_index(communicator, static_cast<std::size_t>(root));
}

/// Everyone whose contributions are reduced: in an intercommunicator those of the remote group.
std::vector<int> everyone(const Communicator& communicator) {
    std::vector<int> indices(communicator.peers.size());
    std::iota(indices.begin(), indices.end(), peer_index(communicator, 0));
    return indices;
}

void reduce(Moves& moves, const Communicator& communicator, MPI_Op op, std::vector<int> indices, MPI_Count first,
            const Data& result) {
    moves.takes_own = moves.takes_own || std::find(indices.begin(), indices.end(), communicator.rank) != indices.end();
    moves.reduction = Moves::Reduction{
        .op = op, .indices = std::move(indices), .first = first, .result = result, .given = result.type};
}

MPI_Count sum_of(Counts counts, std::size_t number) {
    MPI_Count sum = 0;
    for (std::size_t i = 0; i < number; ++i) {
        sum += counts[i];
    }
    return sum;
}

/// For each of the ranks how often it came before: the k-th edge from a rank takes its k-th piece for this one.
/// `backwards`: in the opposite order, as MPICH's MPI_Neighbor_alltoall does it.
std::vector<std::size_t> occurrences(const std::vector<int>& ranks, bool backwards) {
    std::vector<std::size_t> result(ranks.size());
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        const std::size_t at = backwards ? ranks.size() - 1 - i : i;
        std::size_t before = 0;
        for (std::size_t j = 0; j < i; ++j) {
            before += ranks[backwards ? ranks.size() - 1 - j : j] == ranks[at] ? 1 : 0;
        }
        result[at] = before;
    }
    return result;
}

/// Likewise on a Cartesian grid: from the one below comes what that has sent to the one above it. Its list of
/// neighbours has this rank where this rank's has it, but for the direction.
std::vector<std::size_t> pieces_on_grid(const std::vector<int>& ranks) {
    std::vector<std::size_t> result(ranks.size());
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        for (std::size_t j = 0; j < (i ^ 1); ++j) {
            result[i] += ranks[j ^ 1] == ranks[i] ? 1 : 0;
        }
    }
    return result;
}

/// For each neighbour, by index; `sent` and `received` give what is sent and where what comes goes.
template <typename Sent, typename Received>
Moves neighbour_moves(const Communicator& communicator, bool backwards, Sent&& sent, Received&& received) {
    Moves moves;
    moves.by_receiver = true;
    const std::shared_ptr<const Neighbours> neighbours = communicator.neighbours;
    if (neighbours == nullptr) {
        return moves;
    }
    for (std::size_t i = 0; i < neighbours->out.size(); ++i) {
        if (neighbours->out[i] >= 0) {
            moves.pieces.push_back(sent(i));
            moves.receivers.push_back(neighbours->out[i]);
        }
    }
    const std::vector<std::size_t> pieces =
        neighbours->on_grid ? pieces_on_grid(neighbours->in) : occurrences(neighbours->in, backwards);
    for (std::size_t i = 0; i < neighbours->in.size(); ++i) {
        if (neighbours->in[i] >= 0) {
            moves.take(communicator, neighbours->in[i], pieces[i], received(i));
        }
    }
    return moves;
}

/// Takes the part of everyone into its place; not the own one where that is there already.
template <typename Received>
void take_all(Moves& moves, const Communicator& communicator, bool own_is_there, const Received& received) {
    for (std::size_t i = 0; i < communicator.peers.size(); ++i) {
        const int index = peer_index(communicator, i);
        if (index != communicator.rank || communicator.inter || !own_is_there) {
            moves.take(communicator, index, 0, received(i));
        }
    }
}

template <typename Received>
Moves gather_moves(const Data& sent, const Received& received, int root, const Communicator& communicator) {
    Moves moves;
    const Role role = role_of(communicator, root);
    const bool own_is_there = in_place(sent.buffer);
    if (role == Role::leaf || (role == Role::root && !communicator.inter && !own_is_there)) {
        moves.pieces.push_back(sent);
    }
    if (role == Role::root) {
        moves.aliased = !communicator.inter && same(sent.buffer, received.buffer, sent.count);
        take_all(moves, communicator, own_is_there, received);
    }
    return moves;
}

template <typename Sent>
Moves scatter_moves(const Sent& sent, const Data& received, int root, const Communicator& communicator) {
    Moves moves;
    const Role role = role_of(communicator, root);
    const auto own = static_cast<std::size_t>(communicator.rank);
    if (role == Role::root) {
        for (std::size_t i = 0; i < communicator.peers.size(); ++i) {
            moves.pieces.push_back(sent(i));
        }
        moves.aliased = !communicator.inter && same(sent.buffer, received.buffer, received.count);
    }
    if (role == Role::leaf) {
        moves.take(communicator, root_index(communicator, root), own, received);
    } else if (role == Role::root && !communicator.inter && !in_place(received.buffer)) {
        moves.take(communicator, communicator.rank, own, received);
    }
    return moves;
}

template <typename Received>
Moves allgather_moves(const Data& sent, const Received& received, const Communicator& communicator) {
    Moves moves;
    const bool own_is_there = in_place(sent.buffer);
    moves.pieces.push_back(own_is_there ? received(static_cast<std::size_t>(communicator.rank)) : sent);
    moves.aliased = same(sent.buffer, received.buffer, sent.count);
    take_all(moves, communicator, own_is_there, received);
    return moves;
}

/// `count`: as far as it is the same for all; else 1.
template <typename Parts>
Moves alltoall_moves(const Parts& sent, MPI_Count count, const Parts& received, const Communicator& communicator) {
    Moves moves;
    const Parts& own = in_place(sent.buffer) ? received : sent;
    moves.aliased = same(sent.buffer, received.buffer, count);
    for (std::size_t i = 0; i < communicator.peers.size(); ++i) {
        moves.pieces.push_back(own(i));
        moves.take(communicator, peer_index(communicator, i), static_cast<std::size_t>(communicator.rank), received(i));
    }
    return moves;
}

}  // namespace

Moves barrier_moves(Communicator& /*communicator*/) { return {}; }

Moves bcast_moves(void* buffer, MPI_Count count, MPI_Datatype type, int root, Communicator& communicator) {
    Moves moves;
    switch (role_of(communicator, root)) {
        case Role::root:
            moves.pieces.push_back(data_of(buffer, count, type));
            break;
        case Role::leaf:
            moves.take(communicator, root_index(communicator, root), 0, data_of(buffer, count, type));
            break;
        case Role::bystander:
            break;
    }
    return moves;
}

Moves gather_moves(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf, MPI_Count recvcount,
                   MPI_Datatype recvtype, int root, Communicator& communicator) {
    return gather_moves(data_of(sendbuf, sendcount, sendtype), EqualParts{recvbuf, recvcount, recvtype}, root,
                        communicator);
}

Moves gatherv_moves(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf, Counts recvcounts,
                    Displacements displs, MPI_Datatype recvtype, int root, Communicator& communicator) {
    return gather_moves(data_of(sendbuf, sendcount, sendtype), PlacedParts{recvbuf, recvcounts, displs, recvtype}, root,
                        communicator);
}

Moves scatter_moves(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf, MPI_Count recvcount,
                    MPI_Datatype recvtype, int root, Communicator& communicator) {
    return scatter_moves(EqualParts{sendbuf, sendcount, sendtype}, data_of(recvbuf, recvcount, recvtype), root,
                         communicator);
}

Moves scatterv_moves(const void* sendbuf, Counts sendcounts, Displacements displs, MPI_Datatype sendtype, void* recvbuf,
                     MPI_Count recvcount, MPI_Datatype recvtype, int root, Communicator& communicator) {
    return scatter_moves(PlacedParts{sendbuf, sendcounts, displs, sendtype}, data_of(recvbuf, recvcount, recvtype),
                         root, communicator);
}

Moves allgather_moves(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                      MPI_Count recvcount, MPI_Datatype recvtype, Communicator& communicator) {
    return allgather_moves(data_of(sendbuf, sendcount, sendtype), EqualParts{recvbuf, recvcount, recvtype},
                           communicator);
}

Moves allgatherv_moves(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                       Counts recvcounts, Displacements displs, MPI_Datatype recvtype, Communicator& communicator) {
    return allgather_moves(data_of(sendbuf, sendcount, sendtype), PlacedParts{recvbuf, recvcounts, displs, recvtype},
                           communicator);
}

Moves alltoall_moves(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                     MPI_Count recvcount, MPI_Datatype recvtype, Communicator& communicator) {
    return alltoall_moves(EqualParts{sendbuf, sendcount, sendtype}, sendcount, EqualParts{recvbuf, recvcount, recvtype},
                          communicator);
}

Moves alltoallv_moves(const void* sendbuf, Counts sendcounts, Displacements sdispls, MPI_Datatype sendtype,
                      void* recvbuf, Counts recvcounts, Displacements rdispls, MPI_Datatype recvtype,
                      Communicator& communicator) {
    return alltoall_moves(PlacedParts{sendbuf, sendcounts, sdispls, sendtype}, 1,
                          PlacedParts{recvbuf, recvcounts, rdispls, recvtype}, communicator);
}

Moves alltoallw_moves(const void* sendbuf, Counts sendcounts, Displacements sdispls, const MPI_Datatype* sendtypes,
                      void* recvbuf, Counts recvcounts, Displacements rdispls, const MPI_Datatype* recvtypes,
                      Communicator& communicator) {
    return alltoall_moves(TypedParts{sendbuf, sendcounts, sdispls, sendtypes}, 1,
                          TypedParts{recvbuf, recvcounts, rdispls, recvtypes}, communicator);
}

Moves reduce_moves(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype type, MPI_Op op, int root,
                   Communicator& communicator) {
    Moves moves;
    const Role role = role_of(communicator, root);
    if (role == Role::leaf || (role == Role::root && !communicator.inter)) {
        moves.pieces.push_back(data_of(in_place(sendbuf) ? recvbuf : sendbuf, count, type));
    }
    if (role == Role::root) {
        moves.aliased = !communicator.inter && same(sendbuf, recvbuf, count);
        reduce(moves, communicator, op, everyone(communicator), 0, data_of(recvbuf, count, type));
    }
    return moves;
}

Moves allreduce_moves(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype type, MPI_Op op,
                      Communicator& communicator) {
    Moves moves;
    moves.pieces.push_back(data_of(in_place(sendbuf) ? recvbuf : sendbuf, count, type));
    moves.aliased = same(sendbuf, recvbuf, count);
    reduce(moves, communicator, op, everyone(communicator), 0, data_of(recvbuf, count, type));
    return moves;
}

Moves reduce_scatter_moves(const void* sendbuf, void* recvbuf, Counts recvcounts, MPI_Datatype type, MPI_Op op,
                           Communicator& communicator) {
    Moves moves;
    const auto own = static_cast<std::size_t>(communicator.rank);
    const MPI_Count all = sum_of(recvcounts, communicator.members.size());
    moves.pieces.push_back(data_of(in_place(sendbuf) ? recvbuf : sendbuf, all, type));
    moves.aliased = same(sendbuf, recvbuf, all);
    reduce(moves, communicator, op, everyone(communicator), sum_of(recvcounts, own),
           data_of(recvbuf, recvcounts[own], type));
    return moves;
}

Moves reduce_scatter_block_moves(const void* sendbuf, void* recvbuf, MPI_Count recvcount, MPI_Datatype type, MPI_Op op,
                                 Communicator& communicator) {
    Moves moves;
    const MPI_Count all = recvcount * static_cast<MPI_Count>(communicator.members.size());
    moves.pieces.push_back(data_of(in_place(sendbuf) ? recvbuf : sendbuf, all, type));
    moves.aliased = same(sendbuf, recvbuf, all);
    reduce(moves, communicator, op, everyone(communicator), recvcount * communicator.rank,
           data_of(recvbuf, recvcount, type));
    return moves;
}

Moves scan_moves(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype type, MPI_Op op,
                 Communicator& communicator) {
    Moves moves;
    moves.pieces.push_back(data_of(in_place(sendbuf) ? recvbuf : sendbuf, count, type));
    moves.aliased = same(sendbuf, recvbuf, count);
    std::vector<int> indices(static_cast<std::size_t>(communicator.rank) + 1);
    std::iota(indices.begin(), indices.end(), 0);
    reduce(moves, communicator, op, std::move(indices), 0, data_of(recvbuf, count, type));
    return moves;
}

Moves exscan_moves(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype type, MPI_Op op,
                   Communicator& communicator) {
    Moves moves = scan_moves(sendbuf, recvbuf, count, type, op, communicator);
    moves.takes_own = false;
    moves.reduction->indices.pop_back();
    return moves;
}

Moves neighbor_allgather_moves(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                               MPI_Count recvcount, MPI_Datatype recvtype, Communicator& communicator) {
    return neighbour_moves(
        communicator, false, [&](std::size_t) { return data_of(sendbuf, sendcount, sendtype); },
        EqualParts{recvbuf, recvcount, recvtype});
}

Moves neighbor_allgatherv_moves(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                                Counts recvcounts, Displacements displs, MPI_Datatype recvtype,
                                Communicator& communicator) {
    return neighbour_moves(
        communicator, false, [&](std::size_t) { return data_of(sendbuf, sendcount, sendtype); },
        PlacedParts{recvbuf, recvcounts, displs, recvtype});
}

Moves neighbor_alltoall_moves(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                              MPI_Count recvcount, MPI_Datatype recvtype, Communicator& communicator) {
    return neighbour_moves(communicator, true, EqualParts{sendbuf, sendcount, sendtype},
                           EqualParts{recvbuf, recvcount, recvtype});
}

Moves neighbor_alltoallv_moves(const void* sendbuf, Counts sendcounts, Displacements sdispls, MPI_Datatype sendtype,
                               void* recvbuf, Counts recvcounts, Displacements rdispls, MPI_Datatype recvtype,
                               Communicator& communicator) {
    return neighbour_moves(communicator, false, PlacedParts{sendbuf, sendcounts, sdispls, sendtype},
                           PlacedParts{recvbuf, recvcounts, rdispls, recvtype});
}

Moves neighbor_alltoallw_moves(const void* sendbuf, Counts sendcounts, Displacements sdispls,
                               const MPI_Datatype* sendtypes, void* recvbuf, Counts recvcounts, Displacements rdispls,
                               const MPI_Datatype* recvtypes, Communicator& communicator) {
    return neighbour_moves(communicator, false, TypedParts{sendbuf, sendcounts, sdispls, sendtypes},
                           TypedParts{recvbuf, recvcounts, rdispls, recvtypes});
}

}  // namespace dampi::piggyback::central
