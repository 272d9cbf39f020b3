#include "scheduler/judgement/kept_epochs.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace dampi::scheduler {

std::uint64_t share_of_each(std::vector<std::uint64_t> wanted, std::uint64_t most) {
    std::sort(wanted.begin(), wanted.end());
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        const std::uint64_t share = most / (wanted.size() - i);
        if (wanted[i] > share) {
            return share;
        }
        most -= wanted[i];
    }
    return wanted.empty() ? most : wanted.back();
}

void keep_closed(replay::RunRecord& record) {
    if (record.omitted.empty()) {
        return;
    }
    const auto first = std::min_element(record.omitted.begin(), record.omitted.end(),
                                        [](const auto& a, const auto& b) { return a.second.clock < b.second.clock; });
    const clocks::LamportClock earliest = first->second.clock;
    const auto is_kept = [&](const clocks::Clock& past) {
        if (record.protocol == clocks::Protocol::lamport) {
            return past.lamport <= earliest;
        }
        return std::all_of(record.omitted.begin(), record.omitted.end(),
                           [&](const auto& each) { return past.vector.known_end(each.first) <= each.second.from; });
    };
    std::erase_if(record.epochs, [&](const replay::Epoch& epoch) {
        return !is_kept(epoch.posted) || (epoch.outcome && !is_kept(epoch.past));
    });
    const auto keep = [&](auto& potential_matches, auto& completable) {
        std::erase_if(potential_matches, [&](const replay::PotentialMatch& match) { return !is_kept(match.past); });
        std::erase_if(completable, [&](const replay::Completable& each) { return !is_kept(each.known); });
    };
    for (replay::Epoch& epoch : record.epochs) {
        keep(epoch.potential_matches, epoch.completable);
        for (replay::OtherPoll& other : epoch.others) {
            keep(other.potential_matches, other.completable);
        }
    }
}

}  // namespace dampi::scheduler
