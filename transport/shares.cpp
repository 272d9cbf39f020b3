#include "transport/shares.hpp"

#include "transport/collective_mismatch.hpp"
#include "transport/collective_operation.hpp"

#include <algorithm>
#include <tuple>

namespace dampi::transport {
namespace {

/// Those that concern the rank, the smallest first.
std::vector<Share> shares_for(std::span<const std::uint64_t> shares, base::Rank rank) {
    std::vector<Share> found;
    for (std::size_t i = 0; i < number_of_shares(shares); ++i) {
        const Share share = share_at(shares, i);
        if (share.rank == rank || share.rank == Share::everyone) {
            found.push_back(share);
        }
    }
    std::sort(found.begin(), found.end(), [](const Share& a, const Share& b) {
        return std::tie(a.bytes, a.data.items, a.data.hash) < std::tie(b.bytes, b.data.items, b.data.hash);
    });
    return found;
}

bool all_known(const std::vector<Share>& shares) {
    return std::all_of(shares.begin(), shares.end(),
                       [](const Share& share) { return share.bytes != unknown_amount && share.data.type != no_type; });
}

/// Of what one gives and the other asks for: the giver's part first.
std::optional<std::pair<Contribution, Contribution>> differing_gift(const PartWithShares& giver,
                                                                    const PartWithShares& asker) {
    std::vector<Share> gives = shares_for(giver.given, asker.rank);
    const std::vector<Share> asks = shares_for(asker.asked, giver.rank);
    if (gives.empty() || asks.empty()) {
        return std::nullopt;
    }
    if (gives.size() == 1 && gives.front().rank == Share::everyone) {
        gives.resize(asks.size(), gives.front());
    }
    // Which of several edges meet is not told by their order.
    if (gives.size() != asks.size() || (gives.size() > 1 && !(all_known(gives) && all_known(asks)))) {
        return std::nullopt;
    }
    Contribution from = giver.part;
    Contribution to = asker.part;
    from.received = to.sent = unknown_amount;
    from.received_data = to.sent_data = {};
    for (std::size_t i = 0; i < gives.size(); ++i) {
        from.sent = gives[i].bytes;
        from.sent_data = gives[i].data;
        to.received = asks[i].bytes;
        to.received_data = asks[i].data;
        const Difference found = difference(giver.rank, from, asker.rank, to);
        if (found == Difference::amount || found == Difference::types) {
            return std::pair(from, to);
        }
    }
    return std::nullopt;
}

// What stands for the arguments where edges or groups differ: no digest is like them.
constexpr std::uint64_t arguments_of_one = 1;
constexpr std::uint64_t arguments_of_other = 2;

/// Their arguments as such that differ, whatever they are.
std::pair<Contribution, Contribution> with_other_arguments(const PartWithShares& one, const PartWithShares& other) {
    std::pair parts(one.part, other.part);
    parts.first.arguments = arguments_of_one;
    parts.second.arguments = arguments_of_other;
    return parts;
}

/// The weights of the edges to or from the rank, the smallest first.
std::vector<std::uint64_t> weights_for(std::span<const std::uint64_t> shares, base::Rank rank) {
    std::vector<std::uint64_t> weights;
    for (std::size_t i = 0; i < number_of_shares(shares); ++i) {
        if (const Share share = share_at(shares, i); share.rank == rank) {
            weights.push_back(share.bytes);
        }
    }
    std::sort(weights.begin(), weights.end());
    return weights;
}

std::vector<base::Rank> ranks_of(std::span<const std::uint64_t> shares) {
    std::vector<base::Rank> ranks;
    for (std::size_t i = 0; i < number_of_shares(shares); ++i) {
        ranks.push_back(share_at(shares, i).rank);
    }
    return ranks;
}

/// Both name the edges between them, with the same weights.
bool name_the_same_edges(const PartWithShares& one, const PartWithShares& other) {
    return weights_for(one.given, other.rank) == weights_for(other.asked, one.rank) &&
           weights_for(other.given, one.rank) == weights_for(one.asked, other.rank);
}

/// A group that has the other one is the other's, too.
bool are_in_the_same_group(const PartWithShares& one, const PartWithShares& other) {
    const std::vector<base::Rank> ones = ranks_of(one.given);
    const std::vector<base::Rank> others = ranks_of(other.given);
    return ones == others || (std::find(ones.begin(), ones.end(), other.rank) == ones.end() &&
                              std::find(others.begin(), others.end(), one.rank) == others.end());
}

}  // namespace

void add_share(Shares& shares, const Share& share) {
    shares.insert(shares.end(), {static_cast<std::uint64_t>(static_cast<std::int64_t>(share.rank)), share.bytes,
                                 share.data.hash, share.data.items, share.data.type});
}

Share share_at(std::span<const std::uint64_t> shares, std::size_t index) {
    const auto words = shares.subspan(index * words_of_share, words_of_share);
    return {.rank = static_cast<base::Rank>(static_cast<std::int64_t>(words[0])),
            .bytes = words[1],
            .data = {.hash = words[2], .items = words[3], .type = static_cast<TypeNumber>(words[4])}};
}

std::optional<std::pair<Contribution, Contribution>> differing_shares(const PartWithShares& one,
                                                                      const PartWithShares& other) {
    const auto is = [&](Collective collective) {
        return one.part.operation == operation_number(collective, CollectiveForm::blocking);
    };
    const bool creates_edges = is(Collective::dist_graph_create_adjacent);
    if (creates_edges || is(Collective::comm_create) || is(Collective::cart_sub)) {
        const bool agree = creates_edges ? name_the_same_edges(one, other) : are_in_the_same_group(one, other);
        return agree ? std::nullopt : std::optional(with_other_arguments(one, other));
    }
    if (auto found = differing_gift(one, other)) {
        return found;
    }
    auto found = differing_gift(other, one);
    if (found) {
        std::swap(found->first, found->second);
    }
    return found;
}

bool differ_in_shares(const Contribution& one, const Contribution& other) {
    return std::min(one.arguments, other.arguments) == arguments_of_one &&
           std::max(one.arguments, other.arguments) == arguments_of_other;
}

}  // namespace dampi::transport
