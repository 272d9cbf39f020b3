#include "piggyback/rank/communicators/agreements.hpp"

#include "piggyback/rank/arguments/weights.hpp"
#include "piggyback/rank/errors/quiet_errors.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

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

std::uint64_t hash(std::string_view text) {
    ArgumentDigest digest;
    for (const char each : text) {
        digest.add(each);
    }
    return digest.value();
}

/// Of the pairs in it, in whatever order they are.
std::uint64_t digest_of(MPI_Info info) {
    const QuietErrors quiet;  // whether it is one MPI says, to the program, in the call itself
    int number = 0;
    if (info == MPI_INFO_NULL || PMPI_Info_get_nkeys(info, &number) != MPI_SUCCESS) {
        return 0;
    }
    std::uint64_t sum = 0;
    for (int i = 0; i < number; ++i) {
        std::array<char, MPI_MAX_INFO_KEY + 1> key{};
        std::array<char, MPI_MAX_INFO_VAL + 1> value{};
        int found = 0;
        PMPI_Info_get_nthkey(info, i, key.data());
        PMPI_Info_get(info, key.data(), MPI_MAX_INFO_VAL, value.data(), &found);
        sum += ArgumentDigest()
                   .add(static_cast<std::int64_t>(hash(key.data())))
                   .add(static_cast<std::int64_t>(hash(value.data())))
                   .value();
    }
    return sum;
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

std::vector<base::Rank> members_of_subgrid(const Communicator& grid, const int* remain_dims) {
    const QuietErrors quiet;  // whether it has a grid MPI says, to the program, in the call itself
    int kind = MPI_UNDEFINED;
    int dimensions = 0;
    if (remain_dims == nullptr || PMPI_Topo_test(grid.handle, &kind) != MPI_SUCCESS || kind != MPI_CART ||
        PMPI_Cartdim_get(grid.handle, &dimensions) != MPI_SUCCESS) {
        return {};
    }
    const auto number = static_cast<std::size_t>(dimensions);
    std::vector<int> own(number);
    std::vector<int> place(number);
    PMPI_Cart_coords(grid.handle, grid.rank, dimensions, own.data());
    std::vector<base::Rank> members;
    for (std::size_t rank = 0; rank < grid.members.size(); ++rank) {
        PMPI_Cart_coords(grid.handle, static_cast<int>(rank), dimensions, place.data());
        bool same = true;
        for (std::size_t i = 0; i < number; ++i) {
            same = same && (remain_dims[i] != 0 || place[i] == own[i]);
        }
        if (same) {
            members.push_back(grid.members[rank]);
        }
    }
    return members;
}

std::shared_ptr<const FlowShares> edge_shares(const Communicator& parent, const NamedEdges& in, const NamedEdges& out) {
    if (parent.inter || parent.peers.size() > most || !can_be_compared(in) || !can_be_compared(out)) {
        return nullptr;
    }
    auto shares = std::make_shared<FlowShares>();
    return add_edges(parent, out, shares->given) && add_edges(parent, in, shares->asked) ? shares : nullptr;
}

std::uint64_t distributed_graph_digest(const int* weights, MPI_Info info, int reorder) {
    return ArgumentDigest()
        .add(weighs(weights) ? 1 : 0)
        .add(static_cast<std::int64_t>(digest_of(info)))
        .add(reorder != 0 ? 1 : 0)
        .value();
}

}  // namespace dampi::piggyback
