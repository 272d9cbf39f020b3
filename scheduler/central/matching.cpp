// Messages and receives: which of them match, and what the clocks make of it.
#include "scheduler/central/machine.hpp"

#include "clocks/causal_order.hpp"

#include <algorithm>

namespace dampi::scheduler::central {
namespace {

using clocks::any_source;
using clocks::MessageFacts;
using clocks::ReceiveSpec;
using clocks::Snapshot;
using replay::Decision;
using replay::EpochKind;
using namespace replay::central;

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
    message.clock = own.record.clocks().now();
    message.buffered_mode = call.mode == SendMode::buffered;
    const bool alone = settings_.waits_alone && groups_.at(call.comm).size() == 1;
    message.waited_for =
        call.mode == SendMode::synchronous || (!message.buffered_mode && (call.bytes >= settings_.waits_from || alone));
    message.bytes = call.bytes;
    message.payload = call.payload;
    message.site = call.site;
    message.references = posting == nullptr ? 1 : 2;
    own.buffered += message.buffered_mode ? 1 : 0;
    ++own.traffic;
    const MessageIndex index = add_message(std::move(message));
    if (posting != nullptr) {
        posting->message = index;
    }
    Process& receiver = process(call.destination);
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
        (call.tag < 0 && call.tag != clocks::any_tag)) {
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
    receive.posted = own.record.post(spec, EpochKind::receive, call.situation, communicator_name(own, call.comm));
    receive.asked = call.source;
    receive.site = call.situation.site;
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
    own.pending.add(receive.posted.order, spec, call.operation);
    own.posted.push_back(call.operation);
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
    return true;
}

bool Machine::take(Rank rank, const ImmediateCall& call) {
    if (!may_call(rank)) {
        return false;
    }
    give_up_polling(rank, "another function", 0);
    return add(rank, call.operation, Posting::Kind::immediate) != nullptr;
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
            if (spec.tag == clocks::any_tag || spec.tag == messages_[index].tag) {
                return index;
            }
        }
    }
    return no_message;
}

