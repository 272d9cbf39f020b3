#include "piggyback/rank/freed_requests.hpp"

#include "piggyback/rank/errors/errors.hpp"
#include "piggyback/rank/layer.hpp"

namespace dampi::piggyback {

void note_freed(const Call& call, const Request& request, FreedMessage what) noexcept {
    if (!request.active || request.freed || request.told || request.cancel_called) {
        return;
    }
    const transport::OtherCallFields maker{
        .call = request.function, .detail = "made the request", .site = request.site};
    if (what == FreedMessage::receive) {
        note_misuse(call, replay::ViolationKind::request_freed,
                    "the request of a pending receive: nothing will tell when the message is there", maker);
    } else if (Layer::current()->warns_unusual) {
        note_misuse(call, replay::ViolationKind::unusual,
                    "the request of a pending send: only another message can tell when its buffer is free", maker);
    }
}

}  // namespace dampi::piggyback
