#include "scheduler/judgement/message_types.hpp"

#include <utility>

namespace dampi::scheduler {

std::optional<transport::TypeDifference> MessageTypes::difference(base::Rank here, const transport::TypedData& data,
                                                                  base::Rank there, const transport::TypedData& other) {
    const auto [known, is_new] = known_.try_emplace(Pair(here, data, there, other), std::nullopt);
    if (is_new) {
        known->second = transport::difference(table(here), data, table(there), other);
    }
    return known->second;
}

std::optional<transport::TypeDifference> MessageTypes::difference(const ReceivedData& received) {
    if (transport::surely_agree(received.sent.data, table(received.destination), received.data)) {
        return std::nullopt;
    }
    return difference(received.destination, received.data, received.sent.source, received.sent.data);
}

std::string text_of(const transport::TypeDifference& difference) {
    const auto at = [](const std::string& path) { return path.empty() ? "" : path + ": "; };
    const std::string there = difference.path == difference.other_path ? "" : at(difference.other_path);
    return at(difference.path) + difference.name + " here, " + there + difference.other_name + " there";
}

}  // namespace dampi::scheduler
