// A run's record from the shared area, which the test fills as ranks do: epochs, potential matches also from
// messages that nobody received, and whatever a rank may have left there instead.
#include "scheduler/judgement/record_reader.hpp"
#include "scheduler/judgement/open_decisions.hpp"
#include "scheduler/judgement/unreceived_messages.hpp"

#include "transport/collective_operation.hpp"
#include "transport/log.hpp"
#include "transport/memory/clock_store.hpp"
#include "transport/memory/contributions.hpp"
#include "transport/memory/envelope_queue.hpp"
#include "transport/memory/memory_view.hpp"
#include "transport/touch_stack.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <stop_token>
#include <string>
#include <vector>

namespace dampi::scheduler {
namespace {

using namespace transport;
using namespace transport;
using namespace transport::memory;
using base::any_source;
using base::any_tag;
using base::Rank;
using base::Tag;
using replay::Epoch;
using replay::EpochKind;
using replay::Outcome;

constexpr std::uint32_t ranks = 4;

/// An epoch as a set of known ones names it.
struct Known {
    Rank rank;
    std::uint32_t index;
};

/// A rank's wildcard receive; with `kind`, another epoch.
struct Wildcard {
    std::uint32_t index = 0;
    std::uint64_t order = 0;
    Tag tag = any_tag;
    base::CommId comm = 1;
    ClockName posted = 0;
    std::uint64_t oldest_pending = 0;
    EpochKind kind = EpochKind::receive;
    Rank source = any_source;
    bool forced = false;
    std::uint32_t stack = EpochPostedRecord::no_stack;
    std::string communicator_name = {};
};

/// "source/tag/number" of each, sorted as they came.
std::vector<std::string> names(const std::vector<replay::PotentialMatch>& matches) {
    std::vector<std::string> all;
    for (const auto& match : matches) {
        all.push_back(std::to_string(match.source) + "/" + std::to_string(match.tag) + "/" +
                      std::to_string(match.number));
    }
    return all;
}
using Names = std::vector<std::string>;

struct RecordReaderTest : testing::Test {
    explicit RecordReaderTest(clocks::Protocol protocol = clocks::Protocol::vector)
        : area(Area::create(ranks, {}, protocol)) {}

    Area area;
    std::vector<Slab> slabs{Slab{area, 0}, Slab{area, 1}, Slab{area, 2}, Slab{area, 3}};
    std::vector<LogWriter> logs{LogWriter{area.log_room(0)}, LogWriter{area.log_room(1)}, LogWriter{area.log_room(2)},
                                LogWriter{area.log_room(3)}};
    EnvelopeWriter writers[ranks][ranks];
    launch::SourceLines lines;
    MemoryView run{area};
    RecordReader reader{run, lines};
    std::uint64_t moment = 100;  ///< of matches; those of postings are their orders

