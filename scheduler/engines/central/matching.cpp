// Messages and receives: which of them match, and what the clocks make of it.
#include "scheduler/engines/central/machine.hpp"

#include "clocks/causal_order.hpp"

#include <algorithm>

namespace dampi::scheduler::central {
namespace {

using base::any_source;
using base::ReceiveSpec;
using clocks::MessageFacts;
using clocks::Snapshot;
using replay::Decision;
using replay::EpochKind;
using namespace transport::requests;

/// What both tell.
Snapshot merged(const Snapshot& one, const Snapshot& other) {
    if (!one || !other) {
        return one ? one : other;
    }
    clocks::Clock clock = one->clock;
    clock.merge(other->clock);
    return Snapshot(std::move(clock));
}

}  // namespace

bool Machine::take(Rank rank, const SendCall& call) {
    if (!may_call(rank) || !is_rank(call.destination) || call.tag < 0 || !in(call.comm, rank) ||
        !in(call.comm, call.destination)) {
        return false;
    }
    give_up_polling(rank, call.function, call.site);
    Process& own = process(rank);
    Posting* posting = call.operation == no_operation ? nullptr : add(rank, call.operation, Posting::Kind::send);
    if (posting == nullptr && call.operation != no_operation) {
        return false;
    }
    Message message;
    message.source = rank;
    message.destination = call.destination;
    message.comm = call.comm;
    message.tag = call.tag;
    message.number = own.sent[{call.comm, call.destination}]++;
    if (settings_.compares_states) {
        ++own.sent_with_tag[{call.comm, call.destination, call.tag}];
    }
    message.clock = own.record.clocks().now();
    message.sent_at = own.passed;
    const bool alone = settings_.waits_alone && groups_.at(call.comm).size() == 1;
    const bool counted = settings_.room != 0 && call.mode == SendMode::standard;
    const bool buffered = call.mode == SendMode::buffered;
    message.ready = call.mode == SendMode::ready;
    history_counts_ = history_counts_ || message.ready || buffered;
    if (buffered) {
        const std::uint32_t number = own.attached.add(call.bytes);
        message.buffered = number < clocks::most_marks ? std::optional(number) : std::nullopt;
    }
    message.keeps_buffer = buffered && (call.bytes >= settings_.detach_waits_from || alone);
    message.waited_for = call.mode == SendMode::synchronous ||
                         (counted ? call.bytes != 0 : !buffered && (call.bytes >= settings_.waits_from || alone));
    if (counted && call.bytes != 0 && call.bytes <= settings_.room) {
        message.room = own.room.take(call.bytes, call.destination, settings_.room, message.clock->clock);
    }
    message.bytes = call.bytes;
    message.payload = call.payload;
    message.data = call.data;
    message.site = call.site;
    message.made_at = call.made_at;
    message.references = posting == nullptr ? 1 : 2;
    own.buffered += message.keeps_buffer ? 1 : 0;
    ++own.traffic;
    const MessageIndex index = add_message(std::move(message));
    if (settings_.compares_states) {
        note_unaware(messages_[index]);
    }
    if (posting != nullptr) {
        posting->message = index;
        posting->room = messages_[index].room;
        if (posting->room != no_room_use && own.room.fits_anyway(settings_.room)) {
            posting->went_on = Snapshot();
        }
    }
    Process& receiver = process(call.destination);
    meet_cancelled(call.destination, messages_[index]);
    receiver.unexpected[{call.comm, rank}].push_back(index);
    if (const Operation receive = first_posted(receiver, messages_[index]); receive != no_operation) {
        try_match(call.destination, receive);
    } else if (waits(call.destination)) {
        look(call.destination);  // it may be a probe
    }
    return true;
}

bool Machine::take(Rank rank, const ReceiveCall& call) {
    if (!may_call(rank) || (call.source != any_source && !in(call.comm, call.source)) || !in(call.comm, rank) ||
        (call.tag < 0 && call.tag != base::any_tag)) {
        return false;
    }
    give_up_polling(rank, call.situation.function, call.situation.site);
    Process& own = process(rank);
    Posting* posting = add(rank, call.operation, Posting::Kind::receive);
    if (posting == nullptr) {
        return false;
    }
    const ReceiveSpec spec{.comm = call.comm, .source = call.source, .tag = call.tag};
    Receive& receive = posting->receive;
    receive.posted =
        own.record.post(spec, EpochKind::receive, call.situation, communicator_name(own, call.comm), call.data);
    receive.asked = call.source;
    receive.data = call.data;
    receive.site = call.situation.site;
    receive.made_at = call.made_at;
    receive.posted_at = own.passed;
    if (receive.posted.epoch) {
        const Decision* decision = own.record.decision(*receive.posted.epoch);
        if (decision != nullptr && !in(call.comm, decision->outcome.source)) {
            own.record.diverge("rank " + std::to_string(rank) + " was to receive from rank " +
                                   std::to_string(decision->outcome.source) + " in its operation " +
                                   std::to_string(*receive.posted.epoch) + ", which is not in the communicator",
                               call.situation);
        } else if (decision != nullptr) {
            receive.asked = decision->outcome.source;
            receive.forced = true;
            ++own.forced_open;
        }
    }
    own.record.clocks().keep_pending(receive.posted);
    own.pending.add(receive.posted.order, spec) = call.operation;
    own.posted.add(receive.posted.order, asked(receive), call.operation);
    try_match(rank, call.operation);
    return true;
}

bool Machine::take(Rank rank, const MatchedReceiveCall& call) {
    Process& own = process(rank);
    const auto found = own.matched.find(call.message);
    if (!may_call(rank) || found == own.matched.end()) {
        return false;
    }
    give_up_polling(rank, "another function", 0);
    Posting* posting = add(rank, call.operation, Posting::Kind::matched_receive);
    if (posting == nullptr) {
        return false;
    }
    posting->message = found->second.message;
    posting->after = found->second.after;
    own.matched.erase(found);
    Message& message = messages_[posting->message];
    compare_types(rank, message, call.data, call.site);
    message.held = false;
    if (message.waited_for) {
        acknowledge(message, own.record.clocks().now(), own.passed);
        look(message.source);
    }
    return true;
}

bool Machine::take(Rank rank, const ImmediateCall& call) {
    if (!may_call(rank)) {
        return false;
    }
    give_up_polling(rank, "another function", 0);
    Posting* posting = add(rank, call.operation, Posting::Kind::immediate);
    if (posting == nullptr) {
        return false;
    }
    posting->told = true;  // no test of it can be answered with "nothing yet"
    return true;
}

bool Machine::take(Rank rank, const PairCall& call) {
    Process& own = process(rank);
    const auto alone = [](const Posting* part) { return part != nullptr && !part->in_pair && !part->freed; };
    const auto is = [](const Posting& part, Posting::Kind kind) {
        return part.kind == kind || part.kind == Posting::Kind::immediate;
    };
    if (!may_call(rank) || call.send == call.receive || !alone(find(own, call.send)) ||
        !alone(find(own, call.receive)) || !is(own.postings.at(call.send), Posting::Kind::send) ||
        !is(own.postings.at(call.receive), Posting::Kind::receive)) {
        return false;
    }
    Posting* pair = add(rank, call.operation, Posting::Kind::pair);
    if (pair == nullptr) {
        return false;
    }
    pair->paired_send = call.send;
    pair->paired_receive = call.receive;
    own.postings.at(call.send).in_pair = true;
    own.postings.at(call.receive).in_pair = true;
    return true;
}

ReceiveSpec Machine::asked(const Receive& receive) {
    ReceiveSpec spec = receive.posted.spec;
    spec.source = receive.asked;
    return spec;
}

Machine::Stream* Machine::stream(Process& own, CommId comm, Rank source) {
    const auto found = own.unexpected.find({comm, source});
    return found == own.unexpected.end() ? nullptr : &found->second;
}

/// The first message of the source that fits.
Machine::MessageIndex Machine::first_fitting(Process& own, const ReceiveSpec& spec, Rank source) {
    if (const Stream* messages = stream(own, spec.comm, source)) {
        for (const MessageIndex index : *messages) {
            if (spec.tag == base::any_tag || spec.tag == messages_[index].tag) {
                return index;
            }
        }
    }
    return no_message;
}

/// The first receive posted that fits the message.
Operation Machine::first_posted(const Process& own, const Message& message) {
    return own.posted.first_for(message.comm, message.source, message.tag);
}

/// The message of the source that the receive (no_operation: a probe) would match, by MPI's order of receives and
/// messages; none if there is none, or one posted earlier may still want it.
Machine::MessageIndex Machine::matchable(Process& own, const ReceiveSpec& spec, Rank source, Operation receive) {
    const MessageIndex index = first_fitting(own, spec, source);
    return index != no_message && first_posted(own, messages_[index]) == receive ? index : no_message;
}

/// Matches a receive, if there is no choice about it.
void Machine::try_match(Rank rank, Operation operation) {
    Process& own = process(rank);
    const ReceiveSpec spec = asked(own.postings.at(operation).receive);
    if (spec.source == any_source) {
        return;
    }
    const MessageIndex index = matchable(own, spec, spec.source, operation);
    if (index != no_message) {
        match(rank, operation, index);
    }
}

/// Matches all receives of the rank about which there is no choice, after something that they stood behind has gone.
void Machine::match_named(Rank rank) {
    Process& own = process(rank);
    // One that has matched only makes way for those behind it: what it took fits none before it, or that one would have
    // come first.
    for (auto at = own.posted.begin(); at != own.posted.end() && !own.unexpected.empty();) {
        const auto [order, operation] = *at;
        const ReceiveSpec spec = asked(own.postings.at(operation).receive);
        const MessageIndex index =
            spec.source == any_source ? no_message : matchable(own, spec, spec.source, operation);
        if (index != no_message) {
            match(rank, operation, index);
        }
        at = own.posted.after(order);
    }
}

void Machine::take_from_stream(Process& own, MessageIndex index) {
    Message& message = messages_[index];
    message.taken = true;
    const auto found = own.unexpected.find({message.comm, message.source});
    Stream& messages = found->second;
    messages.erase(std::find(messages.begin(), messages.end(), index));
    if (messages.empty()) {
        own.unexpected.erase(found);
    }
    ++own.traffic;
    Process& sender = process(message.source);
    if (message.keeps_buffer) {
        --sender.buffered;
    }
}

void Machine::match(Rank rank, Operation operation, MessageIndex index) {
    Process& own = process(rank);
    Posting& posting = own.postings.at(operation);
    posting.receive.message = index;
    if (settings_.list_matches) {
        const Message& message = messages_[index];
        matches_.push_back({.rank = rank,
                            .operation = operation,
                            .message = {{.source = message.source, .comm = message.comm, .number = message.number}},
                            .epoch = posting.receive.posted.epoch});
    }
    compare_types(rank, messages_[index], posting.receive.data, posting.receive.site);
    const bool chosen = posting.receive.asked == any_source;
    own.posted.remove(posting.receive.posted.order, asked(posting.receive));
    keep_met(own, operation);
    take_from_stream(own, index);
    const Rank source = messages_[index].source;
    const bool was_buffered = messages_[index].keeps_buffer;
    if (posting.receive.posted.epoch) {
        note_settled(rank, *posting.receive.posted.epoch, &posting.receive, index);
    }
    own.forced_open -= posting.receive.forced ? 1 : 0;
    own.unacknowledged += messages_[index].waited_for ? 1 : 0;
    if (posting.freed) {
        own.freed_matched.push_back(operation);
    }
    finish_freed(rank);
    if (own.unacknowledged != 0) {
        notice(rank);
    }
    if (chosen) {
        match_named(rank);
    }
    look(rank);
    if (was_buffered) {
        look(source);
    }
}

/// The receive has met a message, and the clocks do not know.
void Machine::keep_met(Process& own, Operation operation) {
    constexpr std::size_t few = 64;
    if (own.met.size() > few + 2 * own.pending.size()) {
        forget_resolved(own);
    }
    own.met.push_back(operation);
}

void Machine::forget_resolved(Process& own) {
    std::erase_if(own.met, [&](Operation operation) {
        const Posting* posting = find(own, operation);
        return posting == nullptr || posting->receive.resolved;
    });
}

/// Senders wait to hear what the receives knew: all that have matched are resolved, without the program's knowing.
void Machine::notice(Rank rank) {
    Process& own = process(rank);
    forget_resolved(own);
    std::sort(own.met.begin(), own.met.end(), [&](Operation a, Operation b) {
        return own.postings.at(a).receive.posted.order < own.postings.at(b).receive.posted.order;
    });
    std::vector<Rank> told_now;
    for (const Operation operation : own.met) {
        Receive& receive = own.postings.at(operation).receive;
        if (resolvable(own, receive)) {
            resolve(rank, receive, false, true);
            if (messages_[receive.message].waited_for) {
                told_now.push_back(messages_[receive.message].source);
            }
        }
    }
    for (const Rank source : told_now) {
        look(source);
    }
}

/// Receives whose requests were freed have matched: their data go to the program with the next answer.
void Machine::finish_freed(Rank rank) {
    Process& own = process(rank);
    for (std::size_t i = 0; i < own.freed_matched.size();) {
        const Operation operation = own.freed_matched[i];
        Posting& posting = own.postings.at(operation);
        if (!resolvable(own, posting.receive)) {
            ++i;
            continue;
        }
        resolve(rank, posting.receive, false, true);
        conclude(own, posting);
        Completion told_later = completion(rank, operation, posting, 0);
        told_later.freed = 1;
        own.freed.push_back(std::move(told_later));
        erase(own, operation);
        own.freed_matched.erase(own.freed_matched.begin() + static_cast<std::ptrdiff_t>(i));
    }
}

std::optional<MessageFacts> Machine::taken(const Receive& receive) const {
    if (receive.message == no_message) {
        return std::nullopt;
    }
    const Message& message = messages_[receive.message];
    return MessageFacts{.source = message.source, .tag = message.tag, .number = message.number};
}

/// Whether all receives that must have matched before this one, which has matched, have done so. One that is forced to
/// take another message may not have met it yet.
bool Machine::resolvable(const Process& own, const Receive& receive) const {
    if (receive.resolved || own.forced_open == 0) {
        return true;
    }
    return resolvable(own, receive.posted.order, receive.posted.spec, *taken(receive));
}

bool Machine::resolvable(const Process& own, base::PostingOrder order, const ReceiveSpec& spec,
                         const MessageFacts& facts) const {
    const auto later = std::partition_point(own.pending.begin(), own.pending.end(),
                                            [&](const auto& entry) { return entry.order < order; });
    return std::all_of(own.pending.begin(), later, [&](const auto& entry) {
        const Receive& earlier = own.postings.at(entry.payload).receive;
        const auto took = taken(earlier);
        return !must_match_before(entry.spec, took, spec, facts) || (took && resolvable(own, earlier));
    });
}

/// Whether a probe may see the message: as above, with all receives before the probe.
bool Machine::can_be_seen(const Process& own, const ProbeFence& fence, MessageIndex index) const {
    const Message& message = messages_[index];
    return own.forced_open == 0 ||
           resolvable(own, clocks::never_taken,
                      {.comm = fence.call.comm, .source = fence.call.source, .tag = fence.call.tag},
                      {.source = message.source, .tag = message.tag, .number = message.number});
}

void Machine::resolve(Rank rank, Receive& receive, bool learned, bool takes) {
    if (receive.resolved) {
        return;
    }
    Process& own = process(rank);
    const MessageFacts facts = *taken(receive);
    for (;;) {
        const auto later = std::partition_point(own.pending.begin(), own.pending.end(),
                                                [&](const auto& entry) { return entry.order < receive.posted.order; });
        const auto before = std::find_if(own.pending.begin(), later, [&](const auto& entry) {
            const auto took = taken(own.postings.at(entry.payload).receive);
            return took && must_match_before(entry.spec, took, receive.posted.spec, facts);
        });
        if (before == later) {
            break;
        }
        resolve(rank, own.postings.at(before->payload).receive, learned, true);
    }
    receive.resolved = true;
    Message& message = messages_[receive.message];
    const clocks::IncomingMessage incoming{
        .name = {.source = message.source, .comm = message.comm, .number = message.number},
        .tag = message.tag,
        .clock = message.clock->clock,
        .buffered = takes ? message.buffered : std::nullopt};
    if (takes && message.ready) {
        check_ready(rank, receive, message);
    }
    receive.match = own.record.match(receive.posted, incoming, learned, takes, sent_data(message));
    own.pending.remove(receive.posted.order);
    if (!takes) {
        return;
    }
    if (!own.cancelled.empty()) {
        check_cancelled(own, incoming, receive.posted.order);
    }
    if (message.waited_for && !message.held) {
        acknowledge(message, acknowledged_by(rank, receive), receive.posted_at);
        --own.unacknowledged;
    }
}

/// What the message's sender learns: that the receive has taken it, and if it was to be cancelled, that it was too
/// late.
Snapshot Machine::acknowledged_by(Rank rank, const Receive& receive) const {
    if (!receive.cancel || settings_.protocol != clocks::Protocol::vector) {
        return receive.match.after;
    }
    clocks::Clock clock = receive.match.after->clock;
    clock.merge(receive.cancel->posted->clock);
    clock.vector.add(rank, receive.cancel->choice);
    return Snapshot(std::move(clock));
}

bool Machine::types_may_differ(const Message& message, const transport::TypedData& data) {
    return message.data.type != transport::no_type && data.type != transport::no_type &&
           (message.data.items != data.items || message.data.hash != data.hash);
}

/// The rank receives the message as such data.
void Machine::compare_types(Rank rank, const Message& message, const transport::TypedData& data, std::uint64_t site) {
    constexpr std::size_t most_differences = 4096;
    if (types_may_differ(message, data) && differing_types_.size() < most_differences) {
        differing_types_.insert({.sent = sent_data(message), .destination = rank, .data = data, .site = site});
    }
}

/// The sender of a message of the ready mode must have known that the receive was posted.
void Machine::check_ready(Rank rank, const Receive& receive, const Message& message) {
    const clocks::LazyClocks& clocks = process(rank).record.clocks();
    if (!clocks.marks().postings || receive.posted.order >= clocks::most_marks) {
        ++unjudged_sends_;
    } else if (!clocks.knew_posting(message.clock->clock, receive.posted.order)) {
        unsure_.push_back({.source = message.source,
                           .destination = rank,
                           .comm = message.comm,
                           .tag = message.tag,
                           .site = message.site});
    }
}

/// The message's sender, which waits for it, can go on; it learns what the receiver knew.
void Machine::acknowledge(Message& message, const Snapshot& known, transport::VirtualTime posted_at) {
    Process& sender = process(message.source);
    message.acknowledged = known;
    message.posted_at = posted_at;
    sender.room.free(message.room, known);
    for (const Candidacy& candidacy : std::exchange(message.freed_candidacies, {})) {
        sender.record.add_completable(candidacy.choice, candidacy.poll, candidacy.position, known->clock);
    }
}

/// What the completion of something that is settled tells; null: nothing.
Snapshot Machine::told(Process& own, const Posting& posting) const {
    switch (posting.kind) {
        case Posting::Kind::receive:
            return posting.cancelled ? Snapshot() : posting.receive.match.after;
        case Posting::Kind::matched_receive:
            return posting.after;
        case Posting::Kind::collective:
            return posting.known;
        case Posting::Kind::send:
            return posting.went_on ? *posting.went_on : messages_[posting.message].acknowledged;
        case Posting::Kind::pair:
            return merged(told(own, own.postings.at(posting.paired_send)),
                          told(own, own.postings.at(posting.paired_receive)));
        case Posting::Kind::immediate:
            break;
    }
    return {};
}

/// How much virtual time has passed for those whose acts the completion shows.
transport::VirtualTime Machine::passed_for_others(const Process& own, const Posting& posting) const {
    switch (posting.kind) {
        case Posting::Kind::receive:
            return posting.receive.message == no_message ? 0 : messages_[posting.receive.message].sent_at;
        case Posting::Kind::matched_receive:
            return messages_[posting.message].sent_at;
        case Posting::Kind::collective:
            return posting.passed;
        case Posting::Kind::send:
            return messages_[posting.message].posted_at;
        case Posting::Kind::pair:
            return std::max(passed_for_others(own, own.postings.at(posting.paired_send)),
                            passed_for_others(own, own.postings.at(posting.paired_receive)));
        case Posting::Kind::immediate:
            break;
    }
    return 0;
}

void Machine::settle(Rank rank, Posting& posting, bool learned) {
    if (posting.kind == Posting::Kind::receive && !posting.cancelled) {
        resolve(rank, posting.receive, learned, true);
    }
    if (posting.kind == Posting::Kind::pair) {
        settle(rank, process(rank).postings.at(posting.paired_send), learned);
        settle(rank, process(rank).postings.at(posting.paired_receive), learned);
    }
    if (posting.room != no_room_use && !posting.went_on && !posting.cancelled) {
        Room& room = process(rank).room;
        Room::Way way = room.way(room.up_to(posting.room), settings_.room, process(rank).record.clocks().now()->clock);
        room.learn(way.used);
        posting.went_on = std::move(way.told);
    }
}

void Machine::add_candidacy(Process& own, Posting& posting, Candidacy candidacy) {
    if (!own.record.add_candidate(candidacy.choice)) {
        return;
    }
    const Posting& send = posting.kind == Posting::Kind::pair ? own.postings.at(posting.paired_send) : posting;
    if (send.room != no_room_use && !send.went_on) {
        candidacy.before = own.room.up_to(send.room);
        own.room.keep(candidacy.before);
    }
    posting.candidacies.push_back(std::move(candidacy));
}

/// What the choice would have learned from the operation, which is settled.
Snapshot Machine::known_of(Process& own, const Posting& posting, const Candidacy& candidacy) {
    if (posting.kind == Posting::Kind::pair) {
        return merged(known_of(own, own.postings.at(posting.paired_send), candidacy),
                      known_of(own, own.postings.at(posting.paired_receive), candidacy));
    }
    if (posting.kind == Posting::Kind::send && !candidacy.before.empty()) {
        return own.room.way(candidacy.before, settings_.room, own.record.epochs()[candidacy.choice].epoch.posted).told;
    }
    // With Lamport clocks not what is known after the match: that would count it as one after the choice.
    const bool receive = posting.kind == Posting::Kind::receive;
    return receive && settings_.protocol == clocks::Protocol::lamport ? posting.receive.match.past : told(own, posting);
}

/// What depends on an operation that is settled and goes: choices that could have reported it, a cancellation that came
/// too late.
void Machine::conclude(Process& own, Posting& posting) {
    if (!posting.cancelled) {
        for (const Candidacy& candidacy : posting.candidacies) {
            const Snapshot known = known_of(own, posting, candidacy);
            own.record.add_completable(candidacy.choice, candidacy.poll, candidacy.position,
                                       known ? known->clock : clocks::Clock{});
        }
    }
    posting.candidacies.clear();
    if (!posting.receive.cancel) {
        return;
    }
    const auto cancel = *std::exchange(posting.receive.cancel, std::nullopt);
    const Decision* decision = own.record.decision(cancel.choice);
    own.imprecise = own.imprecise || (decision != nullptr && decision->outcome.completed.empty());
    // Where its request was freed the program is never told.
    own.record.choose(cancel.choice, {0}, {posting.receive.match.after}, cancel.posted, !posting.freed);
}

/// Whether of the receive that is to be cancelled it can be told which message it would meet otherwise, and that
/// nothing else depends on what becomes of it: no other receive that is pending could take the same messages, and
/// nobody has heard of its match.
bool Machine::may_come_otherwise(const Process& own, const Receive& receive) const {
    const ReceiveSpec& spec = receive.posted.spec;
    if (settings_.protocol != clocks::Protocol::vector || spec.wildcard() || receive.resolved) {
        return false;
    }
    if (receive.message != no_message) {
        const Message& message = messages_[receive.message];
        if (message.waited_for || message.keeps_buffer || types_may_differ(message, receive.data)) {
            return false;
        }
    }
    return std::none_of(own.pending.begin(), own.pending.end(), [&](const auto& other) {
        const bool same_tags =
            other.spec.tag == base::any_tag || spec.tag == base::any_tag || other.spec.tag == spec.tag;
        return other.order != receive.posted.order && same_tags &&
               other.spec.fits(spec.comm, spec.source, other.spec.tag);
    });
}

/// The receive has met its message only after it had been cancelled, so it has not: the message is for others.
void Machine::withdraw(Rank rank, Operation operation) {
    Process& own = process(rank);
    Receive& receive = own.postings.at(operation).receive;
    const MessageIndex index = std::exchange(receive.message, no_message);
    Message& message = messages_[index];
    message.taken = false;
    std::erase(own.met, operation);
    Stream& messages = own.unexpected[{message.comm, message.source}];
    messages.insert(std::find_if(messages.begin(), messages.end(),
                                 [&](MessageIndex other) { return messages_[other].number > message.number; }),
                    index);
    if (settings_.list_matches) {
        matches_.push_back({.rank = rank, .operation = operation, .message = {}, .epoch = {}, .withdrawn = true});
    }
}

/// If a receive that was cancelled in time would have been the one to take the message, MPI_Cancel could have come too
/// late. Of each only the first message counts, which it would have taken before all others.
void Machine::meet_cancelled(Rank rank, const Message& message) {
    Process& own = process(rank);
    std::erase_if(own.cancelled, [&](const CancelledReceive& receive) {
        if (!receive.explored || !receive.spec.fits(message.comm, message.source, message.tag)) {
            return false;
        }
        if (!message.clock->clock.vector.knows(rank, receive.epoch) && own.record.add_candidate(receive.epoch)) {
            own.record.add_completable(receive.epoch, 0, 0, message.clock->clock);
        }
        return true;
    });
}

/// A message that a cancelled receive might have taken raced with the cancellation.
void Machine::check_cancelled(Process& own, const clocks::IncomingMessage& message, base::PostingOrder taken_by) {
    const Rank rank = static_cast<Rank>(&own - processes_.data());
    std::erase_if(own.cancelled, [&](const CancelledReceive& receive) {
        const bool knows = settings_.protocol == clocks::Protocol::vector
                               ? message.clock.vector.knows(rank, receive.epoch)
                               : !(message.clock.lamport < receive.after->clock.lamport);
        if (receive.explored || receive.order > taken_by ||
            !receive.spec.fits(message.name.comm, message.name.source, message.tag) || knows) {
            return false;
        }
        ++raced_cancels_;
        return true;
    });
}

bool Machine::take(Rank rank, const CancelCall& call) {
    Process& own = process(rank);
    Posting* posting = find(own, call.operation);
    if (!may_call(rank) || posting == nullptr) {
        return false;
    }
    give_up_polling(rank, call.situation.function, call.situation.site);
    history_counts_ = true;
    if (posting->kind == Posting::Kind::send) {
        Message& message = messages_[posting->message];
        if (!message.taken && !posting->told) {
            take_from_stream(process(message.destination), posting->message);
            posting->cancelled = true;
            own.room.free(posting->room, Snapshot(clocks::Clock()));
            release_message(posting->message);  // the receiver's
        }
        return true;
    }
    if (posting->kind != Posting::Kind::receive || posting->told || posting->cancel_called) {
        return true;  // without effect
    }
    Receive::Cancel cancel;
    cancel.posted = own.record.clocks().now();
    cancel.choice = own.record.post_choice(EpochKind::cancel, call.situation);
    posting->cancel_called = true;
    const bool explored = may_come_otherwise(own, posting->receive);
    const Decision* decision = own.record.decision(cancel.choice);
    const bool decided_too_late = decision != nullptr && !decision->outcome.completed.empty();
    MessageIndex met = no_message;
    if (explored && !decided_too_late && posting->receive.message != no_message) {
        met = posting->receive.message;
        withdraw(rank, call.operation);
    }
    if (posting->receive.message != no_message || posting->receive.forced || decided_too_late) {
        // Too late, or it has to be.
        raced_cancels_ += explored ? 0 : 1;
        posting->candidacies.push_back({.choice = cancel.choice, .position = 0});
        posting->receive.cancel = cancel;
        return true;
    }
    posting->cancelled = true;
    own.record.choose(cancel.choice, {}, {}, cancel.posted);
    own.cancelled.push_back({.spec = posting->receive.posted.spec,
                             .order = posting->receive.posted.order,
                             .epoch = cancel.choice,
                             .after = own.record.clocks().now(),
                             .explored = explored});
    if (met != no_message) {
        meet_cancelled(rank, messages_[met]);
    } else {
        own.posted.remove(posting->receive.posted.order, asked(posting->receive));
    }
    own.record.drop(posting->receive.posted);
    own.pending.remove(posting->receive.posted.order);
    match_named(rank);
    return true;
}

bool Machine::take(Rank rank, const FreeCall& call) {
    Process& own = process(rank);
    Posting* posting = find(own, call.operation);
    if (!may_call(rank) || posting == nullptr || posting->freed) {
        return false;
    }
    give_up_polling(rank, "MPI_Request_free", 0);
    history_counts_ = true;
    if (posting->kind == Posting::Kind::pair) {
        if (complete(own, *posting)) {
            settle(rank, *posting, false);
            conclude(own, *posting);
        } else {
            freed_choices_ += posting->candidacies.size();
        }
        const Operation parts[] = {posting->paired_send, posting->paired_receive};
        own.postings.erase(call.operation);
        return take(rank, FreeCall{parts[0]}) && take(rank, FreeCall{parts[1]});
    }
    posting->freed = true;
    const bool receives = posting->kind == Posting::Kind::receive && !posting->cancelled;
    if (!receives && posting->kind != Posting::Kind::collective) {
        if (complete(own, *posting)) {
            conclude(own, *posting);
        } else {
            messages_[posting->message].freed_candidacies = std::move(posting->candidacies);
        }
        erase(own, call.operation);
    } else if (receives && posting->receive.message != no_message) {
        own.freed_matched.push_back(call.operation);
        finish_freed(rank);
    }
    return true;
}

bool Machine::take(Rank rank, const AbortCall& /*call*/) { return may_call(rank); }

}  // namespace dampi::scheduler::central
