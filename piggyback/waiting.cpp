#include "piggyback/waiting.hpp"

#include "piggyback/matching/matching.hpp"
#include "piggyback/thread_lock.hpp"

#include <cstring>

#include <sched.h>
#include <unistd.h>

namespace dampi::piggyback {

using replay::area::Activity;
using replay::area::BlockedState;
using replay::area::WaitItem;
using replay::area::WaitKind;

void WaitDescription::add(const Request& request) {
    if (!request.active) {
        return;
    }
    const clocks::CommId comm = request.communicator == nullptr ? 0 : request.communicator->id;
    switch (request.kind) {
    case RequestKind::receive:
        add({.kind = WaitKind::receive,
             .forced = static_cast<std::uint8_t>(request.posting.forced != clocks::any_source),
             .peer = request.posting.forced != clocks::any_source ? request.posting.forced : request.posting.spec.source,
             .tag = request.posting.spec.tag,
             .comm = comm,
             .number = 0});
        break;
    case RequestKind::send:
        add({.kind = WaitKind::send, .forced = 0, .peer = request.outgoing.destination, .tag = request.tag, .comm = comm,
             .number = request.outgoing.number});
        break;
    case RequestKind::collective:
        add({.kind = WaitKind::collective, .forced = 0, .peer = clocks::any_source, .tag = 0, .comm = comm,
             .number = request.sequence});
        break;
    }
}

namespace waiting_detail {

void begin_publishing(Layer& layer, const Call& call) {
    BlockedState& state = layer.header().blocked;
    state.sequence.store(state.sequence.load(std::memory_order_relaxed) + 1, std::memory_order_seq_cst);
    std::strncpy(state.call, call.function(), sizeof state.call - 1);
    state.site = call.site();
    state.any = 0;
    state.count = 0;
}

void end_publishing(Layer& layer, Activity activity) {
    BlockedState& state = layer.header().blocked;
    state.activity.store(activity, std::memory_order_release);
    state.sequence.store(state.sequence.load(std::memory_order_relaxed) + 1, std::memory_order_seq_cst);
}

void unpublish(Layer& layer) {
    BlockedState& state = layer.header().blocked;
    state.sequence.store(state.sequence.load(std::memory_order_relaxed) + 1, std::memory_order_seq_cst);
    state.activity.store(Activity::computing, std::memory_order_release);
    state.sequence.store(state.sequence.load(std::memory_order_relaxed) + 1, std::memory_order_seq_cst);
}

void yield(Layer& layer) {
    if (layer.multithreaded) {
        unlock_threads();
        sched_yield();
        lock_threads();
    } else {
        sched_yield();
    }
}

void epilogue(Layer& layer) {
    if (!layer.in_epilogue) {  // resolving may have to wait for ever: then it ends up here again
        layer.in_epilogue = true;
        resolve_matched(layer);
    }
    layer.header().settled_round.store(replay::area::epilogue_round, std::memory_order_release);
    for (;;) {
        pause();
    }
}

}  // namespace waiting_detail

BlockedInLibrary::BlockedInLibrary(Layer& layer, const Call& call, const WaitItem& item) : layer_(layer) {
    waiting_detail::begin_publishing(layer, call);
    WaitDescription(layer.header().blocked).add(item);
    waiting_detail::end_publishing(layer, Activity::blocked_in_library);
}

BlockedInLibrary::~BlockedInLibrary() { waiting_detail::unpublish(layer_); }

}  // namespace dampi::piggyback
