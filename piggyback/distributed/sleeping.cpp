#include "piggyback/distributed/sleeping.hpp"

#include "piggyback/distributed/layer.hpp"
#include "piggyback/distributed/progress.hpp"
#include "piggyback/distributed/waiting.hpp"
#include "piggyback/rank/call.hpp"
#include "replay/sleeping_patience.hpp"

namespace dampi::piggyback::distributed {

void wait_until(transport::VirtualTime until, std::chrono::nanoseconds duration) noexcept {
    static std::chrono::nanoseconds in_vain{0};  // only one thread sleeps like this
    DistributedLayer& layer = *DistributedLayer::current();
    const Call call("sleep");
    Waiting waiting(layer, call, [&](WaitDescription& description) {
        description.add({.kind = transport::WaitKind::time, .number = until});
    });
    waiting.is_long();
    const auto begin = std::chrono::steady_clock::now();
    const auto patience = duration + replay::sleeping_patience(in_vain);
    while (layer.port.granted() < until) {
        if (std::chrono::steady_clock::now() - begin >= patience) {
            in_vain += patience - duration;
            return;
        }
        make_progress();
        waiting.pause();
    }
}

}  // namespace dampi::piggyback::distributed
