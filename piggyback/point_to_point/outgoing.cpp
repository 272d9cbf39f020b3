#include "piggyback/point_to_point/outgoing.hpp"

#include "piggyback/waiting.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <optional>

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

Outgoing append_envelope(Layer& layer, const Call& call, Communicator& communicator, int destination, int tag,
                         bool synchronous) {
    Outgoing outgoing;
    outgoing.synchronous = synchronous;
    outgoing.destination = communicator.peer(destination);
    outgoing.number = communicator.sent[static_cast<std::size_t>(destination)]++;
    outgoing.slot = &layer.outgoing[static_cast<std::size_t>(outgoing.destination)].append(
        layer.area, layer.slab, layer.area.queue(layer.rank(), outgoing.destination),
        {.comm = communicator.id,
         .tag = tag,
         .number = outgoing.number,
         .clock = layer.clocks.now().value,
         .site = call.site(),
         .synchronous = synchronous});
    if (synchronous) {
        layer.outgoing[static_cast<std::size_t>(outgoing.destination)].pin();
    }
    return outgoing;
}

void withdraw(Layer& layer, const Outgoing& outgoing) {
    outgoing.slot->state.store(EnvelopeState::withdrawn, std::memory_order_release);
    if (outgoing.synchronous) {
        layer.outgoing[static_cast<std::size_t>(outgoing.destination)].unpin();
    }
}

namespace {

using clocks::LamportClock;

/// What a receive among the destination's pending ones would acknowledge, if one may have taken the message.
/// When several may have, the largest: knowing too much can hide an alternative (and is counted as not
/// modelled), knowing too little could make an infeasible one look feasible.
std::optional<LamportClock> presumed_acknowledgement(Layer& layer, const Outgoing& outgoing,
                                                     const Communicator& communicator, clocks::Tag tag) {
    std::optional<LamportClock> presumed;
    bool ambiguous = false;
    const auto used = layer.area.rank(outgoing.destination).posted_high.load(std::memory_order_acquire);
    for (std::uint64_t i = 0; i < used; ++i) {
        const auto& slot = layer.area.posted(outgoing.destination, i);
        if (slot.state.load(std::memory_order_acquire) != replay::area::PostedState::pending) {
            continue;
        }
        const clocks::Rank source = slot.forced != clocks::any_source ? slot.forced : slot.source;
        const clocks::ReceiveSpec spec{.comm = slot.comm, .source = source, .tag = slot.tag};
        if (!spec.fits(communicator.id, layer.rank(), tag)) {
            continue;
        }
        const auto clock =
            clocks::LazyClocks::acknowledgement(LamportClock{slot.posted_clock}, slot.epoch != replay::area::no_epoch);
        ambiguous = ambiguous || (presumed && *presumed != clock);
        presumed = presumed ? std::max(*presumed, clock) : clock;
    }
    if (ambiguous) {
        layer.count_not_modelled("synchronous send, receiver unclear");
    }
    return presumed;
}

}  // namespace

void await_acknowledgement(Layer& layer, const Outgoing& outgoing, const Communicator& communicator, clocks::Tag tag) {
    using namespace std::chrono_literals;
    const auto taken = [&] { return outgoing.slot->state.load(std::memory_order_acquire) == EnvelopeState::taken; };
    std::optional<LamportClock> presumed;
    const auto begin = std::chrono::steady_clock::now();
    while (!taken() && !presumed) {
        presumed = presumed_acknowledgement(layer, outgoing, communicator, tag);
        if (!presumed && std::chrono::steady_clock::now() - begin > 1s) {
            layer.count_not_modelled("synchronous send, receiver unclear");
            break;
        }
        waiting_detail::yield(layer);
    }
    if (taken()) {
        layer.clocks.learn(LamportClock{outgoing.slot->acknowledged_clock});
    } else if (presumed) {
        layer.clocks.learn(*presumed);
    }
    layer.outgoing[static_cast<std::size_t>(outgoing.destination)].unpin();
}

}  // namespace dampi::piggyback
