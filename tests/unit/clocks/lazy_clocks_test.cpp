// The lazy protocols on the dissertation's examples and on receives that match out of order; with them the
// late-message analysis, which works on what they record.
#include "clocks/lazy_clocks.hpp"

#include "clocks/late_messages.hpp"
#include "clocks/pending_receives.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace dampi::clocks {
namespace {

/// A message on its way, as its sender stamped it.
struct Message {
    base::Rank source;
    base::Tag tag;
    std::uint64_t number;
    Clock clock{};
};

/// One rank, as the layer drives its clocks: receives complete in any order, but are resolved in matching order.
/// What MPI matched is told beforehand.
class Process {
public:
    Process(base::Rank rank, Protocol protocol) : rank_(rank), clocks(rank, protocol) {}

    /// Posts a receive that MPI matches with `message` (none: with nothing).
    base::PostingOrder irecv(base::Rank source, base::Tag tag, std::optional<Message> message) {
        const base::ReceiveSpec spec{.comm = base::world_comm, .source = source, .tag = tag};
        const Posted posted = clocks.post(spec, spec.wildcard());
        if (message) {
            EXPECT_TRUE(spec.fits(base::world_comm, message->source, message->tag));
        }
        if (posted.epoch) {
            clocks.record_pending(posted.order, [&](const Posted& each) { record(each); });
            record(posted);
        }
        clocks.keep_pending(posted);
        pending_.add(posted.order, spec) = posted;
        messages_.emplace(posted.order, message);
        return posted.order;
    }
    /// It is known to have matched; the program does not learn of it.
    const Match& resolve(base::PostingOrder order) {
        const Message message = messages_.at(order).value();
        for (;;) {
            const auto* earlier = pending_.first_before(order, base::world_comm, message.source, message.tag);
            if (earlier == nullptr) {
                break;
            }
            resolve(earlier->order);
        }
        auto* found = pending_.find(order);
        if (found == nullptr) {
            return matches.at(order);
        }
        const Posted own = found->payload;
        pending_.erase(found);
        const IncomingMessage incoming = as_incoming(message);
        const Match match = clocks.match(own, message.source, &incoming);
        if (match.recorded) {
            for (RecordedReceive& receive : record_) {
                if (receive.order == order) {
                    receive.settled_at = match.at;
                    receive.taken = MessageFacts{message.source, message.tag, message.number};
                    receive.final = match.final;
                    receive.after = match.after->clock;
                }
            }
        }
        if (clocks.is_late(incoming, order)) {
            late_.push_back({.name = incoming.name, .tag = message.tag, .taken_by = order, .clock = message.clock});
        }
        return matches.emplace(order, match).first->second;
    }
    void wait(base::PostingOrder order) { clocks.learn(resolve(order).after); }
    void recv(base::Rank source, base::Tag tag, const Message& message) { wait(irecv(source, tag, message)); }
    /// A message that is never received.
    void leftover(const Message& message) {
        late_.push_back({.name = {message.source, base::world_comm, message.number},
                         .tag = message.tag,
                         .taken_by = never_taken,
                         .clock = message.clock});
    }
    Message send(base::Tag tag, std::uint64_t number) const { return {rank_, tag, number, clocks.now()->clock}; }

    /// "epoch<-source.number", sorted.
    std::set<std::string> alternatives() const {
        std::set<std::string> texts;
        for (const FoundMatch& found : potential_matches(rank_, clocks.protocol(), record_, late_)) {
            texts.insert(std::to_string(found.epoch) + "<-" + std::to_string(found.message.source) + "." +
                         std::to_string(found.message.number));
        }
        return texts;
    }
    Clock past_of_alternative(std::uint32_t epoch, base::Rank source) const {
        for (const FoundMatch& found : potential_matches(rank_, clocks.protocol(), record_, late_)) {
            if (found.epoch == epoch && found.message.source == source) {
                return found.past;
            }
        }
        ADD_FAILURE() << "no such alternative";
        return {};
    }

private:
    static IncomingMessage as_incoming(const Message& message) {
        return {.name = {message.source, base::world_comm, message.number}, .tag = message.tag, .clock = message.clock};
    }
    void record(const Posted& posted) {
        record_.push_back({.order = posted.order,
                           .spec = posted.spec,
                           .epoch = posted.epoch,
                           .posted = posted.clock->clock,
                           .posted_at = posted.at,
                           .oldest_pending = posted.oldest_pending,
                           .taken = {},
                           .final = {},
                           .after = {}});
        std::sort(record_.begin(), record_.end(),
                  [](const RecordedReceive& a, const RecordedReceive& b) { return a.order < b.order; });
    }

