#include "replay/area/rank_group.hpp"

#include <algorithm>
#include <atomic>

namespace dampi::replay::area {

Offset publish_group(const Area& area, Slab& slab, std::span<const clocks::Rank> ranks) {
    const Offset offset = slab.allocate(sizeof(RankGroup) + ranks.size_bytes());
    auto& group = area.at<RankGroup>(offset);
    group.count = ranks.size();
    std::copy(ranks.begin(), ranks.end(), reinterpret_cast<clocks::Rank*>(&group + 1));
    return offset;
}

std::optional<std::vector<clocks::Rank>> read_group(const Area& area, clocks::Rank owner, Offset offset) {
    auto* group = area.checked<RankGroup>(owner, offset);
    if (group == nullptr) {
        return std::nullopt;
    }
    // Once: the rank may overwrite it between the check and the use.
    const std::uint64_t count = std::atomic_ref(group->count).load(std::memory_order_relaxed);
    if (count > area.processes() || area.slab_end(owner) - offset < sizeof(RankGroup) + sizeof(clocks::Rank) * count) {
        return std::nullopt;
    }
    const auto* first = reinterpret_cast<const clocks::Rank*>(group + 1);
    std::vector<clocks::Rank> ranks(first, first + count);
    const auto is_rank = [&](clocks::Rank rank) {
        return rank >= 0 && rank < static_cast<clocks::Rank>(area.processes());
    };
    if (!std::all_of(ranks.begin(), ranks.end(), is_rank)) {
        return std::nullopt;
    }
    return ranks;
}

}  // namespace dampi::replay::area
