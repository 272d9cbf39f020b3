#include "transport/memory/posted_receives.hpp"

#include <algorithm>
#include <atomic>

namespace dampi::transport::memory {

std::uint64_t posted_places(const Area& area, base::Rank rank) {
    return std::min(area.rank(rank).posted_high.load(std::memory_order_acquire), posted_capacity);
}

void for_each_posted_receive(const Area& area, base::Rank rank, std::uint64_t most,
                             const std::function<bool(const PostedReceive&)>& visit) {
    const std::uint64_t places = std::min(posted_places(area, rank), most);
    for (std::uint64_t i = 0; i < places; ++i) {
        const PostedSlot& slot = area.posted(rank, i);
        if (slot.state.load(std::memory_order_acquire) != PostedState::pending) {
            continue;
        }
        const PostedReceive receive{.spec = {.comm = slot.comm, .source = slot.source, .tag = slot.tag},
                                    .epoch = slot.epoch,
                                    .order = slot.order,
                                    .site = slot.site,
                                    .posted_clock = slot.posted_clock,
                                    .posted_at = slot.posted_at,
                                    .oldest_pending = slot.oldest_pending,
                                    .forced = slot.forced};
        std::atomic_thread_fence(std::memory_order_acquire);
        const bool is_whole =
            slot.state.load(std::memory_order_acquire) == PostedState::pending && slot.order == receive.order;
        if (is_whole && !visit(receive)) {
            return;
        }
    }
}

}  // namespace dampi::transport::memory
