// A list is: how many words are given, how many are asked, and these.
#include "piggyback/distributed/collectives/shown_shares.hpp"

#include <algorithm>

namespace dampi::piggyback::distributed {

transport::Token ShownShares::show(transport::RankPort& port, const FlowShares& shares) {
    std::vector<std::uint64_t> words{shares.given.size(), shares.asked.size()};
    words.insert(words.end(), shares.given.begin(), shares.given.end());
    words.insert(words.end(), shares.asked.begin(), shares.asked.end());
    if (const auto found = known_.find(words); found != known_.end()) {
        return found->second;
    }
    if (words_ + words.size() > most_words) {
        return 0;
    }
    words_ += words.size();
    const transport::Token token = port.make_list(words.size() * sizeof(std::uint64_t));
    std::copy(words.begin(), words.end(), static_cast<std::uint64_t*>(port.list(token)));
    known_.emplace(std::move(words), token);
    return token;
}

ReadShares shares_in(const transport::RankPort& port, transport::Token token) {
    const auto* words = static_cast<const std::uint64_t*>(port.list(token));
    return {.given = {words + 2, static_cast<std::size_t>(words[0])},
            .asked = {words + 2 + words[0], static_cast<std::size_t>(words[1])}};
}

}  // namespace dampi::piggyback::distributed
