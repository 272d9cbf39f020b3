// The centralized engine's library as every rank's parts see it.
#include "piggyback/central/central_engine.hpp"

#include "piggyback/central/rank_side.hpp"
#include "piggyback/central/wrapping.hpp"
#include "piggyback/rank/engine.hpp"
#include "piggyback/rank/layer.hpp"
#include "piggyback/rank/lifecycle/environment.hpp"
#include "piggyback/rank/touches/touch_findings.hpp"
#include "replay/unseen_calls.hpp"

namespace dampi::piggyback::central {
namespace {

Core* make_layer(transport::RankPort& port) {
    return new Layer(port);  // lives until the process ends
}

void attach() {
    if (const char* path = find_variable(transport::requests::environment_variable)) {
        central::attach(path);
        remove_variable(transport::requests::environment_variable);
    }
}

void detach(transport::memory::KeptMappings& kept) noexcept {
    if (RankSide* side = RankSide::current()) {
        side->exchange.file().leave_to(kept);
    }
}

void enters_call(const Call& call) noexcept {
    Layer& layer = *Layer::current();
    if (call.wrapped() != nullptr) {
        layer.freed_receives.enters_call(layer.pending_buffers, call.wrapped()->name);
    }
    RankSide* const side = RankSide::current();
    if (side != nullptr && call.wrapped() != nullptr && call.wrapped()->makes_objects) [[unlikely]] {
        side->history.note_objects(call);
    }
}

void leaves_call() noexcept {
    if (Layer& layer = *Layer::current(); layer.checks_buffers) [[unlikely]] {
        guard_pending(layer, false);
    }
}

void wait_until(transport::VirtualTime until, std::chrono::nanoseconds duration) noexcept {
    RankSide::current()->ask(
        Call("sleep"),
        transport::requests::SleepCall{.until = until, .duration = static_cast<std::uint64_t>(duration.count())});
}

/// MPI itself knows nothing of this run, so a call that reaches it might wait for ever.
void loads_past_layer() noexcept {
    if (RankSide::current() != nullptr) {
        refuse(Call(replay::calls_past_the_layer));
    }
}

}  // namespace
}  // namespace dampi::piggyback::central

namespace dampi::piggyback {

using namespace central;

const Engine engine{.make_layer = make_layer,
                    .attach = attach,
                    .detach = detach,
                    .initialise_alone = central::initialise_alone,
                    .enters_call = enters_call,
                    .leaves_call = leaves_call,
                    .wait_until = wait_until,
                    .loads_past_layer = loads_past_layer,
                    .exits = central::exits};

}  // namespace dampi::piggyback
