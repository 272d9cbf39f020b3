#include "piggyback/rank/threads/two_calls.hpp"

#include "piggyback/rank/code_places.hpp"
#include "piggyback/rank/layer.hpp"
#include "piggyback/rank/python_places.hpp"
#include "transport/log.hpp"

namespace dampi::piggyback {

void log_two_calls(Layer& layer, replay::ViolationKind kind, const PlacedCall& call, const std::string& message,
                   const PlacedCall& other, const char* what) {
    log_python_places(layer);
    if (!is_logged_place(call.site) || !is_logged_place(other.site)) {
        log_modules(layer);
    }
    layer.log.append(
        transport::ViolationRecord{.kind = replay::number_of(kind),
                                   .message = message,
                                   .call = call.function,
                                   .detail = "in another thread",
                                   .site = call.site,
                                   .others = {{{.call = other.function, .detail = what, .site = other.site}}}});
}

}  // namespace dampi::piggyback
