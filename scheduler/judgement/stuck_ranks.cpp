#include "scheduler/judgement/stuck_ranks.hpp"

#include <algorithm>
#include <cstddef>

namespace dampi::scheduler {
namespace {

/// Whether somebody outside the set may bring what is waited for.
bool may_come(const std::vector<RankState>& states, const std::vector<bool>& stuck, const Wait& wait) {
    return wait.may_be_satisfied || std::any_of(wait.providers.begin(), wait.providers.end(), [&](base::Rank provider) {
               const auto index = static_cast<std::size_t>(provider);
               return live(states[index]) && !stuck[index];
           });
}

bool may_go_on(const std::vector<RankState>& states, const std::vector<bool>& stuck, const RankState& state) {
    if (state.sleeps_until) {
        return false;  // where that counts at all
    }
    const auto comes = [&](const Wait& wait) { return may_come(states, stuck, wait); };
    return state.any ? std::any_of(state.waits.begin(), state.waits.end(), comes)
                     : std::all_of(state.waits.begin(), state.waits.end(), comes);
}

}  // namespace

RankState without_way_out() {
    RankState state;
    state.blocked = true;
    state.waits.emplace_back();
    return state;
}

std::vector<bool> stuck_ranks(const std::vector<RankState>& states, Polling polling) {
    std::vector<bool> stuck;
    for (const RankState& state : states) {
        const bool sleeps = state.sleeps_until.has_value();
        stuck.push_back(live(state) && state.blocked && !state.foreign && (sleeps || !state.waits.empty()) &&
                        (polling == Polling::waits || (!state.polls && !sleeps)));
    }
    // Each pass runs against the direction of the last one, so that chains of either direction fall in few passes.
    for (bool changed = true, upwards = true; changed; upwards = !upwards) {
        changed = false;
        for (std::size_t i = 0; i < states.size(); ++i) {
            const std::size_t rank = upwards ? i : states.size() - 1 - i;
            if (stuck[rank] && may_go_on(states, stuck, states[rank])) {
                stuck[rank] = false;
                changed = true;
            }
        }
    }
    return stuck;
}

std::vector<bool> stuck_whoever_died(std::vector<RankState> states, Polling polling) {
    for (RankState& state : states) {
        if (!state.alive && !state.finalized) {
            state.alive = true;
            state.blocked = false;
        }
    }
    return stuck_ranks(states, polling);
}

}  // namespace dampi::scheduler
