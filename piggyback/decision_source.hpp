// What the ranks ask at each nondeterministic operation: "is its outcome decided?" Guided until the
// decisions end, then self run. Reads the decisions that dampi-run placed in the shared area.
#pragma once

#include "replay/area/area.hpp"
#include "replay/epoch.hpp"
#include "replay/hash.hpp"

#include <algorithm>
#include <cstddef>
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

/// Which of `count` possibilities a free epoch takes in a run whose free matches are random. The same seed and epoch
/// give the same answer for the same count.
inline std::size_t free_pick(std::uint64_t seed, replay::EpochId epoch, std::size_t count) {
    const std::uint64_t random =
        replay::Hash(seed).add(static_cast<std::uint64_t>(epoch.rank)).add(epoch.index).value();
    return static_cast<std::size_t>(random % count);
}

}  // namespace dampi::piggyback
