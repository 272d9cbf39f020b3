// See causal_depth.hpp.
#include "scheduler/report/causal_depth.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <numeric>
#include <tuple>

namespace dampi::scheduler {
namespace {

/// What happened before the epoch came to its outcome, or was issued if it never did.
const clocks::Clock& past_of(const replay::Epoch& epoch) { return epoch.outcome ? epoch.past : epoch.posted; }

/// Grows along each chain of causes; only one of the two numbers is kept up in a run.
std::tuple<std::uint64_t, std::uint64_t> height(const clocks::Clock& clock) {
    return {clock.vector.size(), clock.lamport.value};
}

template <typename ClockOf>
std::vector<std::size_t> order_by(const std::vector<replay::Epoch>& epochs, const ClockOf& clock_of) {
    std::vector<std::size_t> order(epochs.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return std::tuple(height(clock_of(epochs[a])), epochs[a].id.index, epochs[a].id.rank) <
               std::tuple(height(clock_of(epochs[b])), epochs[b].id.index, epochs[b].id.rank);
    });
    return order;
}

}  // namespace

std::vector<DiagramPlace> diagram_places(const std::vector<replay::Epoch>& epochs) {
    std::vector<DiagramPlace> places(epochs.size());
    const std::vector<std::size_t> by_issue = order_by(epochs, [](const replay::Epoch& each) { return each.posted; });
    const std::vector<std::size_t> by_outcome = order_by(epochs, past_of);
    for (std::size_t i = 0; i < epochs.size(); ++i) {
        places[by_issue[i]].by_issue = static_cast<std::uint32_t>(i);
        places[by_outcome[i]].by_outcome = static_cast<std::uint32_t>(i);
    }
    // Whatever happened before an epoch has its depth already: its past is smaller.
    std::map<replay::EpochId, std::uint32_t> depths;
    std::map<replay::Rank, std::uint32_t> line_ends;
    for (const std::size_t i : by_outcome) {
        const replay::Epoch& epoch = epochs[i];
        std::uint32_t deepest = line_ends[epoch.id.rank];
        std::uint32_t sent_after = 0;
        const bool took_message = epoch.outcome && replay::chooses_message(epoch.kind) && !epoch.outcome->gave_up();
        for (const clocks::VectorClock::Interval& interval : past_of(epoch).vector.intervals()) {
            for (auto known = depths.lower_bound({interval.rank, interval.begin});
                 known != depths.end() && known->first < replay::EpochId{interval.rank, interval.end}; ++known) {
                deepest = std::max(deepest, known->second);
                if (took_message && interval.rank == epoch.outcome->source) {
                    sent_after = std::max(sent_after, known->second);
                }
            }
        }
        places[i].depth = deepest + 1;
        places[i].sent_after = sent_after;
        depths[epoch.id] = places[i].depth;
        line_ends[epoch.id.rank] = places[i].depth;
    }
    return places;
}

}  // namespace dampi::scheduler
