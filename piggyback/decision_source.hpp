// What the ranks ask at each nondeterministic operation: "is its outcome decided?" Guided until the
// decisions end, then self run. Reads the decisions that dampi-run placed in the shared area.
#pragma once

#include "replay/area/area.hpp"
#include "replay/epoch.hpp"

#include <algorithm>
#include <cstdint>

namespace dampi::piggyback {

/// The decision for this rank's epoch `index`, or null. After a divergence the rank is left to itself.
inline const replay::area::DecisionEntry* find_decision(const replay::area::Area& area, clocks::Rank rank,
                                                        std::uint32_t index) {
    const auto& header = area.rank(rank);
    const auto* begin = area.decisions() + header.decisions_begin;
    const auto* end = area.decisions() + header.decisions_end;
    const auto* found = std::lower_bound(
        begin, end, index,
        [](const replay::area::DecisionEntry& entry, std::uint32_t wanted) { return entry.index < wanted; });
    return found != end && found->index == index ? found : nullptr;
}

}  // namespace dampi::piggyback