/// The first receive posted that fits the message.
Operation Machine::first_posted(const Process& own, const Message& message) {
    for (const Operation operation : own.posted) {
        if (asked(own.postings.at(operation).receive).fits(message.comm, message.source, message.tag)) {
            return operation;
        }
    }
    return no_operation;
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

/// The same for all receives of the rank, after something has gone that they stood behind.
void Machine::match_named(Rank rank) {
    Process& own = process(rank);
    for (bool again = true; again;) {
        again = false;
        for (const Operation operation : own.posted) {
            const ReceiveSpec spec = asked(own.postings.at(operation).receive);
            const MessageIndex index =
                spec.source == any_source ? no_message : matchable(own, spec, spec.source, operation);
            if (index != no_message) {
                match(rank, operation, index);
                again = true;
                break;
            }
        }
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
    if (message.buffered_mode) {
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
                            .message = {.source = message.source, .comm = message.comm, .number = message.number}});
    }
    const bool chosen = posting.receive.asked == any_source;
    own.posted.erase(std::find(own.posted.begin(), own.posted.end(), operation));
    take_from_stream(own, index);
    const Rank source = messages_[index].source;
    const bool was_buffered = messages_[index].buffered_mode;
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

/// Senders wait to hear what the receives knew: all that have matched are resolved, without the program's knowing.
void Machine::notice(Rank rank) {
    Process& own = process(rank);
    std::vector<Operation> operations;
    for (const auto& entry : own.pending) {
        operations.push_back(entry.payload);
    }
    std::vector<Rank> told_now;
    for (const Operation operation : operations) {
        Receive& receive = own.postings.at(operation).receive;
        if (receive.message != no_message && resolvable(own, receive)) {
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

bool Machine::resolvable(const Process& own, clocks::PostingOrder order, const ReceiveSpec& spec,
                         const MessageFacts& facts) const {
    return std::all_of(own.pending.begin(), own.pending.end(), [&](const auto& entry) {
        if (entry.order >= order) {
            return true;
        }
        const Receive& earlier = own.postings.at(entry.payload).receive;
        const auto took = taken(earlier);
        return !must_match_before(entry.spec, took, spec, facts) || (took && resolvable(own, earlier));
    });
}

/// The same for a probe.
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
        const auto before = std::find_if(own.pending.begin(), own.pending.end(), [&](const auto& entry) {
            const auto took = taken(own.postings.at(entry.payload).receive);
            return entry.order < receive.posted.order && took &&
                   must_match_before(entry.spec, took, receive.posted.spec, facts);
        });
        if (before == own.pending.end()) {
            break;
        }
        resolve(rank, own.postings.at(before->payload).receive, learned, true);
    }
    receive.resolved = true;
    Message& message = messages_[receive.message];
    const clocks::IncomingMessage incoming{
        .name = {.source = message.source, .comm = message.comm, .number = message.number},
        .tag = message.tag,
        .clock = message.clock->clock};
    receive.match = own.record.match(receive.posted, incoming, learned, takes);
    own.pending.remove(receive.posted.order);
    if (!takes) {
        return;
    }
    if (!own.cancelled.empty()) {
        check_cancelled(own, incoming, receive.posted.order);
    }
    if (message.waited_for) {
        message.acknowledged = receive.match.after;
        --own.unacknowledged;
    }
}

/// What the completion of something that is settled tells; null: nothing.
Snapshot Machine::told(Process& /*own*/, const Posting& posting) const {
    switch (posting.kind) {
        case Posting::Kind::receive:
            return posting.cancelled ? Snapshot() : posting.receive.match.after;
        case Posting::Kind::matched_receive:
            return posting.after;
        case Posting::Kind::collective:
            return posting.known;
        case Posting::Kind::send:
            return messages_[posting.message].acknowledged;
        case Posting::Kind::immediate:
            break;
    }
    return {};
}

void Machine::settle(Rank rank, Posting& posting, bool learned) {
    if (posting.kind == Posting::Kind::receive && !posting.cancelled) {
        resolve(rank, posting.receive, learned, true);
    }
}

/// What depends on an operation that is settled and goes: choices that could have reported it, its cancellation.
void Machine::conclude(Process& own, Posting& posting) {
    const bool receive = posting.kind == Posting::Kind::receive;
    if (!posting.cancelled) {
        // With Lamport clocks not what is known after the match: that would count it as one after the choice.
        const Snapshot known = receive && settings_.protocol == clocks::Protocol::lamport ? posting.receive.match.past
                                                                                          : told(own, posting);
        for (const Candidacy& candidacy : posting.candidacies) {
            own.record.add_completable(candidacy.choice, candidacy.position, known ? known->clock : clocks::Clock{});
        }
    }
    posting.candidacies.clear();
    if (!posting.cancel) {
        return;
    }
    const auto cancel = *std::exchange(posting.cancel, std::nullopt);
    if (posting.cancelled) {
        own.record.choose(cancel.choice, {}, {}, 0, cancel.posted);
        own.cancelled.push_back({.spec = posting.receive.posted.spec,
                                 .order = posting.receive.posted.order,
                                 .epoch = cancel.choice,
                                 .after = own.record.clocks().now()});
        return;
    }
    const Decision* decision = own.record.decision(cancel.choice);
    own.imprecise = own.imprecise || (decision != nullptr && decision->outcome.completed.empty());
    ++raced_cancels_;
    own.record.choose(cancel.choice, {0}, {posting.receive.match.after}, 0, cancel.posted);
}

/// A message that a cancelled receive might have taken raced with the cancellation.
void Machine::check_cancelled(Process& own, const clocks::IncomingMessage& message, clocks::PostingOrder taken_by) {
    const Rank rank = static_cast<Rank>(&own - processes_.data());
    std::erase_if(own.cancelled, [&](const CancelledReceive& receive) {
        const bool knows = settings_.protocol == clocks::Protocol::vector
                               ? message.clock.vector.knows(rank, receive.epoch)
                               : !(message.clock.lamport < receive.after->clock.lamport);
        if (receive.order > taken_by || !receive.spec.fits(message.name.comm, message.name.source, message.tag) ||
            knows) {
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
    if (posting->kind == Posting::Kind::send) {
        Message& message = messages_[posting->message];
        if (!message.taken && !posting->told) {
            take_from_stream(process(message.destination), posting->message);
            posting->cancelled = true;
            release_message(posting->message);  // the receiver's
        }
        return true;
    }
    if (posting->kind != Posting::Kind::receive || posting->told || posting->cancel) {
        return true;  // without effect
    }
    Posting::Cancel cancel;
    cancel.posted = own.record.clocks().now();
    cancel.choice = own.record.post_choice(EpochKind::cancel, call.situation);
    posting->candidacies.push_back({.choice = cancel.choice, .position = 0});
    const Decision* decision = own.record.decision(cancel.choice);
    posting->cancel = cancel;
    if (posting->receive.message != no_message || (decision != nullptr && !decision->outcome.completed.empty())) {
        return true;  // too late, or it has to be
    }
    posting->cancelled = true;
    own.forced_open -= posting->receive.forced ? 1 : 0;
    posting->candidacies.pop_back();
    own.posted.erase(std::find(own.posted.begin(), own.posted.end(), call.operation));
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
    posting->freed = true;
    const bool receives = posting->kind == Posting::Kind::receive && !posting->cancelled;
    if (!receives && posting->kind != Posting::Kind::collective) {
        conclude(own, *posting);
        erase(own, call.operation);
    } else if (receives && posting->receive.message != no_message) {
        own.freed_matched.push_back(call.operation);
        finish_freed(rank);
    }
    return true;
}

bool Machine::take(Rank rank, const AbortCall& /*call*/) { return may_call(rank); }

}  // namespace dampi::scheduler::central