    base::Rank rank_;

public:
    LazyClocks clocks;
    std::map<base::PostingOrder, Match> matches;

private:
    PendingReceives<Posted> pending_;
    std::map<base::PostingOrder, std::optional<Message>> messages_;
    std::vector<RecordedReceive> record_;
    std::vector<LateMessage> late_;
};

using Texts = std::set<std::string>;

class BothProtocols : public testing::TestWithParam<Protocol> {};
INSTANTIATE_TEST_SUITE_P(LazyClocks, BothProtocols, testing::Values(Protocol::lamport, Protocol::vector),
                         [](const auto& info) { return info.param == Protocol::lamport ? "lamport" : "vector"; });

TEST_P(BothProtocols, ProgramsWithoutEpochsHaveEmptyClocks) {
    Process one(0, GetParam());
    Process two(1, GetParam());
    one.recv(1, 0, two.send(0, 0));
    EXPECT_EQ(one.clocks.now()->clock, Clock{});
    EXPECT_EQ(one.clocks.now()->published, 0U);
}

TEST_P(BothProtocols, AMessageSentWithoutKnowledgeIsAnAlternative) {
    Process receiver(0, GetParam());
    receiver.recv(base::any_source, 0, {1, 0, 0});
    receiver.recv(base::any_source, 0, {2, 0, 0});
    EXPECT_EQ(receiver.alternatives(), Texts({"0<-2.0"}));
}

TEST_P(BothProtocols, AMessageThatIsNeverReceivedIsAnAlternative) {
    Process receiver(0, GetParam());
    receiver.recv(base::any_source, 0, {1, 0, 0});
    receiver.leftover({2, 0, 0});
    receiver.leftover({2, 0, 1});
    receiver.leftover({1, 0, 1});
    EXPECT_EQ(receiver.alternatives(), Texts({"0<-2.0"}));
}

TEST_P(BothProtocols, AnAnswerIsNone) {
    Process receiver(0, GetParam());
    Process other(2, GetParam());
    receiver.recv(base::any_source, 0, {1, 0, 0});
    other.recv(0, 0, receiver.send(0, 0));
    receiver.recv(base::any_source, 0, other.send(0, 0));
    EXPECT_EQ(receiver.alternatives(), Texts());
}

// Figure 5.3: two ranks whose epochs have nothing to do with each other.
TEST(LazyClocks, LamportClocksOmitWhatVectorClocksSee) {
    for (const Protocol protocol : {Protocol::lamport, Protocol::vector}) {
        Process first(0, protocol);
        Process second(1, protocol);
        second.recv(base::any_source, 0, {2, 0, 0});
        first.recv(base::any_source, 0, {3, 0, 0});
        first.leftover(second.send(0, 0));
        EXPECT_EQ(first.alternatives(), protocol == Protocol::vector ? Texts({"0<-1.0"}) : Texts());
    }
}

// Neither match precedes the other; that of the first receive, known later, has the higher number. The second could
// take what the first would have taken before, so that alternative depends on the first, and seems to on the second
// itself.
TEST(LazyClocks, LamportClocksOrderPendingReceives) {
    for (const Protocol protocol : {Protocol::lamport, Protocol::vector}) {
        Process receiver(0, protocol);
        const base::PostingOrder first = receiver.irecv(base::any_source, 0, Message{1, 0, 1});
        receiver.recv(base::any_source, base::any_tag, {1, 1, 0});
        receiver.wait(first);
        receiver.leftover({2, 0, 0});
        EXPECT_EQ(receiver.alternatives(),
                  protocol == Protocol::vector ? Texts({"0<-2.0", "1<-2.0"}) : Texts({"0<-2.0"}));
    }
}

TEST_P(BothProtocols, NonOvertakingMatchesAnEarlierReceiveFirst) {
    Process receiver(0, GetParam());
    const base::PostingOrder first = receiver.irecv(base::any_source, 0, Message{1, 0, 0});
    const base::PostingOrder second = receiver.irecv(base::any_source, 0, Message{2, 0, 0});
    receiver.wait(second);
    // The first must have matched before the second could: whoever knows of the second knows of it.
    Process other(3, GetParam());
    other.recv(0, 0, receiver.send(0, 0));
    receiver.leftover(other.send(0, 0));
    receiver.wait(first);
    EXPECT_EQ(receiver.alternatives(), Texts({"0<-2.0"}));
}

TEST(LazyClocks, AMatchDoesNotDependOnWhatTheRankDoesBeforeItWaits) {
    Process receiver(0, Protocol::vector);
    const base::PostingOrder late = receiver.irecv(base::any_source, 1, Message{1, 1, 0});
    receiver.recv(base::any_source, 2, {2, 2, 0});
    receiver.wait(late);
    EXPECT_TRUE(receiver.matches.at(late).past->clock.vector.empty());
    EXPECT_TRUE(receiver.clocks.now()->clock.vector.knows(0, 0));
    EXPECT_TRUE(receiver.clocks.now()->clock.vector.knows(0, 1));
}

TEST(LazyClocks, AnEpochThatMatchesEarlierThanOneBeforeItIsKnownAlone) {
    Process receiver(0, Protocol::vector);
    const base::PostingOrder pending = receiver.irecv(base::any_source, 1, Message{1, 1, 0});
    receiver.recv(base::any_source, 2, {2, 2, 0});
    const Message message = receiver.send(0, 0);
    EXPECT_FALSE(message.clock.vector.knows(0, 0));
    EXPECT_TRUE(message.clock.vector.knows(0, 1));
    // So a message that answers it can still be an alternative of the first.
    Process other(3, Protocol::vector);
    other.recv(0, 0, message);
    receiver.wait(pending);
    Message answer = other.send(1, 0);
    receiver.leftover(answer);
    EXPECT_EQ(receiver.alternatives(), Texts({"0<-3.0"}));
    EXPECT_TRUE(receiver.past_of_alternative(0, 3).vector.knows(0, 1));
}

// An ANY_TAG receive can take the second message of a source only when an earlier receive has taken the first.
TEST(LazyClocks, AnEarlierReceiveThatTookAnEarlierMessageHasMatchedBefore) {
    Process receiver(0, Protocol::vector);
    const base::PostingOrder first = receiver.irecv(base::any_source, 1, Message{1, 1, 0});
    const base::PostingOrder second = receiver.irecv(base::any_source, base::any_tag, Message{1, 2, 1});
    receiver.resolve(first);
    receiver.resolve(second);
    EXPECT_TRUE(receiver.matches.at(second).past->clock.vector.knows(0, 0));
}

TEST(LazyClocks, AnAlternativeNeedsTheEarlierReceiveThatWouldTakeItToHaveMatched) {
    Process receiver(0, Protocol::vector);
    receiver.irecv(base::any_source, 0, std::nullopt);
    const base::PostingOrder second = receiver.irecv(base::any_source, 1, Message{1, 1, 0});
    receiver.wait(second);
    receiver.leftover({2, 1, 0});  // fits the second only
    receiver.leftover({3, 0, 0});  // fits the first only, which never matched in this run
    EXPECT_EQ(receiver.alternatives(), Texts({"0<-3.0", "1<-2.0"}));
    EXPECT_TRUE(receiver.past_of_alternative(1, 2).vector.empty());
}

TEST(LazyClocks, WhatAnAlternativeDependsOnIsInItsPast) {
    Process receiver(0, Protocol::vector);
    const base::PostingOrder first = receiver.irecv(base::any_source, base::any_tag, Message{1, 0, 0});
    const base::PostingOrder second = receiver.irecv(base::any_source, base::any_tag, Message{2, 0, 0});
    receiver.wait(first);
    receiver.wait(second);
    receiver.leftover({3, 0, 0});
    // For the second epoch the first must have matched something: it would have taken the message from rank 3 itself.
    EXPECT_EQ(receiver.alternatives(), Texts({"0<-2.0", "0<-3.0", "1<-3.0"}));
    EXPECT_TRUE(receiver.past_of_alternative(1, 3).vector.knows(0, 0));
    EXPECT_TRUE(receiver.past_of_alternative(0, 3).vector.empty());
}

TEST_P(BothProtocols, WhoKnowsOfASynchronousMatchIsNoAlternative) {
    Process receiver(0, GetParam());
    const base::PostingOrder order = receiver.irecv(base::any_source, 0, Message{1, 0, 0});
    const Snapshot acknowledged = receiver.resolve(order).after;
    EXPECT_TRUE(receiver.clocks.now()->clock.vector.empty());  // noticing is not learning
    Process sender(1, GetParam());
    sender.clocks.learn(acknowledged);
    Process other(2, GetParam());
    other.recv(1, 0, sender.send(0, 0));
    receiver.leftover(other.send(0, 0));
    receiver.wait(order);
    EXPECT_EQ(receiver.alternatives(), Texts());
}

TEST_P(BothProtocols, ChoicesAreKnownToWhoeverHearsOfThem) {
    Process process(0, GetParam());
    const base::PostingOrder received = process.irecv(base::any_source, 0, Message{1, 0, 0});
    const Snapshot before = process.clocks.now();
    const std::uint32_t index = process.clocks.post_choice();
    EXPECT_EQ(index, 1U);
    const Match match = process.clocks.choose(index, before, {process.resolve(received).after});
    process.clocks.learn(match.after);
    if (GetParam() == Protocol::vector) {
        EXPECT_TRUE(match.past->clock.vector.knows(0, 0));
        EXPECT_FALSE(match.past->clock.vector.knows(0, 1));
        EXPECT_TRUE(process.clocks.now()->clock.vector.knows(0, 1));
    } else {
        EXPECT_GT(process.clocks.now()->clock.lamport, match.final);
        EXPECT_GT(match.past->clock.lamport.value, 0U);
    }
}

TEST_P(BothProtocols, OfManyMessagesOfOneSourceOnlyTheFirstIsRecorded) {
    LazyClocks clocks(0, GetParam());
    const Posted posted =
        clocks.post({.comm = base::world_comm, .source = base::any_source, .tag = base::any_tag}, true);
    const IncomingMessage taken{.name = {1, base::world_comm, 0}, .tag = 0, .clock = {}};
    clocks.match(posted, 1, &taken);
    const auto message = [](base::Rank source, std::uint64_t number) {
        return IncomingMessage{.name = {source, base::world_comm, number}, .tag = 0, .clock = {}};
    };
    EXPECT_FALSE(clocks.is_late(message(1, 1), 5));
    EXPECT_TRUE(clocks.is_late(message(2, 3), 5));
    EXPECT_FALSE(clocks.is_late(message(2, 4), 6));
    EXPECT_TRUE(clocks.is_late(message(2, 2), 7));   // sent before, received later
    EXPECT_FALSE(clocks.is_late(message(3, 0), 0));  // taken by the epoch itself or something before it
}

TEST_P(BothProtocols, WhatIsLateIsWhatAComparisonWithEveryEpochFinds) {
    struct Epoch {
        base::ReceiveSpec spec;
        base::PostingOrder order = 0;
        std::uint32_t index = 0;
        LamportClock final;
        base::Rank source = 0;
        std::map<base::Rank, std::uint64_t> candidates;
    };
    constexpr base::Rank ranks = 4;
    std::size_t found_late = 0;
    for (unsigned seed = 0; seed < 200; ++seed) {
        std::mt19937 random(seed);
        const auto any_of = [&](unsigned n) { return static_cast<int>(random() % n); };
        LazyClocks clocks(0, GetParam());
        std::vector<Epoch> epochs;
        std::map<base::Rank, Clock> known;  // by the senders
        std::map<std::pair<base::CommId, base::Rank>, std::uint64_t> sent;
        std::vector<IncomingMessage> on_their_way;
        for (int step = 0; step < 150; ++step) {
            const auto source = static_cast<base::Rank>(1 + any_of(ranks - 1));
            const auto comm = static_cast<base::CommId>(any_of(2));
            if (any_of(8) == 0) {
                known[source].merge(clocks.now()->clock);
            }
            const IncomingMessage message{.name = {source, comm, sent[{comm, source}]++},
                                          .tag = any_of(seed % 2 == 0 ? 3 : 200),
                                          .clock = known[source]};
            on_their_way.push_back(message);
            if (any_of(3) == 0) {
                continue;
            }
            // Mostly the oldest is taken.
            const auto at =
                on_their_way.begin() + (any_of(4) == 0 ? any_of(static_cast<unsigned>(on_their_way.size())) : 0);
            const IncomingMessage taken = *at;
            on_their_way.erase(at);
            const bool wildcard = any_of(3) != 0;
            const Posted posted = clocks.post({.comm = taken.name.comm,
                                               .source = wildcard ? base::any_source : taken.name.source,
                                               .tag = any_of(2) == 0 ? base::any_tag : taken.tag},
                                              wildcard);
            const Match match = clocks.match(posted, taken.name.source, &taken);
            if (wildcard) {
                epochs.push_back({.spec = posted.spec,
                                  .order = posted.order,
                                  .index = *posted.epoch,
                                  .final = match.final,
                                  .source = taken.name.source,
                                  .candidates = {}});
            }
            clocks.learn(match.after);
            // Some are told of late, and as if they had been taken before.
            const base::PostingOrder taken_by = any_of(5) == 0 ? posted.order / 2 : posted.order;
            bool late = false;
            for (Epoch& epoch : epochs) {
                const bool knew = GetParam() == Protocol::vector ? taken.clock.vector.knows(0, epoch.index)
                                                                 : !taken.clock.lamport.is_late_for(epoch.final);
                if (knew || epoch.order >= taken_by || epoch.source == taken.name.source ||
                    !epoch.spec.fits(taken.name.comm, taken.name.source, taken.tag)) {
                    continue;
                }
                const auto [candidate, first] = epoch.candidates.emplace(taken.name.source, taken.name.number);
                if (first || taken.name.number < candidate->second) {
                    candidate->second = taken.name.number;
                    late = true;
                }
            }
            ASSERT_EQ(clocks.is_late(taken, taken_by), late) << "seed " << seed << ", step " << step;
            found_late += late ? 1 : 0;
        }
    }
    EXPECT_GT(found_late, 1000U);
}

TEST_P(BothProtocols, OnlyPendingReceivesBeforeAnEpochAreRecorded) {
    LazyClocks clocks(0, GetParam());
    const base::ReceiveSpec named{.comm = base::world_comm, .source = 1, .tag = 0};
    const base::ReceiveSpec wildcard{.comm = base::world_comm, .source = base::any_source, .tag = 0};
    std::vector<base::PostingOrder> recorded;
    const auto note = [&](const Posted& posted) { recorded.push_back(posted.order); };
    const Posted first = clocks.post(named, false);
    clocks.keep_pending(first);
    const Posted epoch = clocks.post(wildcard, true);
    clocks.record_pending(epoch.order, note);
    clocks.keep_pending(epoch);
    EXPECT_EQ(recorded, std::vector<base::PostingOrder>({0}));
    EXPECT_EQ(epoch.oldest_pending, 0U);
    const Posted later = clocks.post(named, false);
    clocks.keep_pending(later);
    const Posted second = clocks.post(wildcard, true);
    clocks.record_pending(second.order, note);
    EXPECT_EQ(recorded, std::vector<base::PostingOrder>({0, 2}));
    EXPECT_FALSE(clocks.record(later.order));
    const IncomingMessage message{.name = {1, base::world_comm, 0}, .tag = 0, .clock = {}};
    EXPECT_TRUE(clocks.match(first, 1, &message).recorded);
    EXPECT_FALSE(clocks.match(clocks.post(named, false), 1, &message).recorded);
    EXPECT_TRUE(clocks.drop(later).has_value());
    EXPECT_FALSE(clocks.drop(later).has_value());
}

TEST(LazyClocks, ALongPendingReceiveDoesNotKeepAllThatFollow) {
    LazyClocks clocks(0, Protocol::vector);
    const Posted listener = clocks.post({.comm = base::world_comm, .source = base::any_source, .tag = 99}, true);
    clocks.keep_pending(listener);
    for (std::uint64_t i = 0; i < 10'000; ++i) {
        const Posted posted = clocks.post({.comm = base::world_comm, .source = base::any_source, .tag = 1}, true);
        clocks.keep_pending(posted);
        const IncomingMessage message{.name = {1, base::world_comm, i}, .tag = 1, .clock = {}};
        clocks.learn(clocks.match(posted, 1, &message).after);
    }
    EXPECT_FALSE(clocks.now()->clock.vector.knows(0, 0));
    EXPECT_TRUE(clocks.now()->clock.vector.knows(0, 10'000));
    EXPECT_EQ(clocks.now()->clock.vector.intervals().size(), 1U);
}

}  // namespace
}  // namespace dampi::clocks
