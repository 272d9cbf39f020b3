// What the ranks ask at each nondeterministic operation: "is its outcome decided?" Guided until the
// decisions end, then self run. Reads the decisions that dampi-run placed in the shared area.
#pragma once

#include "base/hash.hpp"
#include "replay/epoch.hpp"
#include "transport/memory/area.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace dampi::piggyback::distributed {

/// The decision for this rank's epoch `index`, or null. After a divergence the rank is left to itself.
inline const transport::memory::DecisionEntry* find_decision(const transport::memory::Area& area, base::Rank rank,
                                                             std::uint32_t index) {
    const auto& header = area.rank(rank);
    const auto* begin = area.decisions() + header.decisions_begin;
    const auto* end = area.decisions() + header.decisions_end;
    const auto* found = std::lower_bound(
        begin, end, index,
        [](const transport::memory::DecisionEntry& entry, std::uint32_t wanted) { return entry.index < wanted; });
    return found != end && found->index == index ? found : nullptr;
}

/// Which of `count` possibilities a free epoch takes in a run whose free matches are random. The same seed and epoch
/// give the same answer for the same count.
inline std::size_t free_pick(std::uint64_t seed, replay::EpochId epoch, std::size_t count) {
    const std::uint64_t random = base::Hash(seed).add(static_cast<std::uint64_t>(epoch.rank)).add(epoch.index).value();
    return static_cast<std::size_t>(random % count);
}

}  // namespace dampi::piggyback::distributed
