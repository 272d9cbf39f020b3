#include "scheduler/supervision/livelock.hpp"

#include "scheduler/supervision/stuck_ranks.hpp"

#include <algorithm>
#include <cstddef>

namespace dampi::scheduler {
namespace {

/// Fewer are no reason to believe that they will not stop.
constexpr std::uint64_t least_false_answers = 1000;
/// Of the false answers, so many percent are to be followed by the next question at once.
constexpr std::uint64_t least_idle_percent = 90;

bool does_nothing_but_poll(const RankState& before, const RankState& state) {
    const std::uint64_t answers = state.false_answers - before.false_answers;
    const std::uint64_t idle = state.idle_false_answers - before.idle_false_answers;
    return answers >= least_false_answers && idle * 100 >= answers * least_idle_percent;
}

/// A picture of a rank for which nobody can do anything.
RankState without_way_out() {
    RankState state;
    state.blocked = true;
    state.waits.emplace_back();
    return state;
}

}  // namespace

bool Livelock::something_has_happened(const std::vector<RankState>& states) const {
    for (std::size_t rank = 0; rank < states.size(); ++rank) {
        if (begin_.size() != states.size() || live(states[rank]) != live(begin_[rank]) ||
            states[rank].traffic != begin_[rank].traffic) {
            return true;
        }
    }
    return false;
}

bool Livelock::look(const std::vector<RankState>& states, Time now) {
    sequences_.resize(states.size(), 0);
    still_since_.resize(states.size(), now);
    for (std::size_t rank = 0; rank < states.size(); ++rank) {
        if (states[rank].sequence != sequences_[rank]) {
            sequences_[rank] = states[rank].sequence;
            still_since_[rank] = now;
        }
    }
    if (something_has_happened(states)) {
        begin_ = states;
        since_ = now;
        return false;
    }
    if (now - since_ < limit_) {
        return false;
    }
    std::vector<RankState> assumed = states;
    polling_.assign(states.size(), false);
    for (std::size_t rank = 0; rank < states.size(); ++rank) {
        if (live(states[rank]) && does_nothing_but_poll(begin_[rank], states[rank])) {
            polling_[rank] = true;
            assumed[rank] = without_way_out();
        } else if (live(states[rank]) && now - still_since_[rank] < limit_) {
            return false;
        }
    }
    const std::vector<bool> stuck = stuck_ranks(assumed, Polling::goes_on);
    for (std::size_t rank = 0; rank < states.size(); ++rank) {
        if (live(states[rank]) && !stuck[rank]) {
            return false;
        }
    }
    return std::find(polling_.begin(), polling_.end(), true) != polling_.end();
}

}  // namespace dampi::scheduler
