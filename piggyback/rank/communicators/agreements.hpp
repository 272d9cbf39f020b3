// What ranks must agree on, two at a time, when they make a communicator: as shares (transport/shares.hpp), which are
// compared where the ranks meet.
#pragma once

#include "base/types.hpp"
#include "piggyback/rank/collectives/flow.hpp"
#include "piggyback/rank/communicators/communicators.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace dampi::piggyback {

/// Of MPI_Comm_create: this rank's group, world ranks in their order. Null where nothing is to be compared.
[[nodiscard]] std::shared_ptr<const FlowShares> group_shares(const Communicator& parent,
                                                             const std::vector<base::Rank>& members);

/// Half of the edges that a rank names: those to it, or those from it.
struct NamedEdges {
    int number = 0;
    const int* others = nullptr;   ///< ranks in the parent
    const int* weights = nullptr;  ///< may be MPI_UNWEIGHTED
};

/// Of MPI_Dist_graph_create_adjacent. Null where nothing is to be compared, or MPI refuses it.
[[nodiscard]] std::shared_ptr<const FlowShares> edge_shares(const Communicator& parent, const NamedEdges& in,
                                                            const NamedEdges& out);

}  // namespace dampi::piggyback
