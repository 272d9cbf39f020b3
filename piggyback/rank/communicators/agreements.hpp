// What ranks must agree on when they make a communicator: two at a time, as shares (transport/shares.hpp), or all of
// them, as a digest. Both are compared where the ranks meet.
#pragma once

#include "base/types.hpp"
#include "piggyback/rank/collectives/flow.hpp"
#include "piggyback/rank/communicators/communicators.hpp"

#include <cstdint>
#include <memory>
#include <vector>

#include <mpi.h>

namespace dampi::piggyback {

/// Of MPI_Comm_create and MPI_Cart_sub: this rank's group, world ranks in their order. Null where nothing is to be
/// compared.
[[nodiscard]] std::shared_ptr<const FlowShares> group_shares(const Communicator& parent,
                                                             const std::vector<base::Rank>& members);

/// Those whose places in the grid of a communicator differ from this rank's only in the dimensions that remain, world
/// ranks in their order. None where MPI knows of no grid.
[[nodiscard]] std::vector<base::Rank> members_of_subgrid(const Communicator& grid, const int* remain_dims);

/// Half of the edges that a rank names: those to it, or those from it.
struct NamedEdges {
    int number = 0;
    const int* others = nullptr;   ///< ranks in the parent
    const int* weights = nullptr;  ///< may be MPI_UNWEIGHTED
};

/// Of MPI_Dist_graph_create_adjacent. Null where nothing is to be compared, or MPI refuses it.
[[nodiscard]] std::shared_ptr<const FlowShares> edge_shares(const Communicator& parent, const NamedEdges& in,
                                                            const NamedEdges& out);

/// Flow::arguments of those who make a distributed graph: either all of them give weights, or none (MPI-4.0, section
/// 8.5.4), and info and reorder are the same in all ranks (section 8.4).
[[nodiscard]] std::uint64_t distributed_graph_digest(const int* weights, MPI_Info info, int reorder);

}  // namespace dampi::piggyback
