// What a choice among requests may report, given which of them can have completed: the one place that says so, for the
// exploration of all outcomes as for estimates of their number.
#pragma once

#include "replay/epoch.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace dampi::heuristics {

struct ChoiceOutcomes {
    std::vector<std::vector<std::uint32_t>> completed;  ///< each is a replay::Outcome::completed
    bool cut = false;                                   ///< there are more, which are not explored
};

/// `positions`: the requests that can have completed, ascending, of the `completable` that have at any time. Kinds that
/// report everything at once need all of these.
[[nodiscard]] ChoiceOutcomes choice_outcomes(replay::EpochKind kind, const std::vector<std::uint32_t>& positions,
                                             std::size_t completable);

}  // namespace dampi::heuristics
