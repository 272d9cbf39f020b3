#include "scheduler/exploration/way_over_states.hpp"

#include <algorithm>

namespace dampi::scheduler {
namespace {

using replay::Decision;
using replay::EpochId;
using replay::Rank;

/// Of each rank the first epoch that has not come to an outcome: what is pending, or the next one.
std::map<Rank, std::int64_t> first_open(const std::vector<Decision>& made) {
    std::set<EpochId> epochs;
    for (const Decision& each : made) {
        epochs.insert(each.epoch);
    }
    std::map<Rank, std::int64_t> first;
    for (const EpochId& each : epochs) {  // ascending
        std::int64_t& index = first[each.rank];
        index += index == static_cast<std::int64_t>(each.index) ? 1 : 0;
    }
    return first;
}

std::int64_t of_rank(const std::map<Rank, std::int64_t>& numbers, Rank rank) {
    const auto found = numbers.find(rank);
    return found == numbers.end() ? 0 : found->second;
}

}  // namespace

void WayOverStates::follow(const std::vector<Decision>& up_to_here) {
    for (const Decision& each : up_to_here) {
        if (made_before_.insert(each.epoch).second) {
            Decision& made = made_.emplace_back(each);
            made.epoch.index = static_cast<std::uint32_t>(static_cast<std::int64_t>(each.epoch.index) +
                                                          of_rank(more_before_, each.epoch.rank));
            made.outcome.number = made.outcome.source == base::any_source ? 0 : replay::any_message;
        }
    }
}

void WayOverStates::change_to(const std::vector<Decision>& up_to_there) {
    more_before_ = first_open(made_);
    for (const auto& [rank, index] : first_open(up_to_there)) {
        more_before_[rank] -= index;
    }
    made_before_.clear();
    for (const Decision& each : up_to_there) {
        made_before_.insert(each.epoch);
    }
}

std::vector<Decision> WayOverStates::decisions() const {
    std::vector<Decision> all = made_;
    std::sort(all.begin(), all.end(), replay::by_epoch);
    return all;
}

}  // namespace dampi::scheduler
