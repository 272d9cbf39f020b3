// What each rank did differently in two runs, call by call: for people who look at one that fails beside one that
// passes. Pure.
#pragma once

#include "replay/call_event.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace dampi::scheduler {

/// From the first of its calls on that is another one, or has come to something else.
struct CallDifference {
    replay::Rank rank = 0;
    std::uint64_t same = 0;              ///< calls before that are the same in both
    std::vector<std::uint32_t> failing;  ///< places in the list of calls
    std::vector<std::uint32_t> passing;
    std::uint64_t failing_omitted = 0;  ///< so many more than are listed
    std::uint64_t passing_omitted = 0;
};

/// Calls of a rank that are listed on either side.
inline constexpr std::size_t most_different_calls = 60;

/// Of the ranks that did something differently: first the one that did so first in the run that fails, last those that
/// were only kept from going on there; otherwise by rank. Both lists are sorted by name.
[[nodiscard]] std::vector<CallDifference> call_differences(const std::vector<replay::CallEvent>& failing,
                                                           const std::vector<replay::CallEvent>& passing);

}  // namespace dampi::scheduler
