#include "piggyback/rank/communicators/agreements.hpp"

#include "piggyback/rank/arguments/weights.hpp"

#include <algorithm>
#include <cstddef>

namespace dampi::piggyback {
namespace {

/// What is more is not compared: all are looked through for each other rank.
constexpr std::size_t most = 512;

/// False where MPI refuses them.
bool add_edges(const Communicator& parent, const NamedEdges& edges, transport::Shares& shares) {
    for (int i = 0; i < edges.number; ++i) {
        const int other = edges.others[i];
        if (other < 0 || static_cast<std::size_t>(other) >= parent.peers.size()) {
            return false;
        }
        transport::add_share(shares, {.rank = parent.peer(other),
                                      .bytes = static_cast<std::uint64_t>(static_cast<std::int64_t>(
                                          weight_at(edges.weights, static_cast<std::size_t>(i))))});
    }
    return true;
}

bool can_be_compared(const NamedEdges& edges) {
    return edges.number >= 0 && static_cast<std::size_t>(edges.number) <= most &&
           (edges.number == 0 || (edges.others != nullptr && edges.weights != nullptr));
}

}  // namespace

std::shared_ptr<const FlowShares> group_shares(const Communicator& parent, const std::vector<base::Rank>& members) {
    if (parent.inter || members.size() > most) {
        return nullptr;
    }
    auto shares = std::make_shared<FlowShares>();
    for (const base::Rank member : members) {
        transport::add_share(shares->given, {.rank = member});
    }
    return shares;
}

std::shared_ptr<const FlowShares> edge_shares(const Communicator& parent, const NamedEdges& in, const NamedEdges& out) {
    if (parent.inter || parent.peers.size() > most || !can_be_compared(in) || !can_be_compared(out)) {
        return nullptr;
    }
    auto shares = std::make_shared<FlowShares>();
    return add_edges(parent, out, shares->given) && add_edges(parent, in, shares->asked) ? shares : nullptr;
}

}  // namespace dampi::piggyback
