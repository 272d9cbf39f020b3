#include "scheduler/judgement/hang.hpp"

#include <algorithm>
#include <cstddef>

namespace dampi::scheduler {

std::vector<bool> Hang::look(const std::vector<RankState>& states, const ProcessorTimeOf& processor_time, Time now) {
    constexpr std::chrono::milliseconds soon{500};
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
            last_[rank] = {.activity = activity, .since = now, .begin = {}};
            continue;
        }
        LastSeen& last = last_[rank];
        const auto away = now - last.since;
        if (!last.begin && away >= std::min(soon, limit_)) {
            last.begin = {.at = now, .processor = processor_time(static_cast<base::Rank>(rank))};
        }
        if (away < limit_) {
            others_follow = others_follow || away >= limit_ / 2;
            continue;
        }
        const Measured& begin = *last.begin;
        const auto had =
            launch::time_had(begin.processor, processor_time(static_cast<base::Rank>(rank)), now - begin.at);
        const std::chrono::nanoseconds in_all = begin.at - last.since + had;
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
