#include "piggyback/distributed/matching/cancelled_receives.hpp"

#include "piggyback/distributed/layer.hpp"

#include <vector>

namespace dampi::piggyback::distributed {
namespace {

/// Whether the message was sent by someone who knew that the receive had been cancelled.
bool knows(const DistributedLayer& layer, const clocks::Clock& clock, const CancelledReceive& receive) {
    return layer.clocks.protocol() == clocks::Protocol::vector ? clock.vector.knows(layer.rank(), receive.epoch)
                                                               : !(clock.lamport < receive.after->clock.lamport);
}

}  // namespace

void check_cancelled(DistributedLayer& layer, const clocks::IncomingMessage& message, base::PostingOrder taken_by) {
    std::erase_if(layer.cancelled, [&](const CancelledReceive& receive) {
        if (receive.order > taken_by || !receive.spec.fits(message.name.comm, message.name.source, message.tag) ||
            knows(layer, message.clock, receive)) {
            return false;
        }
        layer.count_not_modelled(raced_cancel);
        return true;
    });
}

void check_cancelled_at_end(DistributedLayer& layer) {
    for (base::Rank source = 0; source < layer.size() && !layer.cancelled.empty(); ++source) {
        layer.port.for_each_open(source, [&](const transport::Envelope& envelope) {
            check_cancelled(layer,
                            {.name = {source, envelope.comm, envelope.number},
                             .tag = envelope.tag,
                             .clock = layer.port.clock_of(source, envelope.clock)},
                            clocks::never_taken);
        });
    }
}

}  // namespace dampi::piggyback::distributed
