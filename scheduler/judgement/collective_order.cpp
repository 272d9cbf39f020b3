#include "scheduler/judgement/collective_order.hpp"

#include <algorithm>
#include <deque>
#include <optional>

namespace dampi::scheduler {
namespace {

using base::Rank;

/// The collective's number and who is needed for it and is not there.
struct Need {
    OrderStep step;
    Rank missing = 0;
};

/// What a rank needs without an alternative.
std::vector<Need> needs_of(const std::vector<RankState>& states, Rank rank) {
    const RankState& state = states[static_cast<std::size_t>(rank)];
    if (!state.alive || state.finalized || !state.blocked || state.polls || (state.any && state.waits.size() != 1)) {
        return {};
    }
    std::vector<Need> needs;
    for (const Wait& wait : state.waits) {
        const Rank missing = wait.providers.size() == 1 ? wait.providers.front() : wait.peer;
        if (wait.kind == transport::WaitKind::collective && !wait.may_be_satisfied && wait.providers.size() <= 1 &&
            missing >= 0 && missing < static_cast<Rank>(states.size()) && missing != rank) {
            needs.push_back({.step = {.rank = rank, .comm = wait.comm, .sequence = wait.number}, .missing = missing});
        }
    }
    return needs;
}

/// The shortest cycle from `start` through ranks that are not lower.
std::vector<OrderStep> shortest_cycle(const std::vector<std::vector<Need>>& needs, Rank start) {
    std::vector<std::optional<OrderStep>> reached_by(needs.size());
    std::deque<Rank> next{start};
    while (!next.empty()) {
        const Rank rank = next.front();
        next.pop_front();
        for (const Need& need : needs[static_cast<std::size_t>(rank)]) {
            if (need.missing == start) {
                std::vector<OrderStep> cycle{need.step};
                while (cycle.back().rank != start) {
                    cycle.push_back(*reached_by[static_cast<std::size_t>(cycle.back().rank)]);
                }
                std::reverse(cycle.begin(), cycle.end());
                return cycle;
            }
            auto& known = reached_by[static_cast<std::size_t>(need.missing)];
            if (need.missing > start && !known) {
                known = need.step;
                next.push_back(need.missing);
            }
        }
    }
    return {};
}

}  // namespace

std::vector<OrderStep> find_collective_order(const std::vector<RankState>& states) {
    std::vector<std::vector<Need>> needs;
    for (std::size_t rank = 0; rank < states.size(); ++rank) {
        needs.push_back(needs_of(states, static_cast<Rank>(rank)));
    }
    std::vector<OrderStep> best;
    for (std::size_t rank = 0; rank < states.size() && best.size() != 2; ++rank) {
        std::vector<OrderStep> cycle = shortest_cycle(needs, static_cast<Rank>(rank));
        const bool several = std::any_of(cycle.begin(), cycle.end(),
                                         [&](const OrderStep& step) { return step.comm != cycle.front().comm; });
        if (several && (best.empty() || cycle.size() < best.size())) {
            best = std::move(cycle);
        }
    }
    return best;
}

}  // namespace dampi::scheduler
