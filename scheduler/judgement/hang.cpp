#include "scheduler/judgement/hang.hpp"

#include <cstddef>

namespace dampi::scheduler {

std::vector<bool> Hang::look(const std::vector<RankState>& states, Time now) {
    std::vector<bool> hung(states.size(), false);
    bool any = false;
    const bool first = last_.empty();
    last_.resize(states.size());
    for (std::size_t rank = 0; rank < states.size(); ++rank) {
        const RankState& state = states[rank];
        const std::uint64_t activity = state.calls + state.sequence;  // neither ever falls
        const bool known_to_wait = state.blocked && !state.foreign;
        if (first || activity != last_[rank].activity || known_to_wait || !state.alive) {
            last_[rank] = {.activity = activity, .since = now};
        } else if (now - last_[rank].since >= limit_) {
            hung[rank] = any = true;
        }
    }
    return any ? hung : std::vector<bool>{};
}

}  // namespace dampi::scheduler
