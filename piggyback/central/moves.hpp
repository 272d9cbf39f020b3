// What a collective does to the data of one rank: which pieces it gives to whom, which pieces of whose it takes where,
// and what it makes of contributions that are reduced. Made from the arguments of each kind of collective; carried out
// by gathering.hpp, which knows nothing of kinds. Pure but for asking MPI about datatypes.
//
// Ranks of a communicator are named by their index: first the members of the (local) group, then those of an
// intercommunicator's remote group (as in collectives/flow.hpp).
#pragma once

#include "piggyback/central/packing.hpp"
#include "piggyback/rank/collectives/displacements.hpp"
#include "piggyback/rank/collectives/flow.hpp"
#include "piggyback/rank/communicators/communicators.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <mpi.h>

namespace dampi::piggyback::central {

struct Moves {
    /// A piece of another rank's (or this one's own) contribution, and where it goes.
    struct Landing {
        int index = 0;  ///< whose
        /// Which of it, or where there are `receivers` which of those for this rank.
        std::size_t piece = 0;
        Data data;
    };
    /// The contributions of some ranks become one.
    struct Reduction {
        MPI_Op op = MPI_OP_NULL;
        std::vector<int> indices;  ///< whose, in the order in which they are reduced; none: nothing happens
        MPI_Count first = 0;       ///< the elements of each that count
        Data result;
        /// The datatype by the program's handle, which its operators are called with: what `result` holds keeps it
        /// valid.
        MPI_Datatype given = MPI_DATATYPE_NULL;
    };

    std::vector<Data> pieces;  ///< of this rank's contribution
    /// On neighbours: whom each piece is for, by index, since others need not know of them.
    std::vector<int> receivers;
    bool by_receiver = false;  ///< all contributions say so
    std::vector<Landing> landings;
    std::optional<Reduction> reduction;
    bool aliased = false;    ///< buffers that must differ are the same
    bool takes_own = false;  ///< this rank reads its own contribution

    void take(const Communicator& communicator, int index, std::size_t piece, const Data& data) {
        takes_own = takes_own || (index == communicator.rank);
        landings.push_back({index, piece, data});
    }
};

// The arguments as in mpi.h; those of them that are significant are valid. Then the communicator.

[[nodiscard]] Moves barrier_moves(Communicator& communicator);
[[nodiscard]] Moves bcast_moves(void* buffer, MPI_Count count, MPI_Datatype type, int root, Communicator& communicator);
[[nodiscard]] Moves gather_moves(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                                 MPI_Count recvcount, MPI_Datatype recvtype, int root, Communicator& communicator);
[[nodiscard]] Moves gatherv_moves(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                                  Counts recvcounts, Displacements displs, MPI_Datatype recvtype, int root,
                                  Communicator& communicator);
[[nodiscard]] Moves scatter_moves(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                                  MPI_Count recvcount, MPI_Datatype recvtype, int root, Communicator& communicator);
[[nodiscard]] Moves scatterv_moves(const void* sendbuf, Counts sendcounts, Displacements displs, MPI_Datatype sendtype,
                                   void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int root,
                                   Communicator& communicator);
[[nodiscard]] Moves allgather_moves(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                                    MPI_Count recvcount, MPI_Datatype recvtype, Communicator& communicator);
[[nodiscard]] Moves allgatherv_moves(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                                     Counts recvcounts, Displacements displs, MPI_Datatype recvtype,
                                     Communicator& communicator);
[[nodiscard]] Moves alltoall_moves(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                                   MPI_Count recvcount, MPI_Datatype recvtype, Communicator& communicator);
[[nodiscard]] Moves alltoallv_moves(const void* sendbuf, Counts sendcounts, Displacements sdispls,
                                    MPI_Datatype sendtype, void* recvbuf, Counts recvcounts, Displacements rdispls,
                                    MPI_Datatype recvtype, Communicator& communicator);
[[nodiscard]] Moves alltoallw_moves(const void* sendbuf, Counts sendcounts, Displacements sdispls,
                                    const MPI_Datatype* sendtypes, void* recvbuf, Counts recvcounts,
                                    Displacements rdispls, const MPI_Datatype* recvtypes, Communicator& communicator);
[[nodiscard]] Moves reduce_moves(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype type, MPI_Op op,
                                 int root, Communicator& communicator);
[[nodiscard]] Moves allreduce_moves(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype type, MPI_Op op,
                                    Communicator& communicator);
[[nodiscard]] Moves reduce_scatter_moves(const void* sendbuf, void* recvbuf, Counts recvcounts, MPI_Datatype type,
                                         MPI_Op op, Communicator& communicator);
[[nodiscard]] Moves reduce_scatter_block_moves(const void* sendbuf, void* recvbuf, MPI_Count recvcount,
                                               MPI_Datatype type, MPI_Op op, Communicator& communicator);
[[nodiscard]] Moves scan_moves(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype type, MPI_Op op,
                               Communicator& communicator);
[[nodiscard]] Moves exscan_moves(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype type, MPI_Op op,
                                 Communicator& communicator);
[[nodiscard]] Moves neighbor_allgather_moves(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                                             void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype,
                                             Communicator& communicator);
[[nodiscard]] Moves neighbor_allgatherv_moves(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                                              void* recvbuf, Counts recvcounts, Displacements displs,
                                              MPI_Datatype recvtype, Communicator& communicator);
[[nodiscard]] Moves neighbor_alltoall_moves(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                                            void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype,
                                            Communicator& communicator);
[[nodiscard]] Moves neighbor_alltoallv_moves(const void* sendbuf, Counts sendcounts, Displacements sdispls,
                                             MPI_Datatype sendtype, void* recvbuf, Counts recvcounts,
                                             Displacements rdispls, MPI_Datatype recvtype, Communicator& communicator);
[[nodiscard]] Moves neighbor_alltoallw_moves(const void* sendbuf, Counts sendcounts, Displacements sdispls,
                                             const MPI_Datatype* sendtypes, void* recvbuf, Counts recvcounts,
                                             Displacements rdispls, const MPI_Datatype* recvtypes,
                                             Communicator& communicator);

}  // namespace dampi::piggyback::central
