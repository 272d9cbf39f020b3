#include "transport/memory/unreceived.hpp"

#include "transport/memory/layout.hpp"

#include <algorithm>
#include <atomic>
#include <map>

namespace dampi::transport::memory {
namespace {

std::map<base::PostingOrder, base::ReceiveSpec> pending_receives(const Area& area, base::Rank rank) {
    std::map<base::PostingOrder, base::ReceiveSpec> pending;
    const std::uint64_t used = std::min(area.rank(rank).posted_high.load(std::memory_order_acquire), posted_capacity);
    for (std::uint64_t i = 0; i < used; ++i) {
        const PostedSlot& slot = area.posted(rank, i);
        if (slot.state.load(std::memory_order_acquire) == PostedState::pending) {
            pending.emplace(slot.order, base::ReceiveSpec{.comm = slot.comm, .source = slot.source, .tag = slot.tag});
        }
    }
    return pending;
}

}  // namespace

std::vector<Unreceived> unreceived(const Area& area, base::Rank destination) {
    std::vector<Unreceived> left;
    auto pending = pending_receives(area, destination);
    for (base::Rank source = 0; source < static_cast<base::Rank>(area.processes()); ++source) {
        for_each_open_envelope(area, source, destination, [&](const Envelope& envelope) {
            const auto taker = std::find_if(pending.begin(), pending.end(), [&](const auto& each) {
                return each.second.fits(envelope.comm, source, envelope.tag);
            });
            if (taker != pending.end()) {
                pending.erase(taker);
            } else if (!envelope.cancelled) {
                left.push_back({.source = source, .envelope = envelope});
            }
        });
    }
    return left;
}

}  // namespace dampi::transport::memory
