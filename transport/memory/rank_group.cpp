#include "transport/memory/rank_group.hpp"

#include <algorithm>
#include <atomic>

namespace dampi::transport::memory {

Offset publish_group(const Area& area, Slab& slab, std::span<const base::Rank> ranks) {
    const Offset offset = slab.allocate(sizeof(RankGroup) + ranks.size_bytes());
    auto& group = area.at<RankGroup>(offset);
    group.count = ranks.size();
    std::copy(ranks.begin(), ranks.end(), reinterpret_cast<base::Rank*>(&group + 1));
    return offset;
}

std::optional<std::vector<base::Rank>> read_group(const Area& area, base::Rank owner, Offset offset) {
    auto* group = area.checked<RankGroup>(owner, offset);
    if (group == nullptr) {
        return std::nullopt;
    }
    // Once: the rank may overwrite it between the check and the use.
    const std::uint64_t count = std::atomic_ref(group->count).load(std::memory_order_relaxed);
    if (count > area.processes() || area.slab_end(owner) - offset < sizeof(RankGroup) + sizeof(base::Rank) * count) {
        return std::nullopt;
    }
    const auto* first = reinterpret_cast<const base::Rank*>(group + 1);
    std::vector<base::Rank> ranks(first, first + count);
    const auto is_rank = [&](base::Rank rank) { return rank >= 0 && rank < static_cast<base::Rank>(area.processes()); };
    if (!std::all_of(ranks.begin(), ranks.end(), is_rank)) {
        return std::nullopt;
    }
    return ranks;
}

}  // namespace dampi::transport::memory