    LogWriter& log(Rank rank) { return logs[static_cast<std::size_t>(rank)]; }
    /// The name of a clock that knows these epochs.
    ClockName known(const std::vector<Known>& epochs) {
        clocks::Clock clock;
        for (const Known& epoch : epochs) {
            clock.vector.add(epoch.rank, epoch.index);
        }
        return publish_clock(area, slabs[3], clocks::Snapshot(clock));
    }
    void epoch(Rank rank, const Wildcard& what) {
        log(rank).append(EpochPostedRecord{.index = what.index,
                                           .kind = static_cast<std::uint32_t>(what.kind),
                                           .comm = what.comm,
                                           .order = what.order,
                                           .posted_at = what.order,
                                           .oldest_pending = what.oldest_pending,
                                           .posted_clock = what.posted,
                                           .site = 0,
                                           .tag = what.tag,
                                           .source = what.source,
                                           .forced = what.forced ? 1U : 0U,
                                           .call = "MPI_Recv",
                                           .stack = what.stack,
                                           .communicator_name = what.communicator_name});
    }
    struct MatchedBy {
        Rank source = 1;
        Tag tag = 0;
        std::uint64_t number = 0;
        std::vector<Known> past{};
        std::vector<Known> after{};
        std::uint64_t final = 0;
    };
    void matched(Rank rank, std::uint64_t order, const MatchedBy& what) {
        log(rank).append(MatchedRecord{.order = order,
                                       .settled_at = ++moment,
                                       .number = what.number,
                                       .final_clock = what.final,
                                       .past_clock = known(what.past),
                                       .after_clock = known(what.after),
                                       .source = what.source,
                                       .tag = what.tag});
    }
    /// Rank 0's receive of epoch 0, posted as 0, that has matched rank 1's message.
    void simple_epoch(Tag tag = any_tag, base::CommId comm = 1) {
        epoch(0, {.tag = tag, .comm = comm});
        matched(0, 0, {.source = 1, .tag = tag == any_tag ? 0 : tag, .after = {{0, 0}}});
    }
    void late(Rank rank, Rank source, Tag tag, std::uint64_t number, std::uint64_t taken_by, ClockName clock = 0) {
        log(rank).append(LateMessageRecord{
            .comm = 1, .number = number, .taken_by = taken_by, .clock = clock, .source = source, .tag = tag});
    }
    EnvelopeSlot& send(Rank source, Rank destination, Tag tag, std::uint64_t number, ClockName clock = 0,
                       base::CommId comm = 1, std::uint64_t site = 0) {
        return writers[source][destination].append(
            area, slabs[static_cast<std::size_t>(source)], area.queue(source, destination),
            {.comm = comm, .tag = tag, .number = number, .clock = clock, .site = site});
    }
    PostedSlot& pending(Rank rank, std::uint64_t order, Rank source, Tag tag, base::CommId comm = 1) {
        PostedSlot& slot = area.posted(rank, area.rank(rank).posted_high++);
        slot.source = source;
        slot.tag = tag;
        slot.comm = comm;
        slot.order = order;
        slot.posted_at = order;
        slot.forced = any_source;
        slot.state = PostedState::pending;
        return slot;
    }
    RankFacts& read(Rank rank = 0) {
        reader.read();
        return reader.ranks().at(static_cast<std::size_t>(rank));
    }
    Names potentials(std::uint32_t index = 0) {
        const RankFacts& facts = read();
        EXPECT_TRUE(facts.log_sound);
        return names(facts.epochs.at(index).potential_matches);
    }
};

TEST_F(RecordReaderTest, RanksThatWroteNothing) {
    const RankFacts& facts = read();
    EXPECT_EQ(reader.ranks().size(), ranks);
    EXPECT_TRUE(facts.epochs.empty());
    EXPECT_TRUE(facts.log_sound);
    EXPECT_FALSE(facts.loaded);
    EXPECT_FALSE(facts.started);
    EXPECT_FALSE(facts.finalized);
    EXPECT_EQ(facts.crash_signal, 0);
    EXPECT_TRUE(reader.not_modelled().empty());
    EXPECT_TRUE(unreceived_messages(reader).empty());
    EXPECT_EQ(reader.communicators(), (std::map<replay::CommId, std::string>{{1, "MPI_COMM_WORLD"}}));
}

TEST_F(RecordReaderTest, EpochsComeAsTheRankWroteThem) {
    const ClockName posted = known({{1, 0}});
    epoch(2, {.index = 0, .order = 3, .tag = 7, .comm = 9, .posted = posted, .kind = EpochKind::probe});
    epoch(2, {.index = 1, .order = 4});
    matched(2, 3, {.source = 3, .tag = 7, .number = 8, .past = {{1, 0}, {3, 1}}, .after = {{1, 0}, {2, 0}, {3, 1}}});
    const RankFacts& facts = read(2);
    EXPECT_TRUE(facts.log_sound);
    ASSERT_EQ(facts.epochs.size(), 2U);
    const Epoch& first = facts.epochs[0];
    EXPECT_EQ(first.id, (replay::EpochId{2, 0}));
    EXPECT_EQ(first.kind, EpochKind::probe);
    EXPECT_EQ(first.comm, 9U);
    EXPECT_EQ(first.tag, 7);
    EXPECT_TRUE(first.posted.vector.knows(1, 0));
    EXPECT_EQ(first.posted.vector.size(), 1U);
    EXPECT_TRUE(first.past.vector.knows(3, 1));
    EXPECT_EQ(first.past.vector.size(), 2U);
    EXPECT_EQ(first.outcome, (Outcome{.source = 3, .tag = 7, .number = 8}));
    EXPECT_EQ(first.call, "MPI_Recv");
    EXPECT_EQ(facts.epochs[1].outcome, std::nullopt);
}

TEST_F(RecordReaderTest, ReadingTwiceGivesTheSame) {
    simple_epoch();
    send(2, 0, 5, 0);
    const Names once = potentials();
    EXPECT_EQ(once, Names{"2/5/0"});
    EXPECT_EQ(potentials(), once);
    EXPECT_EQ(reader.ranks().size(), ranks);
}

TEST_F(RecordReaderTest, AMessageThatNobodyReceivedIsAPotentialMatch) {
    simple_epoch(5);
    send(2, 0, 5, 4, known({{2, 7}}));
    send(2, 0, 5, 5);
    send(3, 0, 5, 0, known({{0, 0}}));
    EXPECT_EQ(potentials(), Names{"2/5/4"}) << "the first of rank 2; rank 3 sent knowing of the epoch";
    EXPECT_TRUE(reader.ranks()[0].epochs[0].potential_matches[0].past.vector.knows(2, 7));
}

TEST_F(RecordReaderTest, OnlyMessagesThatFit) {
    simple_epoch(5, 8);
    send(2, 0, 6, 0, 0, 8);
    send(2, 0, 5, 1, 0, 1);
    send(2, 3, 5, 2, 0, 8);
    send(3, 0, 5, 3, 0, 8).state = EnvelopeState::withdrawn;
    EXPECT_EQ(potentials(), Names{});
    send(2, 0, 5, 4, 0, 8);
    EXPECT_EQ(potentials(), Names{"2/5/4"});
}

TEST_F(RecordReaderTest, TheMatchedSourceIsNoAlternative) {
    simple_epoch();
    send(1, 0, 5, 1);
    late(0, 1, 0, 3, 7);
    late(0, 3, 0, 3, 7);
    EXPECT_EQ(potentials(), Names{"3/0/3"});
}

TEST_F(RecordReaderTest, LeftoversAndLateMessagesAreOneList) {
    simple_epoch();
    late(0, 2, 4, 6, 9);
    late(0, 3, 4, 6, 9);
    send(2, 0, 5, 2);
    send(3, 0, 5, 8);
    EXPECT_EQ(potentials(), (Names{"2/5/2", "3/4/6"}));
}

TEST_F(RecordReaderTest, MessagesTakenBeforeTheEpochWasPostedAreGone) {
    epoch(0, {.order = 4});
    matched(0, 4, {.after = {{0, 0}}});
    late(0, 2, 4, 6, 3);
    late(0, 3, 4, 6, 5);
    EXPECT_EQ(potentials(), Names{"3/4/6"});
}

TEST_F(RecordReaderTest, AnEpochThatNeverMatchedCouldTakeAnything) {
    epoch(0, {.tag = 5});
    pending(0, 0, any_source, 5);
    send(2, 0, 5, 0, known({{1, 1}}));
    send(3, 0, 6, 0);
    EXPECT_EQ(potentials(), Names{"2/5/0"});
}

TEST_F(RecordReaderTest, APendingNamedReceiveClaimsTheFirstMessageThatFits) {
    // Posted before the epoch: the message is its own.
    pending(0, 0, 2, 5);
    epoch(0, {.order = 1});
    matched(0, 1, {.after = {{0, 0}}});
    send(2, 0, 5, 0, known({{3, 2}}));
    EXPECT_EQ(potentials(), Names{});
    send(2, 0, 5, 1);
    EXPECT_EQ(potentials(), Names{"2/5/1"}) << "it claims one message, not two";
    EXPECT_TRUE(reader.ranks()[0].epochs[0].potential_matches[0].past.vector.knows(3, 2))
        << "that match comes first, and so does what its message knew";
}

TEST_F(RecordReaderTest, APendingNamedReceiveOfTheLogDoesLikewise) {
    log(0).append(ReceivePostedRecord{
        .comm = 1, .order = 0, .posted_at = 0, .oldest_pending = 0, .posted_clock = 0, .source = 2, .tag = 5});
    pending(0, 0, 2, 5);
    epoch(0, {.order = 1});
    matched(0, 1, {.after = {{0, 0}}});
    EXPECT_EQ(potentials(), Names{});
    send(2, 0, 6, 0);
    EXPECT_EQ(potentials(), Names{"2/6/0"}) << "another tag";
    send(2, 0, 5, 1);
    EXPECT_EQ(potentials(), Names{"2/6/0"});
}

TEST_F(RecordReaderTest, AnEarlierReceiveThatTookItsOwnMessagePutsItsPastBeforeTheAlternative) {
    log(0).append(ReceivePostedRecord{
        .comm = 1, .order = 0, .posted_at = 0, .oldest_pending = 0, .posted_clock = 0, .source = 2, .tag = 5});
    epoch(0, {.order = 1});
    matched(0, 1, {.source = 1, .after = {{0, 0}}});
    matched(0, 0, {.source = 2, .tag = 5, .number = 0, .after = {{3, 4}}});
    late(0, 2, 5, 1, 9);
    EXPECT_EQ(potentials(), Names{"2/5/1"});
    EXPECT_TRUE(reader.ranks()[0].epochs[0].potential_matches[0].past.vector.knows(3, 4));
}

TEST_F(RecordReaderTest, ADroppedReceiveKeptTheMessageFromTheEpoch) {
    const auto with_drop_at = [&](std::uint64_t drop) {
        area.rank(0).log_length = 0;
        log(0).append(ReceivePostedRecord{
            .comm = 1, .order = 0, .posted_at = 0, .oldest_pending = 0, .posted_clock = 0, .source = 2, .tag = 5});
        log(0).append(DroppedRecord{.order = 0, .settled_at = drop});
        epoch(0, {.order = 5});
        matched(0, 5, {.after = {{0, 0}}});
        return potentials();
    };
    send(2, 0, 5, 1);
    EXPECT_EQ(with_drop_at(4), Names{"2/5/1"}) << "gone before the epoch was posted";
    EXPECT_EQ(with_drop_at(6), Names{});
}

TEST_F(RecordReaderTest, EachPendingReceiveClaimsItsOwn) {
    pending(0, 2, 2, any_tag);  // slots are not in posting order
    pending(0, 0, 2, 6);
    pending(0, 1, 3, any_tag);
    pending(0, 3, 2, any_tag).state = PostedState::free;
    epoch(0, {.order = 4});
    matched(0, 4, {.after = {{0, 0}}});
    send(2, 0, 5, 0);  // the one posted as 2
    send(2, 0, 6, 1);  // the one posted as 0
    send(2, 0, 7, 2);  // nobody's
    send(3, 0, 5, 0);  // the one posted as 1
    EXPECT_EQ(potentials(), Names{"2/7/2"});
}

TEST_F(RecordReaderTest, OfSeveralPendingReceivesTheOnePostedFirstClaims) {
    pending(0, 3, 2, any_tag);  // slots are not in posting order
    pending(0, 0, 2, 6);
    epoch(0, {.order = 4});
    matched(0, 4, {.after = {{0, 0}}});
    send(2, 0, 6, 0);  // the one posted as 0, which leaves the other one for the next
    send(2, 0, 5, 1);
    EXPECT_EQ(potentials(), Names{});
}

TEST_F(RecordReaderTest, APollingProbeIsWhatItsAnswerMadeOfIt) {
    epoch(0, {.order = 2, .kind = EpochKind::polling_probe});
    late(0, 2, 0, 6, 3);
    log(0).append(AnsweringRecord{.index = 0,
                                  .false_answers = 4,
                                  .order = 5,
                                  .posted_at = 5,
                                  .oldest_pending = 0,
                                  .posted_clock = known({{1, 1}})});
    matched(0, 5, {.past = {{1, 1}}, .after = {{0, 0}, {1, 1}}});
    late(0, 3, 0, 6, 7);
    EXPECT_EQ(potentials(), Names{"3/0/6"}) << "rank 2's was taken between the first call and the answer";
    const Epoch& epoch = reader.ranks()[0].epochs[0];
    EXPECT_EQ(epoch.outcome, (Outcome{.source = 1, .false_answers = 4}));
    EXPECT_TRUE(epoch.posted.vector.knows(1, 1));
}

TEST_F(RecordReaderTest, AProbeThatGaveUpHasAnOutcomeAndHidesNothing) {
    epoch(0, {.order = 0, .kind = EpochKind::polling_probe});
    log(0).append(AnsweringRecord{.index = 0, .false_answers = 1});
    log(0).append(ChosenRecord{.index = 0, .past_clock = known({{1, 1}})});
    epoch(0, {.index = 1, .order = 1});
    matched(0, 1, {.after = {{0, 1}}});
    send(2, 0, 5, 0);
    EXPECT_EQ(potentials(0), Names{"2/5/0"}) << "it could have answered with the message";
    EXPECT_EQ(potentials(1), Names{"2/5/0"});
    const Epoch& gave_up = reader.ranks()[0].epochs[0];
    ASSERT_TRUE(gave_up.outcome);
    EXPECT_TRUE(gave_up.outcome->gave_up());
    EXPECT_EQ(gave_up.outcome->false_answers, 1U);
    EXPECT_TRUE(gave_up.past.vector.knows(1, 1));
}

TEST_F(RecordReaderTest, APollingSequenceThatNeverEndedHasNoOutcome) {
    epoch(0, {.order = 0, .kind = EpochKind::polling_probe, .source = 2});
    epoch(0, {.index = 1, .kind = EpochKind::test_any});
    log(0).append(AnsweringRecord{.index = 1, .false_answers = 3});
    const RankFacts& facts = read();
    EXPECT_TRUE(facts.log_sound);
    EXPECT_EQ(facts.epochs.at(0).outcome, std::nullopt);
    EXPECT_EQ(facts.epochs.at(1).outcome, std::nullopt);
}

TEST_F(RecordReaderTest, ARankThatDiedBetweenPollsHadGivenUp) {
    epoch(0, {.index = 0, .kind = EpochKind::test});
    area.rank(0).polling_epoch = 0;
    area.rank(0).polling_false_answers = 2;
    read();
    EXPECT_EQ(reader.ranks()[0].epochs.at(0).outcome, std::nullopt) << "it may have been ended from outside";
    area.rank(0).crash.signal = 6;
    const RankFacts& facts = read();
    EXPECT_TRUE(facts.log_sound);
    EXPECT_EQ(facts.epochs.at(0).outcome, (Outcome{.false_answers = 2}));
    for (const std::uint32_t wrong : {1U, 1000000U}) {
        area.rank(0).polling_epoch = wrong;
        EXPECT_EQ(read().epochs.at(0).outcome, std::nullopt);
    }
}

TEST_F(RecordReaderTest, ChoicesAndWhatTheyCouldHaveReported) {
    log(0).append(ReceivePostedRecord{
        .comm = 1, .order = 0, .posted_at = 0, .oldest_pending = 0, .posted_clock = 0, .source = 2, .tag = 5});
    log(0).append(ReceivePostedRecord{
        .comm = 1, .order = 1, .posted_at = 1, .oldest_pending = 0, .posted_clock = 0, .source = 3, .tag = 5});
    epoch(0, {.index = 0, .tag = any_tag, .comm = 0, .kind = EpochKind::test_some});
    log(0).append(CandidateRecord{.index = 0, .position = 7, .order = 0});
    log(0).append(CandidateRecord{.index = 0, .position = 2, .order = 1});
    log(0).append(CompletableRecord{.index = 0, .position = 5, .clock = known({{2, 2}})});
    log(0).append(AnsweringRecord{.index = 0, .false_answers = 3, .posted_clock = known({{3, 3}})});
    matched(0, 0, {.source = 2, .tag = 5, .after = {{1, 1}}});
    log(0).append(ChosenRecord{.index = 0,
                               .final_clock = 0,
                               .posted_clock = known({{3, 3}}),
                               .past_clock = known({{2, 2}, {3, 3}}),
                               .after_clock = known({{0, 0}, {2, 2}, {3, 3}}),
                               .completed = {5}});
    const RankFacts& facts = read();
    EXPECT_TRUE(facts.log_sound);
    const Epoch& choice = facts.epochs.at(0);
    EXPECT_EQ(choice.outcome, (Outcome{.completed = {5}, .false_answers = 3}));
    EXPECT_EQ(choice.posted.vector.size(), 1U);
    EXPECT_EQ(choice.past.vector.size(), 2U);
    ASSERT_EQ(choice.completable.size(), 2U) << "the receive that never matched is none";
    EXPECT_EQ(choice.completable[0].position, 5U);
    EXPECT_TRUE(choice.completable[0].known.vector.knows(2, 2));
    EXPECT_EQ(choice.completable[1].position, 7U);
    EXPECT_TRUE(choice.completable[1].known.vector.knows(1, 1));
    // Pending still, but its message was there.
    pending(0, 1, 3, 5);
    send(3, 0, 5, 0, known({{3, 9}}));
    const Epoch& again = read().epochs.at(0);
    ASSERT_EQ(again.completable.size(), 3U);
    EXPECT_EQ(again.completable[0].position, 2U);
    EXPECT_TRUE(again.completable[0].known.vector.knows(3, 9));
}

TEST_F(RecordReaderTest, WhatAsksForAllCouldReportThemOnlyWhenAllHaveCompleted) {
    epoch(0, {.index = 0, .tag = any_tag, .comm = 0, .kind = EpochKind::test_all});
    log(0).append(AsksForAllRecord{.index = 0, .poll = 0, .requests = 2});
    log(0).append(CompletableRecord{.index = 0, .position = 0, .clock = known({{2, 2}})});
    EXPECT_TRUE(read().epochs.at(0).completable.empty());
    log(0).append(CompletableRecord{.index = 0, .position = 1, .clock = known({{1, 1}})});
    EXPECT_EQ(read().epochs.at(0).completable.size(), 2U);
}

struct LamportRecordReaderTest : RecordReaderTest {
    LamportRecordReaderTest() : RecordReaderTest(clocks::Protocol::lamport) {}
};

TEST_F(LamportRecordReaderTest, NumbersAreClocksThemselves) {
    epoch(0, {.posted = 4});
    log(0).append(MatchedRecord{
        .order = 0, .settled_at = 9, .final_clock = 6, .past_clock = 5, .after_clock = 7, .source = 1, .tag = 0});
    send(2, 0, 0, 0, 6);
    send(3, 0, 0, 0, 7);
    EXPECT_EQ(potentials(), Names{"2/0/0"});
    const Epoch& epoch = reader.ranks()[0].epochs[0];
    EXPECT_EQ(reader.protocol(), clocks::Protocol::lamport);
    EXPECT_EQ(epoch.posted.lamport.value, 4U);
    EXPECT_EQ(epoch.past.lamport.value, 5U);
    EXPECT_EQ(epoch.final.value, 6U);
    EXPECT_EQ(epoch.potential_matches[0].past.lamport.value, 6U);
}

TEST_F(RecordReaderTest, OfVeryManyEpochsTheFirstAreKept) {
    for (std::uint32_t i = 0; i < 20; ++i) {
        epoch(0, {.index = i, .order = i});
        if (i != 3) {
            matched(0, i, {.source = 1, .number = i});
        }
    }
    late(0, 2, 0, 0, 19);
    matched(0, 3, {.source = 3, .number = 0});
    epoch(1, {.index = 0, .order = 0});
    epoch(1, {.index = 1, .order = 1});
    RecordReader small(run, lines, 12 * units_of_epoch);
    small.read();
    const RankFacts& facts = small.ranks()[0];
    EXPECT_TRUE(facts.log_sound);
    EXPECT_EQ(facts.epochs.size(), 11U) << "of twelve epochs the other rank has two";
    ASSERT_TRUE(facts.omitted);
    EXPECT_EQ(facts.omitted->from, 11U);
    EXPECT_EQ(facts.omitted->count, 9U);
    EXPECT_EQ(facts.epochs[3].outcome->source, 3) << "it came to it later";
    EXPECT_EQ(names(facts.epochs[10].potential_matches), Names{"2/0/0"}) << "also late messages that are taken later";
    EXPECT_EQ(small.ranks()[1].epochs.size(), 2U);
    EXPECT_FALSE(small.ranks()[1].omitted);
    EXPECT_FALSE(read().omitted) << "there is room for all";
    EXPECT_EQ(read().epochs.size(), 20U);
}

TEST_F(RecordReaderTest, ReadingLeavesOffWhenItIsToldTo) {
    simple_epoch();
    std::stop_source stop;
    EXPECT_TRUE(reader.read(stop.get_token()));
    stop.request_stop();
    EXPECT_TRUE(reader.read(stop.get_token())) << "little is read in any case";
    for (std::uint64_t number = 0; number < 60'000; ++number) {
        late(0, 2, 0, number, 50);
    }
    EXPECT_FALSE(reader.read(stop.get_token()));
    EXPECT_TRUE(reader.read());
}

TEST_F(RecordReaderTest, OfVeryManyLateMessagesTheFirstOfEachSenderAreKept) {
    simple_epoch();
    for (std::uint64_t number = 20; number-- != 10;) {
        late(0, 2, 0, number, 50);
    }
    for (std::uint64_t number = 0; number < 10; ++number) {
        late(0, 2, 0, number, 50);
    }
    RecordReader small(run, lines, units_of_epoch + 5 * units_of_alternative);
    small.read();
    const RankFacts& facts = small.ranks()[0];
    EXPECT_TRUE(facts.omitted);
    EXPECT_EQ(facts.epochs.size(), 1U);
    EXPECT_EQ(names(facts.epochs[0].potential_matches), Names{}) << "the first of the sender is not known";
}

TEST_F(RecordReaderTest, ADecisionThatHasNotMetItsMessageIsSeen) {
    epoch(0, {.order = 0});
    epoch(1, {.order = 0});
    pending(0, 0, any_source, any_tag).forced = 2;
    pending(1, 0, any_source, any_tag);
    read();
    EXPECT_TRUE(reader.ranks()[0].forced_pending);
    EXPECT_FALSE(reader.ranks()[1].forced_pending);
}

TEST_F(RecordReaderTest, CollectivesThatNotAllHaveEntered) {
    const auto collectives = [&](Rank rank, base::CommId comm, std::uint64_t count) {
        auto& slab = slabs[static_cast<std::size_t>(rank)];
        auto& record = area.at<CommunicatorRecord>(add_record(area, slab, rank, comm));
        for (std::uint64_t i = 0; i < count; ++i) {
            enter(area, slab, record,
                  {.sequence = i, .operation = operation_number(Collective::bcast, CollectiveForm::blocking)}, 0, 0);
        }
    };
    for (Rank rank = 0; rank < static_cast<Rank>(ranks); ++rank) {
        collectives(rank, 1, 12);
    }
    collectives(1, 7, 3);  // two members only
    collectives(2, 7, 3);
    read();
    EXPECT_TRUE(reader.uneven_collectives().empty());
    area.at<CommunicatorRecord>(area.rank(3).first_communicator).entered = 11;
    read();
    const auto uneven = reader.uneven_collectives();
    ASSERT_EQ(uneven.size(), 1U);
    EXPECT_EQ(uneven[0].kind, replay::ViolationKind::collective_mismatch);
    ASSERT_EQ(uneven[0].ranks.size(), 2U);
    EXPECT_EQ(uneven[0].ranks[1], 3);
    EXPECT_NE(uneven[0].message.find("is not entered by rank 3: they enter 12 and 11 collectives of MPI_COMM_WORLD"),
              std::string::npos)
        << uneven[0].message;
}

TEST_F(RecordReaderTest, MembersThatNeverEnteredACollectiveAreKnown) {
    log(0).append(CommunicatorMembersRecord{.comm = 7, .ranges = {0, 2, 3}});  // ranks 0 and 3
    auto& record = area.at<CommunicatorRecord>(add_record(area, slabs[3], 3, 7));
    const std::uint32_t scan = operation_number(Collective::scan, CollectiveForm::blocking);
    enter(area, slabs[3], record, {.sequence = 0, .operation = scan, .site = 0x1005}, 0, 0);
    enter(area, slabs[3], record, {.sequence = 1, .site = 0x1007}, 0, 0);
    log(3).append(ModuleRecord{.low = 0x1000, .high = 0x2000, .bias = 0, .path = "/nonexistent/program"});
    read();
    const auto uneven = reader.uneven_collectives();
    ASSERT_EQ(uneven.size(), 1U);
    EXPECT_EQ(uneven[0].ranks, (std::vector<Rank>{0, 3}));
    ASSERT_EQ(uneven[0].situations.size(), 2U);
    EXPECT_EQ(uneven[0].situations[0].rank, 3);
    EXPECT_EQ(uneven[0].situations[0].call, "MPI_Scan") << "the first that was not entered";
    EXPECT_EQ(uneven[0].situations[0].where.offset, 0x1005U);
    EXPECT_EQ(uneven[0].situations[1].rank, 0);
    EXPECT_EQ(uneven[0].situations[1].call, "MPI_Finalize");
}

TEST_F(RecordReaderTest, MembersThatMakeNoSenseAreNotBelieved) {
    for (const auto& ranges : std::vector<std::vector<std::uint32_t>>{
             {0, 2}, {0, 5, 1}, {3, 2, 1}, {0, 0, 1}, {0, 2, 0xffffffff}, {0xffffffff, 1, 1}, {1, 0xffffffff, 0}}) {
        area.rank(2).log_length = 0;
        log(2).append(CommunicatorMembersRecord{.comm = 7, .ranges = ranges});
        EXPECT_FALSE(read(2).log_sound) << testing::PrintToString(ranges);
    }
}

struct MismatchTest : RecordReaderTest {
    static constexpr base::CommId comm = 7;
    std::map<Rank, Offset> records;

