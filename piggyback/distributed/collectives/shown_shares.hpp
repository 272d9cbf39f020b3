// The shares of this rank in collectives (transport/shares.hpp) where other ranks can read them. What has been shown
// stays, and is shown once: programs have few different ones, which they use over and over.
#pragma once

#include "piggyback/rank/collectives/flow.hpp"
#include "transport/rank_port.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace dampi::piggyback::distributed {

class ShownShares {
public:
    /// By what others find them; 0 where so many different ones have been shown that these are not.
    transport::Token show(transport::RankPort& port, const FlowShares& shares);

private:
    /// In words: what a rank's memory has room for a hundred times.
    static constexpr std::size_t most_words = std::size_t{1} << 17;

    std::map<std::vector<std::uint64_t>, transport::Token> known_;
    std::size_t words_ = 0;
};

struct ReadShares {
    std::span<const std::uint64_t> given;
    std::span<const std::uint64_t> asked;
};
[[nodiscard]] ReadShares shares_in(const transport::RankPort& port, transport::Token token);

}  // namespace dampi::piggyback::distributed
