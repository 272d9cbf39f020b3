#include "scheduler/judgement/hang.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>

namespace dampi::scheduler {

void Hang::look_whether_stopped(LastSeen& last, const launch::ProcessorTime& processor, Time now) {
    // Who looks may have been stopped himself in between, together with the ranks.
    constexpr std::chrono::nanoseconds most_between_looks = std::chrono::seconds(1);
    const bool still = last.is_stopped && processor.is_stopped;
    last.stopped = still ? last.stopped + std::min<std::chrono::nanoseconds>(now - last.looked, most_between_looks)
                         : std::chrono::nanoseconds(0);
    last.is_stopped = processor.is_stopped;
    last.looked = now;
}

std::vector<bool> Hang::stopped() const {
    std::vector<bool> all;
    std::transform(last_.begin(), last_.end(), std::back_inserter(all),
                   [](const LastSeen& each) { return each.is_stopped; });
    return all;
}

std::vector<bool> Hang::look(const std::vector<RankState>& states, const ProcessorTimeOf& processor_time, Time now) {
    constexpr std::chrono::milliseconds soon{500};
    constexpr std::chrono::milliseconds between_looks{100};
    std::vector<bool> hung(states.size(), false);
    bool any = false;
    bool others_follow = false;
    std::chrono::nanoseconds longest{0};
    suspects_ = false;
    const bool first = last_.empty();
    last_.resize(states.size());
    for (std::size_t rank = 0; rank < states.size(); ++rank) {
        const RankState& state = states[rank];
        const std::uint64_t activity = state.calls + state.sequence;  // neither ever falls
        const bool known_to_wait = state.blocked && !state.foreign;
        if (first || activity != last_[rank].activity || known_to_wait || !state.alive) {
            last_[rank] = {};
            last_[rank].activity = activity;
            last_[rank].since = now;
            continue;
        }
        LastSeen& last = last_[rank];
        const auto away = now - last.since;
        if (away >= std::min(soon, limit_) && (!last.begin || away >= limit_ || now - last.looked >= between_looks)) {
            const launch::ProcessorTime processor = processor_time(static_cast<base::Rank>(rank));
            if (!last.begin) {
                last.begin = {.at = now, .processor = processor};
            }
            last.processor = processor;
            look_whether_stopped(last, processor, now);
        }
        if (away < limit_) {
            others_follow = others_follow || away >= limit_ / 2;
            continue;
        }
        const Measured& begin = *last.begin;
        const auto had = launch::time_had(begin.processor, last.processor, now - begin.at);
        const std::chrono::nanoseconds in_all = last.is_stopped ? last.stopped : begin.at - last.since + had;
        if (in_all >= limit_) {
            hung[rank] = any = true;
            longest = std::max(longest, in_all);
        } else {
            suspects_ = others_follow = true;
        }
    }
    if (any && others_follow && longest < 2 * limit_) {
        suspects_ = true;
        return {};
    }
    return any ? hung : std::vector<bool>{};
}

}  // namespace dampi::scheduler