    static Contribution part(Collective collective, std::uint64_t sequence, Rank root = no_root) {
        return {.sequence = sequence,
                .operation = operation_number(collective, CollectiveForm::blocking),
                .root = root,
                .site = sequence};
    }
    void enters(Rank rank, const Contribution& contribution) {
        auto& slab = slabs[static_cast<std::size_t>(rank)];
        Offset& record = records[rank];
        if (record == 0) {
            record = add_record(area, slab, rank, comm);
        }
        enter(area, slab, area.at<CommunicatorRecord>(record), contribution, 0, 0);
    }
    void notices(Rank rank, const Contribution& own, Rank peer, const Contribution& theirs) {
        log(rank).append(MismatchRecord{.comm = comm,
                                        .sequence = own.sequence,
                                        .peer = peer,
                                        .own = {.site = own.site, .operation = own.operation, .root = own.root},
                                        .theirs = {.operation = theirs.operation, .root = theirs.root}});
    }
};

TEST_F(MismatchTest, WhoeverNoticesTheSamePairIsNamed) {
    const Contribution bcast = part(Collective::bcast, 0, 0);
    const Contribution barrier = part(Collective::barrier, 0);
    for (const Rank rank : {0, 1, 3}) {
        enters(rank, bcast);
    }
    enters(2, barrier);
    notices(3, bcast, 2, barrier);
    notices(2, barrier, 1, bcast);
    log(0).append(CommunicatorNameRecord{.comm = comm, .name = "mine"});
    read();
    const auto mismatches = reader.collective_mismatches({});
    ASSERT_EQ(mismatches.size(), 1U);
    EXPECT_EQ(mismatches[0].comm, comm);
    EXPECT_EQ(mismatches[0].difference, Difference::operation);
    const replay::Violation& violation = mismatches[0].violation;
    EXPECT_EQ(violation.kind, replay::ViolationKind::collective_mismatch);
    EXPECT_EQ(violation.message,
              "MPI_Bcast in rank 0 meets MPI_Barrier in rank 2: both are collective 0 (counted from 0) of mine");
    EXPECT_EQ(violation.ranks, (std::vector<Rank>{0, 2}));
    ASSERT_EQ(violation.situations.size(), 2U);
    EXPECT_EQ(violation.situations[0].call, "MPI_Bcast");
    EXPECT_EQ(violation.situations[1].rank, 2);
}

TEST_F(MismatchTest, WhatIsKeptNoLongerIsAsItWasNoticed) {
    notices(3, part(Collective::bcast, 4, 3), 1, part(Collective::bcast, 4, 1));
    read();
    const auto mismatches = reader.collective_mismatches({});
    ASSERT_EQ(mismatches.size(), 1U);
    EXPECT_EQ(mismatches[0].difference, Difference::root);
    EXPECT_EQ(mismatches[0].violation.message,
              "MPI_Bcast with root 1 in rank 1 meets MPI_Bcast with root 3 in rank 3: both are collective 4 (counted "
              "from 0) of a communicator");
    EXPECT_EQ(mismatches[0].violation.situations[1].detail, "with root 3");
}

TEST_F(MismatchTest, WhatFollowsOnTheCommunicatorIsAConsequence) {
    notices(0, part(Collective::bcast, 2, 0), 1, part(Collective::barrier, 2));
    notices(0, part(Collective::barrier, 3), 1, part(Collective::bcast, 3, 0));
    notices(0, part(Collective::bcast, 1, 0), 1, part(Collective::bcast, 1, 1));
    read();
    const auto mismatches = reader.collective_mismatches({});
    ASSERT_EQ(mismatches.size(), 2U);
    EXPECT_EQ(mismatches[0].difference, Difference::root);
    EXPECT_EQ(mismatches[1].difference, Difference::operation);
}

TEST_F(MismatchTest, StuckRanksAreLookedAtEvenIfNobodyNoticed) {
    enters(1, part(Collective::bcast, 0, 0));
    enters(3, part(Collective::barrier, 0));
    read();
    EXPECT_TRUE(reader.collective_mismatches({}).empty());
    EXPECT_TRUE(reader.collective_mismatches({{comm, 1}, {8, 0}}).empty());
    const auto mismatches = reader.collective_mismatches({{comm, 0}});
    ASSERT_EQ(mismatches.size(), 1U);
    EXPECT_EQ(mismatches[0].violation.ranks, (std::vector<Rank>{1, 3}));
    EXPECT_EQ(reader.entering(1, {comm, 0})->call, "MPI_Bcast");
    EXPECT_FALSE(reader.entering(1, {comm, 1}));
}

TEST_F(MismatchTest, PeersThatDoNotExistAreNotBelieved) {
    for (const Rank peer : {-1, 2, 4}) {
        area.rank(2).log_length = 0;
        notices(2, part(Collective::bcast, 0, 0), peer, part(Collective::barrier, 0));
        EXPECT_FALSE(read(2).log_sound) << peer;
        EXPECT_TRUE(reader.collective_mismatches({}).empty()) << peer;
    }
}

TEST_F(RecordReaderTest, APendingReceivePostedLaterClaimsNothingFromAnEpoch) {
    epoch(0, {.order = 1});
    matched(0, 1, {.after = {{0, 0}}});
    epoch(0, {.index = 1, .order = 3});
    matched(0, 3, {.after = {{0, 1}}});
    pending(0, 2, 2, 5);
    send(2, 0, 5, 0);
    EXPECT_EQ(potentials(0), Names{"2/5/0"});
    EXPECT_EQ(potentials(1), Names{}) << "posted after the named receive";
}

TEST_F(RecordReaderTest, APendingReceiveOnAnotherCommunicatorClaimsNothing) {
    pending(0, 0, 2, any_tag, 9);
    epoch(0, {.order = 1});
    matched(0, 1, {.after = {{0, 0}}});
    send(2, 0, 5, 0);
    EXPECT_EQ(potentials(), Names{"2/5/0"});
}

TEST_F(RecordReaderTest, KeepsTheWayOutOfMainApartFromStacks) {
    for (const Rank rank : {0, 1}) {
        log(rank).append(ModuleRecord{.low = 0x1000, .high = 0x2000, .bias = 0x400, .path = "/nonexistent/program"});
        area.rank(rank).crash.main_function = 0x1005;
        area.rank(rank).crash.frames = 3;
        area.rank(rank).crash.program_counters[0] = rank == 0 ? 0x1005 : 0x1006;
        area.rank(rank).crash.program_counters[1] = 0x101f;
        area.rank(rank).crash.program_counters[2] = 0x101c;
    }
    read();
    const RankFacts& returned = reader.ranks()[0];
    EXPECT_EQ(returned.main_function.offset, 0xc05U);
    EXPECT_TRUE(returned.crash_stack.empty());
    ASSERT_EQ(returned.way_out_of_main.places.size(), 2U);
    EXPECT_EQ(returned.way_out_of_main.places[0].offset, 0xc1fU);
    EXPECT_EQ(returned.way_out_of_main.places[1].offset, 0xc1cU);
    EXPECT_FALSE(returned.way_out_of_main.is_unoptimised);
    EXPECT_EQ(reader.ranks()[1].crash_stack.size(), 3U);
    EXPECT_TRUE(reader.ranks()[1].way_out_of_main.places.empty());
}

TEST_F(RecordReaderTest, PhasesCrashesAndWhatWasNotModelled) {
    area.rank(0).phase = Phase::finalized;
    area.rank(1).phase = Phase::running;
    area.rank(2).phase = Phase::starting;
    area.rank(0).crash.exit_status = 0x105 + 1;  // as much of it as a process hands on
    area.rank(1).crash.exit_status = 1;
    area.rank(1).crash.frames = 2;
    area.rank(1).crash.program_counters[0] = 0x1005;
    area.rank(1).crash.program_counters[1] = 0x101f;
    area.rank(1).crash.signal = 11;
    log(1).append(ModuleRecord{.low = 0x1000, .high = 0x2000, .bias = 0x400, .path = "/nonexistent/program"});
    for (const Rank rank : {0, 3}) {
        std::strcpy(area.rank(rank).not_modelled[rank].name, "MPI_Put");
        area.rank(rank).not_modelled[rank].count = 3;
    }
    std::strcpy(area.rank(1).not_modelled[0].name, "MPI_Put");
    area.rank(1).not_modelled[0].count = 1;
    area.rank(1).not_modelled[0].site = 0x1005;
    const RankFacts& facts = read(1);
    EXPECT_TRUE(reader.ranks()[0].finalized);
    EXPECT_TRUE(reader.ranks()[2].loaded);
    EXPECT_FALSE(reader.ranks()[2].started);
    EXPECT_TRUE(facts.started);
    EXPECT_FALSE(facts.finalized);
    EXPECT_EQ(facts.crash_signal, 11);
    EXPECT_EQ(reader.ranks()[0].exit_status, 5);
    EXPECT_EQ(facts.exit_status, 0);
    EXPECT_EQ(reader.ranks()[2].exit_status, std::nullopt);
    ASSERT_EQ(facts.crash_stack.size(), 2U);
    EXPECT_EQ(facts.crash_stack[0].module, "/nonexistent/program");
    EXPECT_EQ(facts.crash_stack[0].offset, 0xc05U);
    EXPECT_EQ(facts.crash_stack[1].offset, 0xc1fU) << "within the call, as the rank has written it";
    const replay::CodePlace put{.module = "/nonexistent/program", .offset = 0xc05};
    EXPECT_EQ(reader.not_modelled(), (replay::AllNotModelled{{"MPI_Put", {7, {put}}}}));
    EXPECT_EQ(reader.place(1, 0x2000).module, "") << "behind the module";
    EXPECT_EQ(reader.place(0, 0x1005).module, "") << "another rank's";
}

TEST_F(RecordReaderTest, ViolationsDivergencesAndNames) {
    log(0).append(ViolationRecord{.kind = number_of(replay::ViolationKind::leak_request),
                                  .message = "m",
                                  .call = "MPI_Isend",
                                  .detail = "d",
                                  .site = 1});
    log(0).append(DivergenceRecord{.index = 3, .message = "first", .call = "MPI_Recv", .site = 1});
    log(0).append(DivergenceRecord{.index = 4, .message = "second", .call = "MPI_Recv", .site = 1});
    log(0).append(CommunicatorNameRecord{.comm = 7, .name = "a duplicate"});
    log(1).append(InternalErrorRecord{.text = "x does not hold"});
    const RankFacts& facts = read();
    ASSERT_EQ(facts.violations.size(), 1U);
    EXPECT_EQ(facts.violations[0].kind, replay::ViolationKind::leak_request);
    EXPECT_EQ(facts.violations[0].ranks, std::vector<Rank>{0});
    ASSERT_EQ(facts.violations[0].situations.size(), 1U);
    EXPECT_EQ(facts.violations[0].situations[0].call, "MPI_Isend");
    EXPECT_EQ(facts.violations[0].situations[0].detail, "d");
    ASSERT_TRUE(facts.divergence);
    EXPECT_EQ(facts.divergence->message, "first");
    EXPECT_EQ(reader.communicator_name(7), "a duplicate");
    EXPECT_EQ(reader.communicator_name(8), "a communicator");
    EXPECT_EQ(reader.ranks()[1].internal_error, "x does not hold");
}

TEST_F(RecordReaderTest, AKindThatThereIsNotIsNotBelieved) {
    const std::uint32_t none = number_of(replay::last_violation_kind) + 1;
    log(0).append(ViolationRecord{.kind = none, .message = "m", .call = "MPI_Isend", .detail = "d", .site = 1});
    log(1).append(NoteRecord{{.kind = none + 0xff, .message = "m", .call = "MPI_Isend", .detail = "d", .site = 1}});
    read();
    for (const Rank rank : {0, 1}) {
        const RankFacts& facts = reader.ranks()[static_cast<std::size_t>(rank)];
        EXPECT_FALSE(facts.log_sound) << rank;
        EXPECT_TRUE(facts.violations.empty() && facts.notes.empty()) << rank;
    }
}

TEST_F(RecordReaderTest, ThreadsOfARankTakeTurns) {
    const auto posted = [&](std::uint32_t index, std::uint64_t operation) {
        log(0).append(EpochPostedRecord{
            .index = index, .comm = 1, .order = index, .tag = any_tag, .call = "MPI_Recv", .operation = operation});
    };
    posted(0, 2);
    log(0).append(ThreadTurnRecord{.thread = 7, .before = 3});
    posted(1, 4);
    log(0).append(ThreadTurnRecord{.thread = 0, .before = 5});
    posted(2, 6);
    log(0).append(ThreadTurnRecord{.thread = 7, .before = 9});
    const RankFacts& facts = read();
    using Turns = replay::ThreadOrder::Turns;
    EXPECT_EQ(facts.epochs.at(0).threads.turns(), (Turns{{0, 2}}));
    EXPECT_EQ(facts.epochs.at(1).threads.turns(), (Turns{{0, 3}, {7, 1}}));
    EXPECT_EQ(facts.epochs.at(2).threads.turns(), (Turns{{0, 3}, {7, 2}, {0, 1}}));
}

TEST_F(RecordReaderTest, TurnsOfThreadsDoNotGoBack) {
    log(0).append(ThreadTurnRecord{.thread = 7, .before = 3});
    log(0).append(ThreadTurnRecord{.thread = 8, .before = 2});
    EXPECT_FALSE(read().log_sound);
}

TEST_F(RecordReaderTest, AStackBeforeAViolationIsItsOwn) {
    log(0).append(ModuleRecord{.low = 0x1000, .high = 0x2000, .bias = 0x1000, .path = "/nonexistent/app"});
    const std::array<std::uint64_t, 2> frames{0x1010, 0x1020};
    log(0).append(transport::TouchStackInPlace{.frames = frames});
    for (int i = 0; i < 2; ++i) {
        log(0).append(ViolationRecord{.kind = number_of(replay::ViolationKind::buffer_modified),
                                      .message = "m",
                                      .call = "",
                                      .detail = "d",
                                      .site = 0x1010});
    }
    const RankFacts& facts = read();
    EXPECT_TRUE(facts.log_sound);
    ASSERT_EQ(facts.violations.size(), 2U);
    const std::vector<replay::CodePlace>& stack = facts.violations[0].situations[0].stack;
    ASSERT_EQ(stack.size(), 2U);
    EXPECT_EQ(stack[0].offset, 0x10U);
    EXPECT_EQ(stack[1].offset, 0x20U);
    EXPECT_TRUE(facts.violations[1].situations[0].stack.empty());
}

TEST_F(RecordReaderTest, AStackThatIsNoneIsNotRead) {
    log(0).append(transport::TouchStackRecord{.frames = {transport::stack_places}});
    EXPECT_FALSE(read().log_sound);
}

TEST_F(RecordReaderTest, NotesAreNoViolations) {
    log(2).append(NoteRecord{{.kind = number_of(replay::ViolationKind::pcontrol_unbalanced),
                              .message = "m",
                              .call = "MPI_Pcontrol",
                              .detail = "",
                              .site = 1}});
    const RankFacts& facts = read(2);
    EXPECT_TRUE(facts.violations.empty());
    ASSERT_EQ(facts.notes.size(), 1U);
    EXPECT_EQ(facts.notes[0].kind, replay::ViolationKind::pcontrol_unbalanced);
    EXPECT_EQ(facts.notes[0].ranks, std::vector<Rank>{2});
    EXPECT_EQ(facts.notes[0].situations.at(0).call, "MPI_Pcontrol");
}

TEST_F(RecordReaderTest, EpochsStandWhereTheRankSaysTheyDo) {
    log(0).append(EpochPostedRecord{.index = 0,
                                    .comm = 1,
                                    .tag = any_tag,
                                    .call = "MPI_Recv",
                                    .previous_follow_up = 1,
                                    .communicator_name = std::string(128, 'x')});
    log(0).append(EpochPostedRecord{.index = 1,
                                    .comm = 1,
                                    .order = 1,
                                    .tag = any_tag,
                                    .call = "MPI_Recv",
                                    .zone = 7,
                                    .bracketed = 1,
                                    .mixing_bound = 2,
                                    .previous_follow_up = 5,
                                    .communicator_name = "results"});
    area.rank(0).follow_up = 6;
    const RankFacts& facts = read();
    ASSERT_EQ(facts.epochs.size(), 2U);
    const replay::EpochContext& first = facts.epochs[0].context;
    EXPECT_EQ(first.zone, 0U);
    EXPECT_FALSE(first.bracketed);
    EXPECT_FALSE(first.mixing_bound);
    EXPECT_EQ(first.communicator_name, std::string(128, 'x'));
    EXPECT_EQ(first.stack, replay::EpochContext::no_stack);
    EXPECT_EQ(first.follow_up, 5U) << "as the epoch after it says";
    const replay::EpochContext& second = facts.epochs[1].context;
    EXPECT_EQ(second.zone, 7U);
    EXPECT_TRUE(second.bracketed);
    EXPECT_EQ(second.mixing_bound, 2U);
    EXPECT_EQ(second.communicator_name, "results");
    EXPECT_EQ(second.follow_up, 6U) << "how far the rank came";
}

TEST_F(RecordReaderTest, APlaceMayNameACallWithItsStack) {
    log(0).append(ModuleRecord{.low = 0x1000, .high = 0x2000, .bias = 0x1000, .path = "/nonexistent/app"});
    log(0).append(StackRecord{.number = 0, .frames = {0x1030}});
    log(0).append(StackRecord{.number = 1, .frames = {0x1010, 0x1020}});
    const auto violation = [&](std::uint64_t site) {
        log(0).append(ViolationRecord{.kind = replay::number_of(replay::ViolationKind::leak_request),
                                      .message = "m",
                                      .call = "MPI_Irecv",
                                      .detail = "d",
                                      .site = site});
    };
    violation(transport::stack_places + 1);
    violation(transport::stack_places + 2);
    violation(0x1010);
    reader.read();
    const auto& found = reader.ranks()[0].violations;
    ASSERT_EQ(found.size(), 3U);
    const auto offsets = [](const replay::RankSituation& situation) {
        std::vector<std::uint64_t> all{situation.where.offset};
        for (const replay::CodePlace& frame : situation.stack) {
            all.push_back(frame.offset);
        }
        return all;
    };
    EXPECT_EQ(offsets(found[0].situations.front()), (std::vector<std::uint64_t>{0x10, 0x10, 0x20}));
    EXPECT_EQ(offsets(found[1].situations.front()), (std::vector<std::uint64_t>{0})) << "there is no such stack";
    EXPECT_EQ(offsets(found[2].situations.front()), (std::vector<std::uint64_t>{0x10})) << "a place without one";
    EXPECT_EQ(reader.place(0, transport::stack_places).offset, 0x30U);
    EXPECT_EQ(reader.place(1, transport::stack_places).offset, 0U) << "that rank has none";
}

TEST_F(RecordReaderTest, EqualStacksOfAllRanksAreOne) {
    // One file, mapped elsewhere in each rank, and MPI's own functions in between.
    for (const Rank rank : {0, 1}) {
        const std::uint64_t bias = 0x10000 * (static_cast<std::uint64_t>(rank) + 1);
        const std::uint64_t mpi = 0x900000;
        log(rank).append(StackRecord{.number = 0, .frames = {bias + 0x10, mpi + 0x5, bias + 0x20}});
        log(rank).append(StackRecord{.number = 1, .frames = {bias + 0x10, bias + (rank == 0 ? 0x20U : 0x30U)}});
        epoch(rank, {.index = 0, .stack = 0});
        epoch(rank, {.index = 1, .order = 1, .stack = 1});
        epoch(rank, {.index = 2, .order = 2, .stack = 0});
        log(rank).append(ModuleRecord{.low = bias, .high = bias + 0x1000, .bias = bias, .path = "/nonexistent/app"});
        log(rank).append(ModuleRecord{.low = mpi, .high = mpi + 0x1000, .bias = mpi, .path = "/lib/libmpich.so.12"});
    }
    reader.read();
    std::vector<std::vector<std::uint32_t>> stacks;
    for (const Rank rank : {0, 1}) {
        auto& of_rank = stacks.emplace_back();
        for (const Epoch& each : reader.ranks()[static_cast<std::size_t>(rank)].epochs) {
            of_rank.push_back(each.context.stack);
        }
    }
    EXPECT_EQ(stacks, (std::vector<std::vector<std::uint32_t>>{{0, 0, 0}, {0, 1, 0}}));
    std::vector<std::vector<std::uint64_t>> offsets;
    for (const auto& stack : reader.stacks()) {
        auto& of_stack = offsets.emplace_back();
        for (const replay::CodePlace& frame : stack) {
            EXPECT_EQ(frame.module, "/nonexistent/app");
            of_stack.push_back(frame.offset);
        }
    }
    EXPECT_EQ(offsets, (std::vector<std::vector<std::uint64_t>>{{0x10, 0x20}, {0x10, 0x30}}));
    reader.read();
    EXPECT_EQ(reader.stacks().size(), 2U) << "reading again begins anew";
}

TEST_F(RecordReaderTest, MessagesThatNobodyReceivedAreViolationsByPlace) {
    send(1, 0, 5, 0, 0, 1, 100);
    send(1, 0, 6, 1, 0, 1, 100);
    send(1, 0, 7, 2, 0, 1, 200);
    send(3, 1, 8, 0, 0, 1, 100);
    read();
    const auto notes = unreceived_messages(reader);
    ASSERT_EQ(notes.size(), 3U);
    EXPECT_EQ(notes[0].kind, replay::ViolationKind::leak_message);
    EXPECT_EQ(notes[0].ranks, std::vector<Rank>{1});
    EXPECT_EQ(notes[0].message,
              "2 messages from rank 1 to rank 0 with tag 5 (the first) on MPI_COMM_WORLD were never received");
    EXPECT_EQ(notes[1].message, "a message from rank 1 to rank 0 with tag 7 on MPI_COMM_WORLD was never received");
    EXPECT_EQ(notes[2].ranks, std::vector<Rank>{3});
}

/// "send 1>0 tag 5 x2", "receive 1<0 tag 5" of each.
Names operations(const std::vector<replay::UnmatchedOperation>& all) {
    Names found;
    for (const auto& operation : all) {
        found.push_back((operation.send ? "send " : "receive ") + std::to_string(operation.rank) +
                        (operation.send ? ">" : "<") + std::to_string(operation.peer) + " tag " +
                        std::to_string(operation.tag) +
                        (operation.count == 1 ? "" : " x" + std::to_string(operation.count)));
    }
    return found;
}

TEST_F(RecordReaderTest, OperationsWithoutAPartner) {
    pending(0, 0, 3, 5);
    pending(0, 1, any_source, any_tag, 7);
    pending(0, 2, 3, 5);
    pending(2, 0, 0, 1).state = PostedState::free;
    send(1, 0, 5, 0);
    send(1, 0, 5, 1);
    send(1, 0, 6, 2);
    send(3, 2, 1, 0).state = EnvelopeState::taken;
    log(0).append(CommunicatorNameRecord{.comm = 7, .name = "a duplicate"});
    read();
    const auto unmatched = reader.unmatched_operations();
    EXPECT_EQ(operations(unmatched),
              (Names{"send 1>0 tag 5 x2", "send 1>0 tag 6", "receive 0<-1 tag -1", "receive 0<3 tag 5 x2"}));
    EXPECT_EQ(unmatched[0].communicator, "MPI_COMM_WORLD");
    EXPECT_EQ(unmatched[2].communicator, "a duplicate");
}

TEST_F(RecordReaderTest, OperationsThatFitEachOtherArePartners) {
    pending(0, 4, 1, 5);
    pending(0, 2, any_source, 5);  // posted first: takes the first message
    pending(0, 6, any_source, 5).forced = 2;
    send(1, 0, 5, 0, 0, 1, 10);
    send(1, 0, 6, 1);
    send(1, 0, 5, 2, 0, 1, 20);
    send(1, 0, 5, 3, 0, 1, 30);
    send(2, 0, 5, 0);
    read();
    EXPECT_EQ(operations(reader.unmatched_operations()), (Names{"send 1>0 tag 5", "send 1>0 tag 6"}));
}

TEST_F(RecordReaderTest, ALogThatMakesNoSenseIsNotBelieved) {
    const auto broken = [&](const char* what, auto&& damage) {
        area.rank(0).log_length = 0;
        epoch(0, {.index = 0});
        damage();
        epoch(0, {.index = 1, .order = 20});
        const RankFacts& facts = read();
        EXPECT_FALSE(facts.log_sound) << what;
        ASSERT_EQ(facts.epochs.size(), 1U) << what << ": what came before it stands, what follows does not";
    };
    const ClockName nonsense = area.slab_begin(1) + 8000;
    area.at<std::uint64_t>(nonsense) = ~std::uint64_t{0};
    broken("an epoch twice", [&] { epoch(0, {.index = 0, .order = 1}); });
    broken("an epoch is missing", [&] { epoch(0, {.index = 2, .order = 1}); });
    broken("an order twice", [&] { epoch(0, {.index = 1, .order = 0}); });
    broken("an order that is none", [&] { epoch(0, {.index = 1, .order = clocks::never_taken}); });
    broken("an unknown kind", [&] { epoch(0, {.index = 1, .order = 1, .kind = static_cast<EpochKind>(13)}); });
    broken("a source that is no rank", [&] { epoch(0, {.index = 1, .order = 1, .source = 4}); });
    broken("a clock that is none", [&] { epoch(0, {.index = 1, .order = 1, .posted = nonsense}); });
    broken("a clock outside", [&] { epoch(0, {.index = 1, .order = 1, .posted = ~ClockName{0} - 7}); });
    broken("a stack that there is not", [&] { epoch(0, {.index = 1, .order = 1, .stack = 0}); });
    broken("a stack out of turn", [&] { log(0).append(StackRecord{.number = 1, .frames = {1}}); });
    broken("an empty stack", [&] { log(0).append(StackRecord{.number = 0, .frames = {}}); });
    broken("an endless stack",
           [&] { log(0).append(StackRecord{.number = 0, .frames = std::vector<std::uint64_t>(65)}); });
    broken("an endless name", [&] { epoch(0, {.index = 1, .order = 1, .communicator_name = std::string(129, 'x')}); });
    broken("a match of no receive", [&] { matched(0, 1, {}); });
    broken("a match of a source that is no rank", [&] { matched(0, 0, {.source = 4}); });
    broken("a match of a source that is no rank", [&] { matched(0, 0, {.source = -1}); });
    broken("a match at no time",
           [&] { log(0).append(MatchedRecord{.order = 0, .settled_at = clocks::never, .source = 1}); });
    broken("a match with a clock that is none",
           [&] { log(0).append(MatchedRecord{.order = 0, .settled_at = 8, .past_clock = nonsense, .source = 1}); });
    broken("two matches", [&] {
        matched(0, 0, {});
        matched(0, 0, {});
    });
    broken("another receive's message", [&] {
        log(0).append(ReceivePostedRecord{.comm = 1, .order = 7, .source = 2, .tag = 5});
        matched(0, 7, {.source = 1, .tag = 5});
    });
    broken("another tag", [&] {
        log(0).append(ReceivePostedRecord{.comm = 1, .order = 7, .source = 2, .tag = 5});
        matched(0, 7, {.source = 2, .tag = 4});
    });
    broken("a dropped receive that there is not", [&] { log(0).append(DroppedRecord{.order = 1, .settled_at = 3}); });
    broken("a match after the end", [&] {
        log(0).append(DroppedRecord{.order = 0, .settled_at = 3});
        matched(0, 0, {});
    });
    broken("an answer of no epoch", [&] { log(0).append(AnsweringRecord{.index = 1}); });
    broken("an answer of what does not poll", [&] { log(0).append(AnsweringRecord{.index = 0}); });
    broken("a late message of no rank", [&] { late(0, 4, 0, 0, 5); });
    broken("a late message with a clock that is none", [&] { late(0, 1, 0, 0, 5, nonsense); });
    broken("a candidate of no choice", [&] { log(0).append(CandidateRecord{.index = 0, .position = 0, .order = 0}); });
    broken("a completion of no choice", [&] { log(0).append(CompletableRecord{.index = 1}); });
    broken("a call for all that is no choice", [&] { log(0).append(AsksForAllRecord{.index = 0, .requests = 1}); });
    broken("a choice that is a receive", [&] { log(0).append(ChosenRecord{.index = 0, .completed = {0}}); });
    broken("a receive that gave up", [&] { log(0).append(ChosenRecord{.index = 0}); });
    broken("an unknown record", [&] {
        const std::uint32_t head[2] = {8, 99};
        std::memcpy(area.log(0) + area.rank(0).log_length, static_cast<const void*>(head), sizeof head);
        area.rank(0).log_length += 8;
    });
    broken("a record cut off", [&] {
        matched(0, 0, {});
        area.rank(0).log_length -= 3;
    });
    EXPECT_TRUE(reader.ranks()[1].log_sound) << "the others' are";
}

TEST_F(RecordReaderTest, AChoiceThatMakesNoSenseIsNotBelieved) {
    const auto sound = [&](EpochKind kind, const std::vector<std::uint32_t>& completed) {
        area.rank(0).log_length = 0;
        epoch(0, {.kind = kind});
        log(0).append(ChosenRecord{.index = 0, .completed = completed});
        return read().log_sound;
    };
    EXPECT_TRUE(sound(EpochKind::wait_any, {3}));
    EXPECT_FALSE(sound(EpochKind::wait_any, {1, 3}));
    EXPECT_TRUE(sound(EpochKind::wait_some, {1, 3}));
    EXPECT_FALSE(sound(EpochKind::wait_some, {3, 1}));
    EXPECT_FALSE(sound(EpochKind::test_all, {1, 1}));
    EXPECT_TRUE(sound(EpochKind::test, {}));
    EXPECT_TRUE(sound(EpochKind::cancel, {}));
    EXPECT_TRUE(sound(EpochKind::polling_probe, {}));
    EXPECT_FALSE(sound(EpochKind::polling_probe, {0}));
    EXPECT_FALSE(sound(EpochKind::probe, {}));
    log(0).append(ChosenRecord{.index = 0});
    EXPECT_FALSE(read().log_sound) << "twice";
}

TEST_F(RecordReaderTest, ASendersClockThatIsNoneCountsAgainstTheSender) {
    simple_epoch();
    send(2, 0, 5, 4, area.slab_begin(1) + 1);
    send(3, 0, 5, 4);
    EXPECT_EQ(potentials(), Names{"3/5/4"});
    EXPECT_FALSE(reader.ranks()[2].log_sound);
}

TEST_F(RecordReaderTest, GarbageIsSurvived) {
    std::mt19937 random(8);
    std::size_t believed = 0;
    for (int round = 0; round < 400; ++round) {
        for (Rank rank = 0; rank < static_cast<Rank>(ranks); ++rank) {
            area.rank(rank).log_length = 0;
            for (std::uint32_t i = 0; i < 20; ++i) {
                constexpr EpochKind kinds[] = {EpochKind::receive, EpochKind::polling_probe, EpochKind::test_some};
                epoch(rank, {.index = i, .order = i, .kind = kinds[i % 3]});
                if (i % 3 != 0) {
                    log(rank).append(AnsweringRecord{.index = i, .false_answers = 1, .order = i, .posted_at = i});
                }
                if (i % 3 != 2) {
                    log(rank).append(MatchedRecord{
                        .order = i, .settled_at = i + 1, .source = static_cast<Rank>(i % ranks), .tag = 0});
                } else {
                    log(rank).append(CandidateRecord{.index = i, .position = 1, .order = i - 1});
                    log(rank).append(CompletableRecord{.index = i, .position = 0});
                    log(rank).append(ChosenRecord{.index = i, .completed = {0, 1}});
                }
                late(rank, 1, 0, 3, i + 1);
                log(rank).append(ViolationRecord{.kind = 0, .message = "m", .call = "c", .detail = "d", .site = 1});
                log(rank).append(StackRecord{.number = i, .frames = {i, i + 1}});
            }
            const std::uint64_t length = area.rank(rank).log_length;
            for (int i = 0; i < round % 7; ++i) {
                area.log(rank)[random() % length] = static_cast<std::uint8_t>(random());
            }
            if (round % 50 == 0) {
                area.rank(rank).log_length = random();
            }
            area.rank(rank).posted_high = round % 3 == 0 ? random() % 100 : 5;
            for (std::uint64_t i = 0; i < 5; ++i) {
                auto& slot = area.posted(rank, i);
                slot.source = static_cast<Rank>(random());
                slot.tag = static_cast<Tag>(random() % 3) - 1;
                slot.order = random();
                slot.comm = 1;
                slot.posted_clock = random() % 4 == 0 ? random() : 0;
                slot.oldest_pending = random() % 30;
                slot.state = static_cast<PostedState>(random() % 3);
            }
            area.rank(rank).phase = static_cast<Phase>(random());
            area.rank(rank).crash.signal = static_cast<std::uint32_t>(random());
            area.rank(rank).crash.frames = static_cast<std::uint32_t>(random());
            auto& not_modelled = area.rank(rank).not_modelled[random() % not_modelled_slots];
            std::memset(not_modelled.name, 'x', sizeof not_modelled.name);  // without an end
            not_modelled.count = random();
        }
        send(1, 0, static_cast<Tag>(random() % 3), random(), random() % 4 == 0 ? random() : 0);
        area.queue(2, 3).first_chunk = random();
        read();
        for (const RankFacts& facts : reader.ranks()) {
            believed += facts.log_sound ? 1 : 0;
            ASSERT_LE(facts.crash_stack.size(), crash_frames);
            for (const Epoch& epoch : facts.epochs) {
                ASSERT_LT(epoch.potential_matches.size(), ranks);
                if (epoch.outcome) {
                    ASSERT_LT(epoch.outcome->source, static_cast<Rank>(ranks));
                }
            }
        }
        for (const auto& [name, count] : reader.not_modelled()) {
            ASSERT_LE(name.size(), name_length);
        }
        for (const auto& operation : reader.unmatched_operations()) {
            ASSERT_LT(operation.rank, static_cast<Rank>(ranks));
            ASSERT_GE(operation.rank, 0);
            ASSERT_LT(operation.peer, static_cast<Rank>(ranks));
            ASSERT_GE(operation.peer, operation.send ? 0 : any_source);
        }
        ASSERT_LE(unreceived_messages(reader).size(), static_cast<std::size_t>(round) + 1)
            << "one place for each message sent";
    }
    EXPECT_GT(believed, 100U) << "undamaged rounds";
    EXPECT_LT(believed, 1580U) << "damaged rounds";
}

// ---- situations ----------------------------------------------------------------------------------------

template <std::size_t Size>
void put(char (&into)[Size], const std::string& text) {
    ASSERT_LT(text.size(), Size);
    std::memset(into, 0, Size);
    std::memcpy(into, text.data(), text.size());
}

struct SituationTest : RecordReaderTest {
    SituationTest() {
        log(1).append(ModuleRecord{.low = 1000, .high = 2000, .bias = 1000, .path = "/home/user/app"});
        log(1).append(ModuleRecord{.low = 5000, .high = 6000, .bias = 5000, .path = "/usr/lib/libmpich.so.12"});
    }
    RankHeader& header = area.rank(1);

