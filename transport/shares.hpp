// What one rank gives each single other rank in a collective, or asks of it, where that differs from rank to rank: the
// collectives with an amount for each rank, and those of neighbours. Likewise, with what they mean: the edges of
// MPI_Dist_graph_create_adjacent, given to the destinations and asked of the sources, each with its weight in the place
// of bytes; and the group of MPI_Comm_create, and of MPI_Cart_sub, given to each member, in their order. As plain
// numbers, so that ranks can show them to each other and tell dampi-run of them.
#pragma once

#include "base/types.hpp"
#include "transport/type_table.hpp"
#include "transport/words.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace dampi::transport {

struct Share {
    static constexpr base::Rank everyone = -1;  ///< whoever reads it, as often as there are edges

    base::Rank rank = everyone;  ///< world rank of the other one
    std::uint64_t bytes = unknown_amount;
    TypedData data = {};  ///< as in Contribution
};

/// Shares one behind the other.
using Shares = std::vector<std::uint64_t>;
inline constexpr std::size_t words_of_share = 5;

void add_share(Shares& shares, const Share& share);
[[nodiscard]] inline std::size_t number_of_shares(std::span<const std::uint64_t> shares) {
    return shares.size() / words_of_share;
}
[[nodiscard]] Share share_at(std::span<const std::uint64_t> shares, std::size_t index);

/// All that one rank says of its part.
struct PartWithShares {
    base::Rank rank;
    const Contribution& part;
    std::span<const std::uint64_t> given;
    std::span<const std::uint64_t> asked;
};

/// The parts of two ranks, that of `one` first, as if they had only to do with each other, where what one of them gives
/// the other is not what that asks for; what `one` gives comes first. Nothing where it is, or is not known. Several
/// edges between the two are compared as wholes, in whatever order they come. Of edges and groups that do not agree
/// only Contribution::arguments differ in what is returned, and say nothing else.
[[nodiscard]] std::optional<std::pair<Contribution, Contribution>> differing_shares(const PartWithShares& one,
                                                                                    const PartWithShares& other);

/// Of parts whose arguments differ: whether they are edges or groups that differing_shares() has told apart.
[[nodiscard]] bool differ_in_shares(const Contribution& one, const Contribution& other);

}  // namespace dampi::transport
