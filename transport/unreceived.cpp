#include "transport/unreceived.hpp"

#include <algorithm>
#include <map>

namespace dampi::transport {

std::vector<Unreceived> unreceived(std::uint32_t processes, const std::vector<PostedReceive>& posted,
                                   const OpenFrom& for_each_open) {
    std::map<base::PostingOrder, base::ReceiveSpec> pending;
    for (const PostedReceive& receive : posted) {
        pending.emplace(receive.order, receive.spec);
    }
    std::vector<Unreceived> left;
    for (base::Rank source = 0; source < static_cast<base::Rank>(processes); ++source) {
        for_each_open(source, [&](const Envelope& envelope) {
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

}  // namespace dampi::transport
