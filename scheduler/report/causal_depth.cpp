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

/// The depths of a rank's epochs that have theirs, by index.
class Line {
public:
    void add(std::uint32_t index, std::uint32_t depth) {
        const auto at = std::lower_bound(indices_.begin(), indices_.end(), index) - indices_.begin();
        indices_.insert(indices_.begin() + at, index);
        depths_.insert(depths_.begin() + at, depth);
        deepest_up_to_.insert(deepest_up_to_.begin() + at, 0);
        for (auto i = static_cast<std::size_t>(at); i < depths_.size(); ++i) {  // at the end, but for a few
            deepest_up_to_[i] = i == 0 ? depths_[i] : std::max(depths_[i], deepest_up_to_[i - 1]);
        }
    }

    /// Of those begin <= index < end; 0 where there is none. Quick where `begin` leaves none out.
    [[nodiscard]] std::uint32_t deepest(std::uint32_t begin, std::uint32_t end) const {
        const auto first = std::lower_bound(indices_.begin(), indices_.end(), begin) - indices_.begin();
        const auto last = std::lower_bound(indices_.begin() + first, indices_.end(), end) - indices_.begin();
        if (first == last) {
            return 0;
        }
        return first == 0 ? deepest_up_to_[static_cast<std::size_t>(last) - 1]
                          : *std::max_element(depths_.begin() + first, depths_.begin() + last);
    }

    [[nodiscard]] std::uint32_t end() const { return deepest_up_to_.empty() ? 0 : deepest_up_to_.back(); }

private:
    std::vector<std::uint32_t> indices_;  // sorted
    std::vector<std::uint32_t> depths_;
    std::vector<std::uint32_t> deepest_up_to_;
};

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
    std::map<replay::Rank, Line> lines;
    std::uint32_t below = 0;  // deepest of all with a lower Lamport clock
    std::uint32_t so_far = 0;
    clocks::LamportClock now;
    for (const std::size_t i : by_outcome) {
        const replay::Epoch& epoch = epochs[i];
        const clocks::Clock& past = past_of(epoch);
        if (now < past.lamport) {
            now = past.lamport;
            below = so_far;
        }
        std::uint32_t deepest = std::max(lines[epoch.id.rank].end(), below);
        std::uint32_t sent_after = 0;
        const bool took_message = epoch.outcome && replay::chooses_message(epoch.kind) && !epoch.outcome->gave_up();
        for (const clocks::VectorClock::Interval& interval : past.vector.intervals()) {
            const std::uint32_t known = lines[interval.rank].deepest(interval.begin, interval.end);
            deepest = std::max(deepest, known);
            if (took_message && interval.rank == epoch.outcome->source) {
                sent_after = std::max(sent_after, known);
            }
        }
        places[i].depth = deepest + 1;
        places[i].sent_after = sent_after;
        so_far = std::max(so_far, places[i].depth);
        lines[epoch.id.rank].add(epoch.id.index, places[i].depth);
    }
    return places;
}

}  // namespace dampi::scheduler
