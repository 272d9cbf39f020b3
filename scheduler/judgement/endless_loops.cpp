#include "scheduler/judgement/endless_loops.hpp"

#include "scheduler/judgement/stuck_ranks.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace dampi::scheduler {

std::vector<bool> EndlessLoops::look(const std::vector<RankState>& states, const LoopsForEver& loops, Time now) {
    const bool first = last_.size() != states.size();
    last_.resize(states.size());
    std::vector<bool> away(states.size(), false);
    Time latest{};
    for (std::size_t rank = 0; rank < states.size(); ++rank) {
        const RankState& state = states[rank];
        const std::uint64_t activity = state.calls + state.sequence;  // neither ever falls
        if (first || activity != last_[rank].activity || state.blocked || !live(state)) {
            last_[rank] = {.activity = activity, .since = now};
        }
        if (live(state) && !state.blocked) {
            away[rank] = true;
            latest = std::max(latest, last_[rank].since);
        }
    }
    if (std::find(away.begin(), away.end(), true) == away.end() || now - latest < first_look) {
        next_look_ = first_look;
        return {};
    }
    if (now - latest < next_look_) {
        return {};
    }
    std::vector<RankState> assumed = states;
    for (std::size_t rank = 0; rank < states.size(); ++rank) {
        if (away[rank]) {
            assumed[rank] = without_way_out();
        }
    }
    const std::vector<bool> stuck = stuck_ranks(assumed, Polling::goes_on);
    for (std::size_t rank = 0; rank < states.size(); ++rank) {
        if (live(states[rank]) && !stuck[rank]) {
            return {};
        }
    }
    next_look_ *= 2;
    for (std::size_t rank = 0; rank < states.size(); ++rank) {
        if (away[rank] && !loops(static_cast<base::Rank>(rank), states[rank].idle_threads)) {
            return {};
        }
    }
    since_ = latest;
    return away;
}

}  // namespace dampi::scheduler
