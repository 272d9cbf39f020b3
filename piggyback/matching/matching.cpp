#include "piggyback/matching/matching.hpp"

#include "clocks/check.hpp"
#include "piggyback/decision_source.hpp"
#include "piggyback/waiting.hpp"

#include <string>

namespace dampi::piggyback {

using clocks::any_source;
using clocks::any_tag;
using clocks::Rank;
using clocks::Tag;
using replay::area::no_epoch;
using replay::area::PostedSlot;
using replay::area::PostedState;
using replay::area::WaitKind;

namespace {

const char* kind_name(std::uint32_t kind) {
    switch (static_cast<replay::EpochKind>(kind)) {
        case replay::EpochKind::receive:
            return "a wildcard receive";
        case replay::EpochKind::probe:
            return "a wildcard MPI_Probe";
        case replay::EpochKind::matched_probe:
            return "a wildcard MPI_Mprobe";
        case replay::EpochKind::polling_probe:
            return "a wildcard MPI_Iprobe";
        case replay::EpochKind::polling_matched_probe:
            return "a wildcard MPI_Improbe";
    }
    return "an unknown operation";
}

std::string tag_text(Tag tag) { return tag == any_tag ? "any tag" : "tag " + std::to_string(tag); }

/// Obeys the decision for the posting's epoch, or records why it cannot be obeyed.
void obey_decision(Layer& layer, const Call& call, const Communicator& communicator, Posting& posting,
                   std::uint32_t kind) {
    const auto* decision = find_decision(layer.area, layer.rank(), posting.epoch);
    if (decision == nullptr || layer.diverged) {
        return;
    }
    const int forced = communicator.rank_of(decision->source);
    if (decision->kind == kind && decision->comm == communicator.id && decision->tag == posting.spec.tag &&
        forced != MPI_UNDEFINED) {
        posting.forced = decision->source;
        posting.source = forced;
        return;
    }
    layer.diverged = true;
    layer.log.append(replay::area::DivergenceRecord{
        .index = posting.epoch,
        .message = "rank " + std::to_string(layer.rank()) + " was to issue " + kind_name(decision->kind) + " with " +
                   tag_text(decision->tag) + " as its operation " + std::to_string(posting.epoch) + ", but issued " +
                   kind_name(kind) + " with " + tag_text(posting.spec.tag) +
                   (decision->comm == communicator.id ? "" : " on another communicator"),
        .call = call.function(),
        .site = call.site()});
}

/// The receive or probe that a message has met.
struct MatchedBy {
    clocks::PostingOrder order = 0;
    std::uint32_t epoch = no_epoch;
    clocks::LamportClock posted;
};

/// Takes the envelope of the message that a receive or probe has matched and tells clocks and analysis.
TakenMessage bind(Layer& layer, const Communicator& communicator, const MatchedBy& by, Rank source, Tag tag,
                  bool take) {
    const std::uint32_t epoch = by.epoch;
    auto& queue = layer.area.queue(source, layer.rank());
    auto& reader = layer.incoming[static_cast<std::size_t>(source)];
    const auto envelope = take ? reader.take(layer.area, queue, communicator.id, tag,
                                             clocks::LazyClocks::acknowledgement(by.posted, epoch != no_epoch).value)
                               : reader.peek(layer.area, queue, communicator.id, tag);
    if (!envelope) {
        layer.count_not_modelled("messages from calls that are not modelled");
    }
    if (epoch != no_epoch) {
        const auto final_clock = layer.clocks.match_epoch(epoch, source, envelope && envelope->synchronous);
        layer.log.append(replay::area::EpochMatchedRecord{.index = epoch,
                                                          .final_clock = final_clock.value,
                                                          .number = envelope ? envelope->number : 0,
                                                          .source = source,
                                                          .tag = envelope ? envelope->tag : tag,
                                                          .synchronous = envelope && envelope->synchronous ? 1U : 0U});
    }
    if (!envelope) {
        return {.clock = {}, .known = false};
    }
    const clocks::LamportClock clock{envelope->clock};
    if (take && layer.clocks.epochs() != 0) {
        const clocks::IncomingMessage message{
            .name = {source, communicator.id, envelope->number}, .tag = envelope->tag, .clock = clock};
        layer.clocks.analyse(message, by.order, [&](const clocks::PotentialMatchFound& found) {
            layer.log.append(replay::area::PotentialMatchRecord{
                .epoch = found.epoch, .source = found.source, .tag = found.tag, .number = found.number});
        });
    }
    return {.clock = clock, .known = true};
}

/// Whether the first open message from `source` with `tag` was sent in synchronous mode.
bool is_synchronous(Layer& layer, const Communicator& communicator, Rank source, Tag tag) {
    const auto envelope = layer.incoming[static_cast<std::size_t>(source)].peek(
        layer.area, layer.area.queue(source, layer.rank()), communicator.id, tag);
    return envelope && envelope->synchronous;
}

void record_imprecise(Layer& layer, const Call& call) {
    layer.record_violation("imprecise-match",
                           "a receive was forced to take a message that may depend on what a later receive took: the "
                           "alternative was not feasible",
                           call);
}

/// A receive under a decision names its source to MPI, so MPI lets a message pass it that it should have taken
/// as the program wrote it. The layer makes up for that by resolving in posting order, but one thing gets
/// through: when a later receive takes a synchronous message, its sender goes on at once, and what follows
/// from that may be the very message that is forced. Lamport clocks cannot tell; in doubt the run is no good.
void check_forced(Layer& layer, const Call& call, const Posting& posting, clocks::LamportClock taken) {
    if (taken <= posting.posted) {
        return;
    }
    const clocks::ReceiveSpec& spec = posting.spec;
    for (const auto& later : layer.pending) {
        if (later.order <= posting.order || later.spec.comm != spec.comm || later.payload.handle == MPI_REQUEST_NULL) {
            continue;
        }
        int flag = 0;
        MPI_Status status;
        PMPI_Request_get_status(later.payload.handle, &flag, &status);
        if (flag == 0 || status.MPI_SOURCE < 0) {
            continue;
        }
        const Rank source = later.payload.communicator->peer(status.MPI_SOURCE);
        if (spec.fits(spec.comm, source, status.MPI_TAG) &&
            is_synchronous(layer, *later.payload.communicator, source, status.MPI_TAG)) {
            record_imprecise(layer, call);
            return;
        }
    }
}

void resolve_before(Layer& layer, const Call& call, Communicator& communicator, clocks::PostingOrder order, Rank source,
                    Tag tag);

/// A pending receive is known to have matched a message from `source`.
TakenMessage resolve_pending(Layer& layer, const Call& call, clocks::PostingOrder order, const PendingReceive& pending,
                             Rank source, Tag tag) {
    resolve_before(layer, call, *pending.communicator, order, source, tag);
    Request* request = pending.request;
    const TakenMessage taken =
        bind(layer, *pending.communicator, {.order = order, .epoch = pending.epoch, .posted = pending.posted}, source,
             tag, true);
    drop_pending(layer, order);
    if (request != nullptr) {
        request->taken = taken;
    }
    return taken;
}

/// Waits until MPI says which message a wildcard receive has taken. It is called when the receive must have
/// matched, so this ends; under a wrong decision it does not, which dampi-run sees and calls imprecise.
TakenMessage resolve_wildcard(Layer& layer, const Call& call, clocks::PostingOrder order, const PendingReceive& pending,
                              const clocks::ReceiveSpec& spec, Rank forced) {
    Waiting waiting(layer, call, [&](WaitDescription& description) {
        description.add({.kind = WaitKind::receive,
                         .forced = static_cast<std::uint8_t>(forced != any_source),
                         .peer = forced,
                         .tag = spec.tag,
                         .comm = spec.comm,
                         .number = 0});
    });
    for (;;) {
        int flag = 0;
        MPI_Status status;
        PMPI_Request_get_status(pending.handle, &flag, &status);
        if (flag != 0) {
            int cancelled = 0;
            PMPI_Test_cancelled(&status, &cancelled);
            if (cancelled != 0) {
                drop_pending(layer, order);
                return {};
            }
            return resolve_pending(layer, call, order, pending, pending.communicator->peer(status.MPI_SOURCE),
                                   status.MPI_TAG);
        }
        waiting.pause();
    }
}

/// CompleteNow: everything pending that must have matched before an operation posted as `order` that has
/// met a message from `source` with `tag`.
void resolve_before(Layer& layer, const Call& call, Communicator& communicator, clocks::PostingOrder order, Rank source,
                    Tag tag) {
    while (auto* entry = layer.pending.first_before(order, communicator.id, source, tag)) {
        const auto earlier = *entry;
        const Rank forced = layer.area.posted(layer.rank(), earlier.payload.slot).forced;
        if (earlier.spec.source == any_source) {
            const bool synchronous = forced != any_source && is_synchronous(layer, communicator, source, tag);
            const TakenMessage taken =
                resolve_wildcard(layer, call, earlier.order, earlier.payload, earlier.spec, forced);
            if (synchronous && taken.clock > earlier.payload.posted) {
                record_imprecise(layer, call);
            }
        } else {
            resolve_pending(layer, call, earlier.order, earlier.payload, earlier.spec.source, earlier.spec.tag);
        }
    }
}

}  // namespace

Posting post(Layer& layer, const Call& call, Communicator& communicator, int source, int tag, replay::EpochKind kind) {
    Posting posting;
    posting.order = layer.next_order++;
    posting.posted = layer.clocks.now();
    posting.spec.comm = communicator.id;
    posting.spec.tag = tag == MPI_ANY_TAG ? any_tag : tag;
    posting.source = source;
    if (source != MPI_ANY_SOURCE) {
        posting.spec.source = communicator.peer(source);
        return posting;
    }
    posting.epoch = layer.clocks.post_epoch(posting.spec, posting.order);
    obey_decision(layer, call, communicator, posting, static_cast<std::uint32_t>(kind));
    layer.log.append(replay::area::EpochPostedRecord{.index = posting.epoch,
                                                     .kind = static_cast<std::uint32_t>(kind),
                                                     .comm = communicator.id,
                                                     .order = posting.order,
                                                     .posted_clock = layer.clocks.posted_clock(posting.epoch).value,
                                                     .site = call.site(),
                                                     .tag = posting.spec.tag,
                                                     .forced = posting.forced != any_source ? 1U : 0U,
                                                     .call = call.function()});
    return posting;
}

void keep_pending(Layer& layer, const Call& call, Communicator& communicator, const Posting& posting,
                  MPI_Request handle, Request* request) {
    std::uint64_t index = 0;
    if (!layer.free_posted.empty()) {
        index = layer.free_posted.back();
        layer.free_posted.pop_back();
    } else {
        index = layer.header().posted_high.load(std::memory_order_relaxed);
        DAMPI_CHECK(index < replay::area::posted_capacity);
        layer.header().posted_high.store(index + 1, std::memory_order_release);
    }
    PostedSlot& slot = layer.area.posted(layer.rank(), index);
    slot.source = posting.spec.source;
    slot.tag = posting.spec.tag;
    slot.epoch = posting.epoch;
    slot.comm = posting.spec.comm;
    slot.order = posting.order;
    slot.site = call.site();
    slot.forced = posting.forced;
    slot.posted_clock = posting.posted.value;
    slot.state.store(PostedState::pending, std::memory_order_release);
    layer.pending.add(posting.order, posting.spec,
                      {.handle = handle,
                       .epoch = posting.epoch,
                       .posted = posting.posted,
                       .slot = index,
                       .request = request,
                       .communicator = &communicator});
}

void mark_completed(Layer& layer, clocks::PostingOrder order) {
    if (auto* entry = layer.pending.find(order)) {
        entry->payload.handle = MPI_REQUEST_NULL;
    }
}

void drop_pending(Layer& layer, clocks::PostingOrder order) {
    if (const auto removed = layer.pending.remove(order)) {
        layer.area.posted(layer.rank(), removed->slot).state.store(PostedState::free, std::memory_order_release);
        layer.free_posted.push_back(removed->slot);
    }
}

TakenMessage resolve(Layer& layer, const Call& call, Communicator& communicator, const Posting& posting, int source,
                     int tag) {
    const Rank world_source = communicator.peer(source);
    if (!layer.pending.empty()) {
        mark_completed(layer, posting.order);
        resolve_before(layer, call, communicator, posting.order, world_source, tag);
    }
    const TakenMessage taken =
        bind(layer, communicator, {.order = posting.order, .epoch = posting.epoch, .posted = posting.posted},
             world_source, tag, true);
    drop_pending(layer, posting.order);
    if (posting.forced != any_source) {
        check_forced(layer, call, posting, taken.clock);
    }
    return taken;
}

void learn(Layer& layer, const TakenMessage& message) {
    if (message.known) {
        layer.clocks.learn(message.clock);
    }
}

void resolve_probe(Layer& layer, const Call& call, Communicator& communicator, const Posting& posting, int source,
                   int tag) {
    const Rank world_source = communicator.peer(source);
    resolve_before(layer, call, communicator, posting.order, world_source, tag);
    learn(layer, bind(layer, communicator, {.order = posting.order, .epoch = posting.epoch, .posted = posting.posted},
                      world_source, tag, false));
}

bool next_epoch_is_other(Layer& layer, replay::EpochKind kind) {
    if (layer.diverged) {
        return false;
    }
    const auto* decision = find_decision(layer.area, layer.rank(), static_cast<std::uint32_t>(layer.clocks.epochs()));
    return decision != nullptr && decision->kind != static_cast<std::uint32_t>(kind);
}

void resolve_matched(Layer& layer) {
    const Call call("", nullptr);
    std::vector<clocks::PostingOrder> orders;
    for (const auto& entry : layer.pending) {
        orders.push_back(entry.order);
    }
    for (const clocks::PostingOrder order : orders) {
        for (const auto& entry : layer.pending) {
            if (entry.order != order || entry.payload.handle == MPI_REQUEST_NULL) {
                continue;
            }
            int flag = 0;
            int cancelled = 0;
            MPI_Status status;
            PMPI_Request_get_status(entry.payload.handle, &flag, &status);
            if (flag != 0 && (PMPI_Test_cancelled(&status, &cancelled), cancelled == 0)) {
                const PendingReceive pending = entry.payload;
                resolve_pending(layer, call, order, pending, pending.communicator->peer(status.MPI_SOURCE),
                                status.MPI_TAG);
            }
            break;
        }
    }
}

}  // namespace dampi::piggyback
