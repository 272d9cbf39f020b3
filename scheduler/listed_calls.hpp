// The calls of a run that shows a finding, from where its choices were made, and the calls of the nearest run that
// passes: for people who look at the two, never part of a verdict. Plain values.
#pragma once

#include "replay/call_event.hpp"
#include "replay/epoch.hpp"
#include "replay/members.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace dampi::scheduler {

struct ListedCalls {
    std::vector<replay::CallEvent> failing;  ///< sorted by name; empty: they are not known
    std::vector<replay::CallEvent> passing;  ///< likewise
    std::uint64_t passing_number = 0;        ///< of the interleaving that passes, where its calls are known
    std::string why_not = {};                ///< a clause: why calls of one of them are not known, though wanted
    /// By place in the finding's epochs: the call stack of each, innermost first. An empty one, and what is behind the
    /// last: not known.
    std::vector<std::vector<replay::CodePlace>> choice_stacks = {};

    template <typename Archive>
    void serialize(Archive& archive, unsigned /*version*/) {
        replay::members(archive, failing, passing, passing_number, why_not, choice_stacks);
    }
};

/// So many calls are listed at most, of all findings and runs together.
inline constexpr std::size_t most_listed_calls = 20'000;

}  // namespace dampi::scheduler