    void write(const std::string& call, const std::string& arguments) {
        put(header.situation.call, call);
        put(header.situation.arguments, arguments);
        header.situation.site = 1100;
        header.situation.frames = 3;
        header.situation.program_counters[0] = 5010;
        header.situation.program_counters[1] = 1100;
        header.situation.program_counters[2] = 1200;
        header.situation.written = 1;
    }
    void call(const std::string& name, bool inside) {
        put(header.last_call.name, name);
        header.last_call.site = 1300;
        header.last_call.inside = inside ? 1 : 0;
    }
};

TEST_F(SituationTest, nothing_is_known_of_a_rank_that_has_written_nothing) {
    reader.read();
    EXPECT_FALSE(reader.situation(1).has_value());
}

TEST_F(SituationTest, tells_what_a_rank_in_mpi_has_written) {
    call("MPI_Recv", true);
    write("MPI_Recv", "count 1, source 2");
    reader.read();
    const auto situation = reader.situation(1);
    ASSERT_TRUE(situation.has_value());
    EXPECT_EQ(situation->rank, 1);
    EXPECT_EQ(situation->call, "MPI_Recv");
    EXPECT_EQ(situation->arguments, "count 1, source 2");
    EXPECT_EQ(situation->last_call, "");
    EXPECT_EQ(situation->where.module, "/home/user/app");
    EXPECT_EQ(situation->where.offset, 100U);
    ASSERT_EQ(situation->stack.size(), 2U) << "without the MPI library";
    EXPECT_EQ(situation->stack[0].offset, 100U);
    EXPECT_EQ(situation->stack[1].offset, 200U);
}

TEST_F(SituationTest, tells_the_last_call_of_a_rank_outside_mpi) {
    call("MPI_Send", false);
    reader.read();
    const auto situation =
        reader.situation(1, {{.module = "/home/user/app", .offset = 7, .function = "", .file = "", .line = 0}});
    ASSERT_TRUE(situation.has_value());
    EXPECT_EQ(situation->call, "");
    EXPECT_EQ(situation->last_call, "MPI_Send");
    EXPECT_EQ(situation->where.offset, 300U);
    ASSERT_EQ(situation->stack.size(), 1U);
    EXPECT_EQ(situation->stack[0].offset, 7U);
}

TEST_F(SituationTest, tells_the_call_of_a_rank_that_could_not_write_it) {
    call("MPI_File_open", true);
    reader.read();
    const auto situation = reader.situation(1);
    ASSERT_TRUE(situation.has_value());
    EXPECT_EQ(situation->call, "MPI_File_open");
    EXPECT_EQ(situation->last_call, "");
    EXPECT_EQ(situation->arguments, "");
}

TEST_F(SituationTest, knows_a_stack_without_any_call) {
    reader.read();
    const auto situation =
        reader.situation(1, {{.module = "/home/user/app", .offset = 7, .function = "", .file = "", .line = 0}});
    ASSERT_TRUE(situation.has_value());
    EXPECT_EQ(situation->call, "");
    EXPECT_EQ(situation->last_call, "");
    EXPECT_EQ(situation->where.module, "");
}

TEST_F(SituationTest, does_not_believe_what_makes_no_sense) {
    call("MPI_Send", false);
    write("MPI_Recv", "");
    std::memset(header.situation.arguments, 'a', sizeof header.situation.arguments);  // without an end
    header.situation.arguments[2] = '\xff';
    header.situation.frames = 1U << 31;
    reader.read();
    auto situation = reader.situation(1);
    ASSERT_TRUE(situation.has_value());
    EXPECT_EQ(situation->arguments, "aa?" + std::string(arguments_length - 3, 'a'));
    EXPECT_LE(situation->stack.size(), situation_frames);

    // Impossible names: the last call is still believed.
    std::memset(header.situation.call, 'M', sizeof header.situation.call);
    situation = reader.situation(1);
    ASSERT_TRUE(situation.has_value());
    EXPECT_EQ(situation->call, "");
    EXPECT_EQ(situation->last_call, "MPI_Send");
    put(header.situation.call, "MPI_\n");
    EXPECT_EQ(reader.situation(1)->call, "");
    std::memcpy(header.situation.call, "MPI_", 4);
    std::memset(header.situation.call + 4, 'x', sizeof header.situation.call - 4);
    EXPECT_EQ(reader.situation(1)->call, "");
    header.situation.written = 2;
    put(header.situation.call, "MPI_Recv");
    EXPECT_EQ(reader.situation(1)->call, "");
    std::memset(header.last_call.name, '?', sizeof header.last_call.name);
    EXPECT_FALSE(reader.situation(1).has_value());
}

/// Rank 1's epoch of this kind, decided, has not come to anything; this is how rank 0 has ended.
OpenDecisions open_decisions_of(RecordReaderTest& test, EpochKind kind, const replay::Outcome& outcome, Phase phase,
                                launch::RankEnd end) {
    test.epoch(1, {.kind = kind, .source = outcome.source, .forced = true});
    test.area.rank(0).phase = phase;
    std::vector<launch::RankEnd> ends(ranks);
    ends[0] = end;
    test.read();
    return open_decisions(test.reader, {{.epoch = {1, 0}, .kind = kind, .comm = 1, .outcome = outcome}}, ends);
}

const launch::RankEnd crashed{.how = launch::RankEnd::How::signalled, .code = 6};
const launch::RankEnd left{.how = launch::RankEnd::How::exited, .code = 0};

TEST_F(RecordReaderTest, ADecidedPollThatIsOpenIsADoubt) {
    const OpenDecisions open = open_decisions_of(*this, EpochKind::test, {.completed = {0}}, Phase::finalized, left);
    ASSERT_TRUE(open.first);
    EXPECT_EQ(open.first->rank, 1);
    EXPECT_FALSE(open.cut_off) << "rank 0 had come to its end";
}

TEST_F(RecordReaderTest, WhereAnotherRankHasDiedADecidedPollWasOnlySlow) {
    const OpenDecisions open = open_decisions_of(*this, EpochKind::test, {.completed = {0}}, Phase::running, crashed);
    EXPECT_FALSE(open.first);
    EXPECT_TRUE(open.cut_off);
}

TEST_F(RecordReaderTest, AndSoWasAChoiceOfRequests) {
    const OpenDecisions open =
        open_decisions_of(*this, EpochKind::wait_any, {.completed = {0}}, Phase::running, crashed);
    EXPECT_FALSE(open.first);
    EXPECT_TRUE(open.cut_off);
}

TEST_F(RecordReaderTest, ADecidedReceiveIsADoubtAllTheSame) {
    const OpenDecisions open = open_decisions_of(*this, EpochKind::receive, {.source = 2}, Phase::running, crashed);
    EXPECT_TRUE(open.first) << "its rank may have gone on";
    EXPECT_FALSE(open.cut_off);
}

}  // namespace
}  // namespace dampi::scheduler
