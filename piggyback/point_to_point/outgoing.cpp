#include "piggyback/point_to_point/outgoing.hpp"

#include "piggyback/matching/matching.hpp"
#include "piggyback/progress.hpp"
#include "piggyback/waiting.hpp"

#include <chrono>
#include <cstdio>

namespace dampi::piggyback {

using replay::area::EnvelopeState;

bool followed(Layer& layer, const Call& call, const Communicator* communicator, MPI_Comm comm, int peer) {
    if (communicator != nullptr) {
        return peer == MPI_ANY_SOURCE || (peer >= 0 && static_cast<std::size_t>(peer) < communicator->peers.size());
    }
    if (comm != MPI_COMM_NULL && peer != MPI_PROC_NULL) {
        char name[replay::area::name_length];
        std::snprintf(name, sizeof name, "%.20s (unknown comm)", call.function());
        layer.count_not_modelled(name);
    }
    return false;
}

void follow_null_request(Layer& layer, const Call& call, Communicator& communicator, MPI_Request handle,
                         bool persistent) {
    auto request = std::make_unique<Request>();
    request->kind = RequestKind::send;
    request->persistent = persistent;
    request->active = !persistent;
    request->communicator = &communicator;
    request->function = call.function();
    request->site = call.site();
    request->peer = MPI_PROC_NULL;
    layer.requests.add(handle, std::move(request));
}

Outgoing append_envelope(Layer& layer, const Call& call, Communicator& communicator, int destination, int tag,
                         bool synchronous) {
    count_up(layer.header().messages_sent);
    Outgoing outgoing;
    outgoing.synchronous = synchronous;
    outgoing.destination = communicator.peer(destination);
    outgoing.number = communicator.sent[static_cast<std::size_t>(destination)]++;
    outgoing.slot = &layer.outgoing[static_cast<std::size_t>(outgoing.destination)].append(
        layer.area, layer.slab, layer.area.queue(layer.rank(), outgoing.destination),
        {.comm = communicator.id,
         .tag = tag,
         .number = outgoing.number,
         .clock = publish(layer, layer.clocks.now()),
         .site = call.site(),
         .synchronous = synchronous});
    if (synchronous) {
        layer.outgoing[static_cast<std::size_t>(outgoing.destination)].pin();
        layer.area.rank(outgoing.destination).unacknowledged.fetch_add(1, std::memory_order_release);
    }
    return outgoing;
}

void withdraw(Layer& layer, const Outgoing& outgoing) {
    outgoing.slot->state.store(EnvelopeState::withdrawn, std::memory_order_release);
    if (outgoing.synchronous) {
        layer.outgoing[static_cast<std::size_t>(outgoing.destination)].unpin();
        layer.area.rank(outgoing.destination).unacknowledged.fetch_sub(1, std::memory_order_relaxed);
    }
}

namespace {

using replay::area::Activity;

/// What the destination's pending receives say about a message that one of them has taken.
struct Presumption {
    clocks::Clock clock;
    bool sure = true;
    bool must_wait = false;  ///< a receive that a decision forces must match first
};

/// What the receive would acknowledge, if it is one of those that are pending. When several may have taken the message,
/// all that any of them knows: knowing too much can hide an alternative (and is counted as not modelled), knowing too
/// little could make an infeasible one look feasible.
Presumption presume(Layer& layer, const Outgoing& outgoing, const Communicator& communicator, clocks::Tag tag) {
    Presumption presumed;
    unsigned found = 0;
    const auto used = layer.area.rank(outgoing.destination).posted_high.load(std::memory_order_acquire);
    for (std::uint64_t i = 0; i < used; ++i) {
        const auto& slot = layer.area.posted(outgoing.destination, i);
        const clocks::ReceiveSpec spec{.comm = slot.comm, .source = slot.source, .tag = slot.tag};
        if (slot.state.load(std::memory_order_acquire) != replay::area::PostedState::pending ||
            !spec.fits(communicator.id, layer.rank(), tag)) {
            continue;
        }
        ++found;
        presumed.must_wait = presumed.must_wait || (slot.forced != clocks::any_source && slot.forced != layer.rank());
        presumed.clock.merge(replay::area::published_clock(layer.area, slot.posted_clock));
        if (slot.epoch != replay::area::no_epoch) {
            if (layer.area.protocol() == clocks::Protocol::lamport) {
                presumed.clock.lamport.advance();
                presumed.sure = false;  // its final clock is not known
            } else {
                presumed.clock.vector.add(outgoing.destination, slot.epoch);
            }
        }
    }
    presumed.sure = presumed.sure && found == 1;
    return presumed;
}

}  // namespace

clocks::Snapshot await_acknowledgement(Layer& layer, const Call& call, const Outgoing& outgoing,
                                       const Communicator& communicator, clocks::Tag tag) {
    using namespace std::chrono_literals;
    auto& writer = layer.outgoing[static_cast<std::size_t>(outgoing.destination)];
    const auto& receiver = layer.area.rank(outgoing.destination);
    Waiting waiting(layer, call, [&](WaitDescription& description) {
        description.add({.kind = replay::area::WaitKind::send,
                         .forced = 0,
                         .peer = outgoing.destination,
                         .tag = tag,
                         .comm = communicator.id,
                         .number = outgoing.number});
    });
    auto begin = std::chrono::steady_clock::now();
    while (!is_taken(outgoing)) {
        make_progress();  // an earlier receive may wait for the rest of a message from here
        notice_matches(layer);
        // In the layer's own loops the receiver looks all the time: it answers when earlier receives have matched.
        if (receiver.blocked.activity.load(std::memory_order_acquire) == Activity::blocked) {
            begin = std::chrono::steady_clock::now();
        } else if (std::chrono::steady_clock::now() - begin > 1s) {
            const Presumption presumed = presume(layer, outgoing, communicator, tag);
            if (!presumed.must_wait && !is_taken(outgoing)) {
                if (!presumed.sure) {
                    layer.count_not_modelled("synchronous send, receiver unclear");
                }
                writer.unpin();
                return clocks::Snapshot(presumed.clock);
            }
        }
        waiting.pause();
    }
    const replay::area::ClockName name = outgoing.slot->acknowledged_clock;
    writer.unpin();
    return name == 0 ? clocks::Snapshot() : published_snapshot(layer.area, name);
}

}  // namespace dampi::piggyback
