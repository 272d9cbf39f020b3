#include "piggyback/distributed/matching/matching.hpp"

#include "base/check.hpp"
#include "piggyback/distributed/divergence.hpp"
#include "piggyback/distributed/free_pick.hpp"
#include "piggyback/distributed/matching/cancelled_receives.hpp"
#include "piggyback/distributed/matching/types.hpp"
#include "piggyback/distributed/turns.hpp"
#include "piggyback/distributed/waiting.hpp"
#include "piggyback/rank/errors/errors.hpp"
#include "piggyback/rank/status.hpp"
#include "piggyback/rank/time/virtual_time.hpp"
#include "replay/divergence_text.hpp"

#include <optional>
#include <string>
#include <utility>

namespace dampi::piggyback::distributed {

using base::any_source;
using base::any_tag;
using base::Rank;
using base::Tag;
using clocks::Posted;
using replay::EpochKind;
using transport::no_epoch;
using transport::WaitKind;

namespace {

using Pending = clocks::PendingReceives<PendingReceive>::Entry;

/// The decision for an epoch that has just been opened, if it was made for such an operation.
const transport::RankDecision* decision_for(DistributedLayer& layer, const Call& call, std::uint32_t index,
                                            EpochKind kind, const base::ReceiveSpec& spec) {
    const auto* decision = layer.diverged ? nullptr : layer.port.decision(index);
    if (decision == nullptr) {
        return nullptr;
    }
    const replay::EpochOperation decided{
        .kind = static_cast<EpochKind>(decision->kind), .comm = decision->comm, .tag = decision->tag};
    const replay::EpochOperation met{.kind = kind, .comm = spec.comm, .tag = spec.tag};
    const bool another_polls = decision->poll != 0 && replay::is_epoch_kind(decision->kind) &&
                               replay::is_polling(decided.kind) && replay::is_polling(kind);
    if (decided == met || another_polls) {
        return decision;
    }
    diverge(layer, call, index, replay::other_operation_text({layer.rank(), index}, decided, met));
    return nullptr;
}

base::ReceiveSpec spec_of(const Communicator& communicator, int source, int tag) {
    return {.comm = communicator.id,
            .source = source == MPI_ANY_SOURCE ? any_source : communicator.peer(source),
            .tag = tag == MPI_ANY_TAG ? any_tag : tag};
}

void record_posted(DistributedLayer& layer, const Posted& receive) {
    layer.log.append(transport::ReceivePostedRecord{.comm = receive.spec.comm,
                                                    .order = receive.order,
                                                    .posted_at = receive.at,
                                                    .oldest_pending = receive.oldest_pending,
                                                    .posted_clock = publish(layer, receive.clock),
                                                    .source = receive.spec.source,
                                                    .tag = receive.spec.tag});
}

/// What an epoch may match depends on the receives that are pending when it is posted.
void record_pending(DistributedLayer& layer, base::PostingOrder order) {
    layer.clocks.record_pending(order, [&](const Posted& receive) { record_posted(layer, receive); });
}

/// The message that a receive or probe has met.
struct Met {
    Rank source;
    Tag tag;
    std::uint64_t value = 0;  ///< that it carries (library_values.hpp), or carries_nothing; 0: not known
};

constexpr std::uint64_t carries_nothing = ~std::uint64_t{0};

/// What MPI tells of a receive of this rank that has met a message: what the receive names, and only what it leaves
/// open from MPI's status (`source` is a rank in the communicator). The library has written the message's value by now.
Met met(const Posting& posting, const Communicator& communicator, int source, int tag) {
    const base::ReceiveSpec& spec = posting.posted.spec;
    const std::uint64_t value = posting.values.message();
    return {.source = spec.source != any_source ? spec.source : communicator.peer(source),
            .tag = spec.tag != any_tag ? spec.tag : tag,
            .value = value == 0 && posting.values.bound ? carries_nothing : value};
}

/// Which message the receive has met, without asking MPI: where the library has written it down, whether or not all of
/// it has come.
std::optional<Met> told(DistributedLayer& layer, const Posting& posting) {
    const std::uint64_t value = posting.values.message();
    const auto named = named_by(value);
    const auto envelope = named ? layer.port.at(named->rank, named->number) : std::nullopt;
    return envelope ? std::optional(Met{.source = named->rank, .tag = envelope->tag, .value = value}) : std::nullopt;
}

/// The envelope of the message that a receive or probe has met, none for one that came without. It is what the reader
/// has found last.
std::optional<transport::Envelope> envelope_of(DistributedLayer& layer, const Posted& posted, const Met& met) {
    if (met.value == carries_nothing) {
        return std::nullopt;
    }
    auto found = layer.port.first_fitting(met.source, posted.spec.comm, met.tag);
    if (const auto named = named_by(met.value);
        named && (!found || layer.port.found_position(met.source) != named->number)) {
        // What the message says of itself and what follows from the order are the same, unless there are operations
        // that the layer does not see in their order.
        DAMPI_CHECK(layer.multithreaded || layer.unmodelled_calls);
        found = layer.port.at(met.source, named->number);
    }
    return found;
}

/// A message of the ready mode is taken: its sender must have known that this receive was posted.
void check_ready(DistributedLayer& layer, const Posted& posted, const transport::Envelope& envelope,
                 const clocks::IncomingMessage& message) {
    if (layer.clocks.knew_posting(message.clock, posted.order)) {
        return;
    }
    if (layer.marks_doubtful || layer.multithreaded || layer.unmodelled_calls || posted.order >= clocks::most_marks) {
        layer.count_not_modelled("ready sends: is the receive posted");
        return;
    }
    layer.log.append(transport::UnsureReadyRecord{
        .comm = envelope.comm, .source = message.name.source, .tag = envelope.tag, .site = envelope.site});
}

SentData sent_data(const clocks::IncomingMessage& message, const transport::Envelope& envelope) {
    return {.name = message.name, .tag = envelope.tag, .data = envelope.data, .send_site = envelope.site};
}

/// What becomes of a message that has been met: a probe leaves it, a matched probe holds it for its receive.
enum class Take : std::uint8_t { nothing, message, held };

/// Takes the envelope, which the reader has found last, of the message that a receive or probe has matched and tells
/// clocks and record. `learned`: the program gets to know now.
TakenMessage take_envelope(DistributedLayer& layer, const Posted& posted, const Asked& asked, const Met& met,
                           const std::optional<transport::Envelope>& envelope, Take take, bool learned) {
    transport::HeldEnvelope held;
    const Rank source = met.source;
    std::optional<clocks::IncomingMessage> message;
    if (envelope) {
        layer.windows.hearsay.message(source);
        message = {.name = {source, posted.spec.comm, envelope->number},
                   .tag = envelope->tag,
                   .clock = layer.port.clock_of(source, envelope->clock)};
        if (take != Take::nothing && envelope->buffered != 0) {
            message->buffered = envelope->buffered - 1;
        }
        if (take != Take::nothing && envelope->ready) {
            check_ready(layer, posted, *envelope, *message);
        }
        if (take == Take::message && !agrees(layer, envelope->data, asked)) {
            note_difference(layer, sent_data(*message, *envelope), asked);
        }
    } else {
        layer.windows.hearsay.somebody();
        layer.count_not_modelled("messages from calls that are not modelled");
    }
    if (!learned) {
        record_receive(layer, posted);
    }
    clocks::Match match = layer.clocks.match(posted, source, message ? &*message : nullptr, learned);
    if (match.recorded) {
        layer.log.append(transport::MatchedRecord{.order = posted.order,
                                                  .settled_at = match.at,
                                                  .number = envelope ? envelope->number : 0,
                                                  .final_clock = match.final.value,
                                                  .past_clock = publish(layer, match.past),
                                                  .after_clock = publish(layer, match.after),
                                                  .source = source,
                                                  .tag = envelope ? envelope->tag : met.tag});
    }
    if (envelope && take != Take::nothing) {
        if (!layer.cancelled.empty()) {
            check_cancelled(layer, *message, posted.order);
        }
        count_up(layer.board().messages_received);
        if (envelope->synchronous && take == Take::held) {
            held = layer.port.hold(source);
        } else {
            layer.port.take(source, envelope->synchronous,
                            {.clock = envelope->synchronous ? publish(layer, match.after) : 0, .posted_at = asked.at});
        }
        if (layer.clocks.epochs() != 0 && layer.clocks.is_late(*message, posted.order)) {
            layer.log.append(transport::LateMessageRecord{.comm = posted.spec.comm,
                                                          .number = envelope->number,
                                                          .taken_by = posted.order,
                                                          .clock = envelope->clock,
                                                          .source = source,
                                                          .tag = envelope->tag,
                                                          .site = envelope->site,
                                                          .data = transport::fields_of(envelope->data)});
        }
    }
    TakenMessage taken{.after = std::move(match.after),
                       .known = envelope.has_value(),
                       .sent_at = envelope ? envelope->sent_at : 0,
                       .held = held};
    if (take == Take::held && envelope) {
        taken.sent = std::make_shared<const SentData>(sent_data(*message, *envelope));
    }
    return taken;
}

TakenMessage bind(DistributedLayer& layer, const Posted& posted, const Asked& asked, const Met& met, Take take,
                  bool learned) {
    return take_envelope(layer, posted, asked, met, envelope_of(layer, posted, met), take, learned);
}

void remove_pending(DistributedLayer& layer, base::PostingOrder order) {
    if (Pending* found = layer.pending.find(order)) {
        const std::uint64_t shown = found->payload.shown;
        layer.pending.erase(found);
        layer.port.hide_posted(shown);
    }
}

/// A pending receive for which nothing is open before it.
void bind_pending(DistributedLayer& layer, const Posted& posted, const Asked& asked, std::optional<TakenMessage>* taken,
                  const Met& met, bool learned) {
    *taken = bind(layer, posted, asked, met, Take::message, learned);
    remove_pending(layer, posted.order);
}

/// The first pending receive that must have matched before a receive or probe which has met the first open message
/// from `source` with `tag` (clocks/causal_order.hpp); null if none is left.
Pending* first_before(DistributedLayer& layer, const Posted& posted, Rank source, Tag tag) {
    const base::CommId comm = posted.spec.comm;
    if (layer.pending.empty()) {
        return nullptr;
    }
    if (Pending* entry = layer.pending.first_before(posted.order, comm, source, tag)) {
        return entry;
    }
    if (posted.spec.tag != any_tag) {
        return nullptr;
    }
    // Open messages in front of that one have been taken by earlier receives, too: it would have had to accept them.
    const auto message = layer.port.first_fitting(source, comm, tag);
    std::uint64_t from = 0;
    while (message) {
        const auto earlier = layer.port.first_open(source, comm, from);
        if (!earlier || earlier->number >= message->number) {
            return nullptr;
        }
        if (Pending* entry = layer.pending.first_before(posted.order, comm, source, earlier->tag)) {
            return entry;
        }
        from = earlier->number + 1;
    }
    return nullptr;
}

/// What MPI says of a pending receive; nothing for one that has not completed, or was `cancelled`.
std::optional<Met> ask(const Pending& entry, bool& cancelled) {
    int flag = 0;
    MPI_Status status{};  // MPICH leaves it as it is for partitioned receives
    peek(entry.payload.handle, &flag, &status);
    if (flag == 0) {
        return std::nullopt;
    }
    cancelled = was_cancelled(status);
    return cancelled ? std::nullopt
                     : std::optional(
                           met(*entry.payload.posting, *entry.payload.communicator, status.MPI_SOURCE, status.MPI_TAG));
}

void resolve_before(DistributedLayer& layer, const Call& call, const Posted& posted, Rank source, Tag tag);

/// Resolves a pending wildcard receive: waits until MPI says which message it has taken. It is called when the receive
/// must have matched, so this ends; under a wrong decision it does not, which dampi-run sees and calls imprecise.
void resolve_wildcard(DistributedLayer& layer, const Call& call, const Pending& entry) {
    const Rank forced = entry.payload.posting->forced;
    Waiting waiting(
        layer, call,
        [&](WaitDescription& description) {
            description.add({.kind = WaitKind::receive,
                             .forced = static_cast<std::uint8_t>(forced != any_source),
                             .peer = forced,
                             .tag = entry.spec.tag,
                             .comm = entry.spec.comm,
                             .number = 0});
        },
        Ends::by_mpi);
    // It may be resolved meanwhile, by a look for others.
    while (const Pending* now = layer.pending.find(entry.order)) {
        bool cancelled = false;
        std::optional<Met> found;
        if (now->payload.handle != MPI_REQUEST_NULL) {  // else another thread is resolving it
            found = told(layer, *entry.payload.posting);
            if (!found) {
                found = ask(entry, cancelled);
            }
        }
        if (cancelled) {
            drop(layer, entry.payload.posting->posted);
            return;
        }
        if (found) {
            const Posted posted = entry.payload.posting->posted;  // gone when another thread completes it meanwhile
            const Asked asked = entry.payload.posting->asked;
            resolve_before(layer, call, posted, found->source, found->tag);
            if (layer.pending.find(entry.order) != nullptr) {
                bind_pending(layer, posted, asked, entry.payload.taken, *found, true);
            }
            return;
        }
        waiting.pause();
    }
}

/// Resolves a pending receive from a named source, about which MPI need not be asked.
void resolve_named(DistributedLayer& layer, const Call& call, const Pending& entry) {
    const Posted posted = entry.payload.posting->posted;
    const Asked asked = entry.payload.posting->asked;
    const Rank source = posted.spec.source;
    const std::optional<Met> known = told(layer, *entry.payload.posting);
    const std::uint64_t value = known ? known->value : 0;
    for (;;) {
        Tag tag = known ? known->tag : posted.spec.tag;
        if (tag == any_tag) {
            // It has taken the first message that no earlier receive has taken.
            const auto first = layer.port.first_open(source, posted.spec.comm, 0);
            tag = first ? first->tag : any_tag;
        }
        if (layer.pending.find(entry.order) == nullptr) {
            return;
        }
        if (first_before(layer, posted, source, tag) == nullptr) {
            bind_pending(layer, posted, asked, entry.payload.taken, {.source = source, .tag = tag, .value = value},
                         true);
            return;
        }
        resolve_before(layer, call, posted, source, tag);
    }
}

/// CompleteNow: everything pending that must have matched before an operation that has met a message from
/// `source` with `tag`.
void resolve_before(DistributedLayer& layer, const Call& call, const Posted& posted, Rank source, Tag tag) {
    while (const Pending* found = first_before(layer, posted, source, tag)) {
        const Pending entry = *found;
        if (entry.spec.wildcard()) {
            resolve_wildcard(layer, call, entry);
        } else {
            resolve_named(layer, call, entry);
        }
    }
}

/// `asks`: also about receives of which the library has written down nothing.
void resolve_completed(DistributedLayer& layer, bool learned, bool asks) {
    bool first = true;
    bool again = true;
    while (again) {
        bool resolved = false;
        bool blocked = false;
        std::vector<base::PostingOrder> orders;
        for (const Pending& entry : layer.pending) {
            if (entry.payload.handle != MPI_REQUEST_NULL) {
                orders.push_back(entry.order);
            }
        }
        for (const base::PostingOrder order : orders) {
            const Pending entry = *layer.pending.find(order);
            std::optional<Met> found = told(layer, *entry.payload.posting);
            if (!found && asks) {
                bool cancelled = false;
                found = ask(entry, cancelled);
            }
            if (!found) {
                continue;
            }
            const Posted& posted = entry.payload.posting->posted;
            if (first_before(layer, posted, found->source, found->tag) == nullptr) {
                bind_pending(layer, posted, entry.payload.posting->asked, entry.payload.taken, *found, learned);
                resolved = true;
            } else {
                blocked = true;
            }
        }
        // One that was asked earlier may have completed in the meantime.
        again = blocked && (resolved || first);
        first = false;
    }
}

/// One of the sources whose messages are there for a wildcard that nothing decides, at random; nothing where there is
/// no choice, or where a receive that is still pending, or one that the layer does not know, may have taken the message
/// already. MPI could match any of these: their sends have begun, and what is named of a source is its first message
/// that fits.
std::optional<Rank> pick_source(DistributedLayer& layer, const Communicator& communicator, const Posted& posted) {
    if (layer.diverged || layer.multithreaded || layer.unmodelled_calls) {
        return std::nullopt;
    }
    std::vector<Rank> sources;
    for (const Rank source : communicator.peers) {
        const auto first = layer.port.first_fitting(source, posted.spec.comm, posted.spec.tag);
        if (first && layer.pending.first_before(posted.order, posted.spec.comm, source, first->tag) == nullptr) {
            sources.push_back(source);
        }
    }
    if (sources.size() < 2) {
        return std::nullopt;
    }
    return sources[free_pick(layer.free_seed, {layer.rank(), *posted.epoch}, sources.size())];
}

/// The facts of an epoch, from its first call on. `communicator`: null for choices.
void record_epoch(DistributedLayer& layer, const Call& call, EpochKind kind, const Posted& posted, bool forced,
                  const Communicator* communicator, const transport::TypedData& data = {}) {
    const Brackets::Bracket bracket = layer.brackets.innermost();
    const std::uint32_t stack =
        layer.record_stacks ? layer.call_stacks.number(layer, call.site()) : transport::EpochPostedRecord::no_stack;
    layer.log.append(transport::EpochPostedRecord{
        .index = *posted.epoch,
        .kind = static_cast<std::uint32_t>(kind),
        .comm = posted.spec.comm,
        .order = posted.order,
        .posted_at = posted.at,
        .oldest_pending = posted.oldest_pending,
        .posted_clock = publish(layer, posted.clock),
        .site = call.site(),
        .tag = posted.spec.tag,
        .source = posted.spec.source,
        .forced = forced ? 1U : 0U,
        .call = call.function(),
        .zone = layer.zone,
        .bracketed = bracket.self_run_only ? 1U : 0U,
        .mixing_bound = bracket.mixing_bound.value_or(transport::EpochPostedRecord::no_mixing_bound),
        .stack = stack,
        .previous_follow_up = layer.follow_up.begin_epoch(),
        .communicator_name = communicator != nullptr ? communicator->given_name : "",
        .operation = layer.turns.operations,
        .data = transport::fields_of(data)});
}

Choice open_choice(DistributedLayer& layer, const Call& call, EpochKind kind, Posted facts,
                   const Communicator* communicator) {
    facts.epoch = layer.clocks.post_choice();
    Choice choice{.index = *facts.epoch, .posted = facts.clock, .probe = facts, .decision = nullptr};
    choice.decision = decision_for(layer, call, choice.index, kind, facts.spec);
    record_epoch(layer, call, kind, facts, choice.decision != nullptr && !choice.decision->open, communicator);
    return choice;
}

}  // namespace

Posting post(DistributedLayer& layer, const Call& call, Communicator& communicator, int source, int tag, EpochKind kind,
             const transport::TypedData& data) {
    take_turn(layer, call);
    const bool epoch = source == MPI_ANY_SOURCE;
    Posting posting{.posted = layer.clocks.post(spec_of(communicator, source, tag), epoch), .source = source};
    posting.asked = {.data = data, .site = call.site(), .at = layer.port.passed()};
    if (!epoch) {
        layer.follow_up.communicates(layer, call, posting.posted.spec.source);
        return posting;
    }
    const Posted& posted = posting.posted;
    bool decided = false;
    if (const auto* decision = decision_for(layer, call, *posted.epoch, kind, posted.spec)) {
        const int forced = communicator.rank_of(decision->source);
        if (forced != MPI_UNDEFINED) {
            posting.forced = decision->source;
            posting.source = forced;
            decided = true;
        } else {
            diverge(layer, call, *posted.epoch,
                    "rank " + std::to_string(layer.rank()) + " was to receive from rank " +
                        std::to_string(decision->source) + " in its operation " + std::to_string(*posted.epoch) +
                        ", which is not in the communicator");
        }
    } else if (layer.free_seed != 0) {
        if (const auto picked = pick_source(layer, communicator, posted)) {
            posting.forced = *picked;
            posting.source = communicator.rank_of(*picked);
        }
    }
    record_epoch(layer, call, kind, posted, decided, &communicator, data);
    record_pending(layer, posted.order);
    return posting;
}

void keep_pending(DistributedLayer& layer, const Call& call, Communicator& communicator, const Posting& posting,
                  MPI_Request handle, std::optional<TakenMessage>& taken) {
    const Posted& posted = posting.posted;
    const std::uint64_t shown = layer.port.show_posted({.spec = posted.spec,
                                                        .epoch = posted.epoch.value_or(no_epoch),
                                                        .order = posted.order,
                                                        .site = call.site(),
                                                        .posted_clock = publish(layer, posted.clock),
                                                        .posted_at = posted.at,
                                                        .oldest_pending = posted.oldest_pending,
                                                        .forced = posting.forced});
    layer.clocks.keep_pending(posted);
    PendingReceive& kept = layer.pending.add(posted.order, posted.spec);
    kept.handle = handle;
    kept.posting = &posting;
    kept.shown = shown;
    kept.taken = &taken;
    kept.communicator = &communicator;
}

void mark_completed(DistributedLayer& layer, base::PostingOrder order) {
    if (auto* entry = layer.pending.find(order)) {
        entry->payload.handle = MPI_REQUEST_NULL;
    }
}

void drop(DistributedLayer& layer, const Posted& posted) {
    const base::PostingOrder order = posted.order;  // what is pending may own the rest
    if (const auto settled_at = layer.clocks.drop(posted)) {
        layer.log.append(transport::DroppedRecord{.order = order, .settled_at = *settled_at});
    }
    remove_pending(layer, order);
}

namespace {

TakenMessage resolve(DistributedLayer& layer, const Call& call, Communicator& communicator, const Posting& posting,
                     int source, int tag, Take take) {
    const Posted& posted = posting.posted;
    const Met message = met(posting, communicator, source, tag);
    if (Pending* entry = layer.pending.find(posted.order)) {
        std::optional<TakenMessage>* const known = entry->payload.taken;
        mark_completed(layer, posted.order);
        resolve_before(layer, call, posted, message.source, message.tag);
        if (*known) {  // another thread has resolved it meanwhile
            return **known;
        }
    } else if (!layer.pending.empty()) {
        resolve_before(layer, call, posted, message.source, message.tag);
    }
    TakenMessage taken = bind(layer, posted, posting.asked, message, take, true);
    if (!layer.pending.empty()) {
        remove_pending(layer, posted.order);
    }
    return taken;
}

}  // namespace

TakenMessage resolve(DistributedLayer& layer, const Call& call, Communicator& communicator, const Posting& posting,
                     int source, int tag) {
    return resolve(layer, call, communicator, posting, source, tag, Take::message);
}

TakenMessage resolve_matched_probe(DistributedLayer& layer, const Call& call, Communicator& communicator,
                                   const Posting& posting, int source, int tag) {
    return resolve(layer, call, communicator, posting, source, tag, Take::held);
}

void release_held(DistributedLayer& layer, const TakenMessage& message, const Asked& asked) {
    if (message.sent != nullptr && !agrees(layer, message.sent->data, asked)) {
        note_difference(layer, *message.sent, asked);
    }
    if (message.held) {
        layer.port.release(message.held, {.clock = publish(layer, layer.clocks.now()), .posted_at = asked.at});
    }
}

std::optional<TakenMessage> take_promised(DistributedLayer& layer, const Posting& posting) {
    const Posted& posted = posting.posted;
    if (posted.spec.source == any_source || !layer.pending.empty() || layer.multithreaded || layer.unmodelled_calls ||
        posting.values.bound) {
        return std::nullopt;
    }
    const auto envelope = layer.port.first_fitting(posted.spec.source, posted.spec.comm, posted.spec.tag);
    if (!envelope || !envelope->promised) {
        return std::nullopt;
    }
    return take_envelope(layer, posted, posting.asked, {.source = posted.spec.source, .tag = envelope->tag}, envelope,
                         Take::message, true);
}

void learn(DistributedLayer& layer, const TakenMessage& message) {
    note_exchange();
    learn_time(message.sent_at);
    layer.clocks.learn(message.after);
}

void note_source(DistributedLayer& layer, const Communicator& communicator, const Posting& posting, int source) {
    if (posting.posted.spec.wildcard()) {
        layer.follow_up.learns_source(communicator.peer(source));
    }
}

void resolve_probe(DistributedLayer& layer, const Call& call, Communicator& communicator, const Posting& posting,
                   int source, int tag) {
    const Met message{
        .source = communicator.peer(source),
        .tag = tag,
        .value = posting.values.message() == 0 && posting.values.bound ? carries_nothing : posting.values.message()};
    resolve_before(layer, call, posting.posted, message.source, tag);
    learn(layer, bind(layer, posting.posted, posting.asked, message, Take::nothing, true));
    note_source(layer, communicator, posting, source);
}

Choice post_choice(DistributedLayer& layer, const Call& call, EpochKind kind) {
    take_turn(layer, call);
    Posted facts;
    facts.spec = {.comm = 0, .source = any_source, .tag = any_tag};
    facts.clock = layer.clocks.now();
    return open_choice(layer, call, kind, std::move(facts), nullptr);
}

Choice post_polling_probe(DistributedLayer& layer, const Call& call, Communicator& communicator, int source, int tag,
                          EpochKind kind) {
    take_turn(layer, call);
    Choice choice =
        open_choice(layer, call, kind, layer.clocks.post(spec_of(communicator, source, tag), false), &communicator);
    record_pending(layer, choice.probe.order);
    return choice;
}

void add_poll(DistributedLayer& layer, const Call& call, Poll poll) {
    PollingStretch& polling = thread_state().polling;
    const bool probes = replay::chooses_message(poll.key.kind);
    const auto number = static_cast<std::uint32_t>(polling.polls.size());
    const base::ReceiveSpec spec =
        probes ? poll.key.spec : base::ReceiveSpec{.comm = 0, .source = any_source, .tag = any_tag};
    if (probes) {
        poll.probe = layer.clocks.post(spec, false);
    }
    layer.log.append(transport::PollRecord{.index = polling.choice.index,
                                           .poll = number,
                                           .kind = static_cast<std::uint32_t>(poll.key.kind),
                                           .before = polling.false_answers,
                                           .comm = spec.comm,
                                           .order = poll.probe.order,
                                           .posted_at = poll.probe.at,
                                           .oldest_pending = poll.probe.oldest_pending,
                                           .posted_clock = publish(layer, layer.clocks.now()),
                                           .site = call.site(),
                                           .tag = spec.tag,
                                           .source = spec.source,
                                           .call = call.function()});
    if (probes) {
        record_pending(layer, poll.probe.order);
    }
    polling.current = number;
    polling.polls.push_back(std::move(poll));
    const auto*& decision = polling.choice.decision;
    if (decision == nullptr || decision->open || decision->poll != number) {
        return;
    }
    const replay::EpochOperation decided{
        .kind = static_cast<EpochKind>(decision->kind), .comm = decision->comm, .tag = decision->tag};
    const replay::EpochOperation met{.kind = polling.poll().key.kind, .comm = spec.comm, .tag = spec.tag};
    if (decided != met) {
        diverge(layer, call, polling.choice.index,
                replay::other_operation_text({layer.rank(), polling.choice.index}, decided, met));
        decision = nullptr;
    }
}

namespace {

/// What is written down when a stretch is over; `posted`: its current call, if that is a probe.
void record_answering(DistributedLayer& layer, const PollingStretch& polling, const Posted& posted) {
    const bool is_virtual = layer.port.terms().virtual_time != 0;
    const bool many = polling.choice.decision == nullptr && polling.choice.repetition != replay::Repetition::settles &&
                      polling.false_answers > replay::few_false_answers(is_virtual);
    const bool by_chance = layer.multithreaded || many || (polling.timed() && !is_virtual);
    layer.log.append(
        transport::AnsweringRecord{.index = polling.choice.index,
                                   .false_answers = polling.false_answers,
                                   .repetition = static_cast<std::uint32_t>(polling.choice.repetition),
                                   .turns_after = polling.choice.turns_after,
                                   .round = polling.choice.round,
                                   .order = posted.order,
                                   .posted_at = posted.at,
                                   .oldest_pending = posted.oldest_pending,
                                   .posted_clock = publish(layer, posted.clock),
                                   .poll = polling.current,
                                   .timed = by_chance ? 1U : 0U,
                                   .released = std::min(polling.released, polling.false_answers),
                                   .polled = polling.polls.size() > 1 ? polling.polled : std::vector<std::uint32_t>{}});
}

}  // namespace

void record_answer(DistributedLayer& layer, PollingStretch& polling) {
    polling.choice.posted = layer.clocks.now();
    Posted posted = polling.poll().probe;
    posted.clock = polling.choice.posted;
    record_answering(layer, polling, posted);
}

Posting post_answer(DistributedLayer& layer, const PollingStretch& polling) {
    const Poll& poll = polling.poll();
    Posting posting{.posted = layer.clocks.post(poll.key.spec, false), .source = poll.source};
    Posted& posted = posting.posted;
    posted.epoch = polling.choice.index;
    posted.recorded = true;
    record_answering(layer, polling, posted);
    record_pending(layer, posted.order);
    return posting;
}

clocks::Match choose(DistributedLayer& layer, const Choice& choice, const std::vector<std::uint32_t>& completed,
                     const std::vector<clocks::Snapshot>& known) {
    std::vector<clocks::Snapshot> learned;
    for (const clocks::Snapshot& each : known) {
        if (each) {
            learned.push_back(each);
        }
    }
    clocks::Match match = layer.clocks.choose(choice.index, choice.posted, learned);
    layer.log.append(transport::ChosenRecord{.index = choice.index,
                                             .final_clock = match.final.value,
                                             .posted_clock = publish(layer, choice.posted),
                                             .past_clock = publish(layer, match.past),
                                             .after_clock = publish(layer, match.after),
                                             .completed = completed});
    layer.clocks.learn(match.after);
    return match;
}

void record_receive(DistributedLayer& layer, const Posted& posted) {
    if (layer.clocks.record(posted.order)) {
        record_posted(layer, posted);
    }
}

transport::ClockName publish(DistributedLayer& layer, const clocks::Snapshot& snapshot) {
    return layer.port.publish(snapshot);
}

void resolve_completed(DistributedLayer& layer) { resolve_completed(layer, false, true); }

void resolve_told(DistributedLayer& layer) { resolve_completed(layer, false, false); }

void resolve_at_end(DistributedLayer& layer) { resolve_completed(layer, true, true); }

}  // namespace dampi::piggyback::distributed
