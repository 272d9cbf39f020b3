// See choice_outcomes.hpp.
#include "heuristics/choice_outcomes.hpp"

#include <cstddef>

namespace dampi::heuristics {

using replay::EpochKind;

namespace {

/// Up to this many requests all sets that MPI_Waitsome or MPI_Testsome could report are explored.
constexpr std::size_t most_for_all_subsets = 6;

}  // namespace

ChoiceOutcomes choice_outcomes(EpochKind kind, const std::vector<std::uint32_t>& positions, std::size_t completable) {
    ChoiceOutcomes outcomes;
    const bool some = replay::reports_some(kind);
    if (some && positions.size() <= most_for_all_subsets) {
        for (std::uint32_t set = 1; set < (1U << positions.size()); ++set) {
            std::vector<std::uint32_t>& completed = outcomes.completed.emplace_back();
            for (std::size_t i = 0; i < positions.size(); ++i) {
                if (((set >> i) & 1U) != 0) {
                    completed.push_back(positions[i]);
                }
            }
        }
    } else if (some || replay::reports_one(kind)) {
        for (const std::uint32_t position : positions) {
            outcomes.completed.push_back({position});
        }
        if (some) {
            outcomes.cut = true;
            outcomes.completed.push_back(positions);
        }
    } else if (replay::reports_all(kind) && !positions.empty() && positions.size() == completable) {
        outcomes.completed.push_back(positions);
    }
    return outcomes;
}

}  // namespace dampi::heuristics
