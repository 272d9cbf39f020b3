// A run's record from the shared area, which the test fills as ranks do: epochs, potential matches also from
// messages that nobody received, and whatever a rank may have left there instead.
#include "scheduler/supervision/record_reader.hpp"

#include "replay/area/collective_operation.hpp"
#include "replay/area/contributions.hpp"
#include "replay/area/envelope_queue.hpp"
#include "replay/area/log.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace dampi::scheduler {
namespace {

using namespace replay::area;
using clocks::any_source;
using clocks::any_tag;
using clocks::Rank;
using clocks::Tag;
using replay::Epoch;
using replay::PotentialMatch;
using Potentials = std::vector<PotentialMatch>;

constexpr std::uint32_t ranks = 4;

/// A rank's wildcard receive and what it matched.
struct Wildcard {
    std::uint32_t index = 0;
    std::uint64_t order = 0;
    Tag tag = any_tag;
    clocks::CommId comm = 1;
    std::uint64_t posted = 0;
};

struct RecordReaderTest : testing::Test {
    Area area = Area::create(ranks, {});
    std::vector<Slab> slabs{Slab{area, 0}, Slab{area, 1}, Slab{area, 2}, Slab{area, 3}};
    std::vector<LogWriter> logs{LogWriter{area, 0}, LogWriter{area, 1}, LogWriter{area, 2}, LogWriter{area, 3}};
    EnvelopeWriter writers[ranks][ranks];
    replay::SourceLines lines;
    RecordReader reader{area, lines};

    LogWriter& log(Rank rank) { return logs[static_cast<std::size_t>(rank)]; }
    void epoch(Rank rank, const Wildcard& what, std::uint32_t kind = 0) {
        log(rank).append(EpochPostedRecord{.index = what.index,
                                           .kind = kind,
                                           .comm = what.comm,
                                           .order = what.order,
                                           .posted_clock = what.posted,
                                           .site = 0,
                                           .tag = what.tag,
                                           .forced = 0,
                                           .call = "MPI_Recv"});
    }
    void matched(Rank rank, std::uint32_t index, Rank source, std::uint64_t final_clock, bool synchronous = false) {
        log(rank).append(EpochMatchedRecord{.index = index,
                                            .final_clock = final_clock,
                                            .number = 0,
                                            .source = source,
                                            .tag = 0,
                                            .synchronous = synchronous ? 1U : 0U});
    }
    EnvelopeSlot& send(Rank source, Rank destination, Tag tag, std::uint64_t number, std::uint64_t clock = 0,
                       clocks::CommId comm = 1, std::uint64_t site = 0) {
        return writers[source][destination].append(
            area, slabs[static_cast<std::size_t>(source)], area.queue(source, destination),
            {.comm = comm, .tag = tag, .number = number, .clock = clock, .site = site});
    }
    PostedSlot& pending(Rank rank, std::uint64_t order, Rank source, Tag tag, clocks::CommId comm = 1) {
        PostedSlot& slot = area.posted(rank, area.rank(rank).posted_high++);
        slot.source = source;
        slot.tag = tag;
        slot.comm = comm;
        slot.order = order;
        slot.forced = any_source;
        slot.state = PostedState::pending;
        return slot;
    }
    RankFacts& read(Rank rank = 0) {
        reader.read();
        return reader.ranks().at(static_cast<std::size_t>(rank));
    }
    Potentials potentials(std::uint32_t index = 0) { return read().epochs.at(index).potential_matches; }
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
    EXPECT_TRUE(reader.leftover_messages().empty());
    EXPECT_EQ(reader.communicators(), (std::map<replay::CommId, std::string>{{1, "MPI_COMM_WORLD"}}));
}

TEST_F(RecordReaderTest, EpochsComeAsTheRankWroteThem) {
    epoch(2, {.index = 0, .order = 3, .tag = 7, .comm = 9, .posted = 4}, 1);
    epoch(2, {.index = 1, .order = 4, .tag = any_tag, .comm = 1, .posted = 4});
    matched(2, 0, 3, 5);
    log(2).append(PotentialMatchRecord{.epoch = 0, .source = 1, .tag = 7, .number = 12});
    log(2).append(PotentialMatchRecord{.epoch = 0, .source = 0, .tag = 7, .number = 1});
    log(2).append(PotentialMatchRecord{.epoch = 0, .source = 1, .tag = 7, .number = 11});
    log(2).append(PotentialMatchRecord{.epoch = 0, .source = 1, .tag = 7, .number = 13});
    const RankFacts& facts = read(2);
    EXPECT_TRUE(facts.log_sound);
    ASSERT_EQ(facts.epochs.size(), 2U);
    const Epoch& first = facts.epochs[0];
    EXPECT_EQ(first.id, (replay::EpochId{2, 0}));
    EXPECT_EQ(first.kind, replay::EpochKind::probe);
    EXPECT_EQ(first.comm, 9U);
    EXPECT_EQ(first.tag, 7);
    EXPECT_EQ(first.posted_clock, 4U);
    EXPECT_EQ(first.final_clock, 5U);
    EXPECT_EQ(first.outcome, (PotentialMatch{3, 0, 0}));
    EXPECT_EQ(first.call, "MPI_Recv");
    EXPECT_EQ(first.potential_matches, (Potentials{{0, 7, 1}, {1, 7, 11}})) << "sorted, the smallest number of each";
    EXPECT_EQ(facts.epochs[1].outcome, std::nullopt);
}

TEST_F(RecordReaderTest, ReadingTwiceGivesTheSame) {
    epoch(0, {});
    matched(0, 0, 1, 0);
    send(2, 0, 5, 0);
    const Potentials once = potentials();
    EXPECT_EQ(once, (Potentials{{2, 5, 0}}));
    EXPECT_EQ(potentials(), once);
    EXPECT_EQ(reader.ranks().size(), ranks);
}

TEST_F(RecordReaderTest, AMessageThatNobodyReceivedIsAPotentialMatch) {
    epoch(0, {.tag = 5});
    matched(0, 0, 1, 2);
    send(2, 0, 5, 4, 2);
    send(2, 0, 5, 5, 2);
    send(3, 0, 5, 0, 3);
    EXPECT_EQ(potentials(), (Potentials{{2, 5, 4}})) << "the first of rank 2; rank 3 sent knowing of the epoch";
}

TEST_F(RecordReaderTest, OnlyMessagesThatFit) {
    epoch(0, {.tag = 5, .comm = 8});
    matched(0, 0, 1, 0);
    send(2, 0, 6, 0, 0, 8);
    send(2, 0, 5, 1, 0, 1);
    send(2, 3, 5, 2, 0, 8);
    send(3, 0, 5, 3, 0, 8).state = EnvelopeState::withdrawn;
    EXPECT_EQ(potentials(), Potentials{});
    send(2, 0, 5, 4, 0, 8);
    EXPECT_EQ(potentials(), (Potentials{{2, 5, 4}}));
}

TEST_F(RecordReaderTest, TheMatchedSourceIsNoAlternative) {
    epoch(0, {});
    matched(0, 0, 1, 0);
    send(1, 0, 5, 1);
    log(0).append(PotentialMatchRecord{.epoch = 0, .source = 1, .tag = 0, .number = 3});
    log(0).append(PotentialMatchRecord{.epoch = 0, .source = 3, .tag = 0, .number = 3});
    EXPECT_EQ(potentials(), (Potentials{{3, 0, 3}}));
}

TEST_F(RecordReaderTest, LeftoversAndTheRanksOwnAnalysisAreOneList) {
    epoch(0, {});
    matched(0, 0, 1, 0);
    log(0).append(PotentialMatchRecord{.epoch = 0, .source = 2, .tag = 4, .number = 6});
    log(0).append(PotentialMatchRecord{.epoch = 0, .source = 3, .tag = 4, .number = 6});
    send(2, 0, 5, 2);
    send(3, 0, 5, 8);
    EXPECT_EQ(potentials(), (Potentials{{2, 5, 2}, {3, 4, 6}}));
}

TEST_F(RecordReaderTest, AnEpochThatNeverMatchedCouldTakeAnything) {
    epoch(0, {.tag = 5, .posted = 1});
    pending(0, 0, any_source, 5);
    send(2, 0, 5, 0, 77);
    send(3, 0, 6, 0, 0);
    EXPECT_EQ(potentials(), (Potentials{{2, 5, 0}}));
}

TEST_F(RecordReaderTest, APendingNamedReceiveClaimsTheFirstMessageThatFits) {
    // Posted before the epoch: the message is its own.
    pending(0, 0, 2, 5);
    epoch(0, {.order = 1});
    matched(0, 0, 1, 0);
    send(2, 0, 5, 0);
    EXPECT_EQ(potentials(), Potentials{});
    send(2, 0, 5, 1);
    EXPECT_EQ(potentials(), (Potentials{{2, 5, 1}})) << "it claims one message, not two";
}

TEST_F(RecordReaderTest, EachPendingReceiveClaimsItsOwn) {
    pending(0, 2, 2, any_tag);  // slots are not in posting order
    pending(0, 0, 2, 6);
    pending(0, 1, 3, any_tag);
    pending(0, 3, 2, any_tag).state = PostedState::free;
    epoch(0, {.order = 4});
    matched(0, 0, 1, 0);
    send(2, 0, 5, 0);  // the one posted as 2
    send(2, 0, 6, 1);  // the one posted as 0
    send(2, 0, 7, 2);  // nobody's
    send(3, 0, 5, 0);  // the one posted as 1
    EXPECT_EQ(potentials(), (Potentials{{2, 7, 2}}));
}

TEST_F(RecordReaderTest, OfSeveralPendingReceivesTheOnePostedFirstClaims) {
    pending(0, 3, 2, any_tag);  // slots are not in posting order
    pending(0, 0, 2, 6);
    epoch(0, {.order = 4});
    matched(0, 0, 1, 0);
    send(2, 0, 6, 0);  // the one posted as 0, which leaves the other one for the next
    send(2, 0, 5, 1);
    EXPECT_EQ(potentials(), Potentials{});
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
    const auto collectives = [&](Rank rank, clocks::CommId comm, std::uint64_t count) {
        auto& slab = slabs[static_cast<std::size_t>(rank)];
        auto& record = area.at<CommunicatorRecord>(add_record(area, slab, rank, comm));
        for (std::uint64_t i = 0; i < count; ++i) {
            enter(area, slab, record,
                  {.sequence = i, .operation = operation_number(Collective::bcast, CollectiveForm::blocking)}, 0);
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
    EXPECT_EQ(uneven[0].kind, "collective/mismatch");
    ASSERT_EQ(uneven[0].ranks.size(), 2U);
    EXPECT_EQ(uneven[0].ranks[1], 3);
    EXPECT_NE(uneven[0].message.find("is not entered by rank 3: they enter 12 and 11 collectives of MPI_COMM_WORLD"),
              std::string::npos)
        << uneven[0].message;
}

TEST_F(RecordReaderTest, APendingReceivePostedLaterClaimsNothingFromAnEpoch) {
    epoch(0, {.order = 1});
    matched(0, 0, 1, 0);
    epoch(0, {.index = 1, .order = 3});
    matched(0, 1, 1, 1);
    pending(0, 2, 2, 5);
    send(2, 0, 5, 0);
    EXPECT_EQ(potentials(0), (Potentials{{2, 5, 0}}));
    EXPECT_EQ(potentials(1), Potentials{}) << "posted after the named receive";
}

TEST_F(RecordReaderTest, APendingReceiveOnAnotherCommunicatorClaimsNothing) {
    pending(0, 0, 2, any_tag, 9);
    epoch(0, {.order = 1});
    matched(0, 0, 1, 0);
    send(2, 0, 5, 0);
    EXPECT_EQ(potentials(), (Potentials{{2, 5, 0}}));
}

TEST_F(RecordReaderTest, WhatFollowsASynchronousMessageDoesNotReplaceIt) {
    epoch(0, {.posted = 1});
    matched(0, 0, 1, 3, true);
    send(2, 0, 5, 0, 1);
    send(3, 0, 5, 0, 2);
    EXPECT_EQ(potentials(), (Potentials{{2, 5, 0}})) << "rank 3's is above the clock at posting";
}

TEST_F(RecordReaderTest, PhasesCrashesAndWhatWasNotModelled) {
    area.rank(0).phase = Phase::finalized;
    area.rank(1).phase = Phase::running;
    area.rank(2).phase = Phase::starting;
    area.rank(1).crash.frames = 2;
    area.rank(1).crash.program_counters[0] = 0x1005;
    area.rank(1).crash.program_counters[1] = 0x1020;
    area.rank(1).crash.signal = 11;
    log(1).append(ModuleRecord{.low = 0x1000, .high = 0x2000, .bias = 0x400, .path = "/nonexistent/program"});
    for (const Rank rank : {0, 3}) {
        std::strcpy(area.rank(rank).not_modelled[rank].name, "MPI_Put");
        area.rank(rank).not_modelled[rank].count = 3;
    }
    const RankFacts& facts = read(1);
    EXPECT_TRUE(reader.ranks()[0].finalized);
    EXPECT_TRUE(reader.ranks()[2].loaded);
    EXPECT_FALSE(reader.ranks()[2].started);
    EXPECT_TRUE(facts.started);
    EXPECT_FALSE(facts.finalized);
    EXPECT_EQ(facts.crash_signal, 11);
    ASSERT_EQ(facts.crash_stack.size(), 2U);
    EXPECT_EQ(facts.crash_stack[0].module, "/nonexistent/program");
    EXPECT_EQ(facts.crash_stack[0].offset, 0xc05U);
    EXPECT_EQ(facts.crash_stack[1].offset, 0xc1fU) << "the call before the return address";
    EXPECT_EQ(reader.not_modelled(), (std::map<std::string, std::uint64_t>{{"MPI_Put", 6}}));
    EXPECT_EQ(reader.place(1, 0x2000).module, "") << "behind the module";
    EXPECT_EQ(reader.place(0, 0x1005).module, "") << "another rank's";
}

TEST_F(RecordReaderTest, ViolationsDivergencesAndNames) {
    log(0).append(
        ViolationRecord{.kind = "leak/request", .message = "m", .call = "MPI_Isend", .detail = "d", .site = 1});
    log(0).append(DivergenceRecord{.index = 3, .message = "first", .call = "MPI_Recv", .site = 1});
    log(0).append(DivergenceRecord{.index = 4, .message = "second", .call = "MPI_Recv", .site = 1});
    log(0).append(CommunicatorNameRecord{.comm = 7, .name = "a duplicate"});
    log(1).append(InternalErrorRecord{.text = "x does not hold"});
    const RankFacts& facts = read();
    ASSERT_EQ(facts.violations.size(), 1U);
    EXPECT_EQ(facts.violations[0].kind, "leak/request");
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

TEST_F(RecordReaderTest, MessagesThatNobodyReceivedAreNotesByPlace) {
    send(1, 0, 5, 0, 0, 1, 100);
    send(1, 0, 6, 1, 0, 1, 100);
    send(1, 0, 7, 2, 0, 1, 200);
    send(3, 1, 8, 0, 0, 1, 100);
    read();
    const auto notes = reader.leftover_messages();
    ASSERT_EQ(notes.size(), 3U);
    EXPECT_EQ(notes[0].kind, "leak/message");
    EXPECT_EQ(notes[0].ranks, std::vector<Rank>{1});
    EXPECT_EQ(notes[0].message,
              "2 messages from rank 1 to rank 0 with tag 5 (the first) on MPI_COMM_WORLD were never received");
    EXPECT_EQ(notes[1].message, "a message from rank 1 to rank 0 with tag 7 on MPI_COMM_WORLD was never received");
    EXPECT_EQ(notes[2].ranks, std::vector<Rank>{3});
}

TEST_F(RecordReaderTest, ALogThatMakesNoSenseIsNotBelieved) {
    const auto broken = [&](const char* what, auto&& damage) {
        area.rank(0).log_length = 0;
        epoch(0, {.index = 0});
        damage();
        epoch(0, {.index = 1, .order = 1});
        const RankFacts& facts = read();
        EXPECT_FALSE(facts.log_sound) << what;
        ASSERT_EQ(facts.epochs.size(), 1U) << what << ": what came before it stands, what follows does not";
    };
    broken("an epoch twice", [&] { epoch(0, {.index = 0}); });
    broken("an epoch is missing", [&] { epoch(0, {.index = 2}); });
    broken("an unknown kind", [&] { epoch(0, {.index = 1}, 5); });
    broken("a match of no epoch", [&] { matched(0, 1, 1, 0); });
    broken("a source that is no rank", [&] { matched(0, 0, 4, 0); });
    broken("a source that is no rank", [&] { matched(0, 0, -1, 0); });
    broken("a potential match of no epoch", [&] { log(0).append(PotentialMatchRecord{.epoch = 1, .source = 1}); });
    broken("a potential match of no rank", [&] { log(0).append(PotentialMatchRecord{.epoch = 0, .source = 4}); });
    broken("a record cut off", [&] {
        matched(0, 0, 1, 0);
        area.rank(0).log_length -= 3;
    });
    EXPECT_TRUE(reader.ranks()[1].log_sound) << "the others' are";
}

TEST_F(RecordReaderTest, GarbageIsSurvived) {
    std::mt19937 random(8);
    std::size_t believed = 0;
    for (int round = 0; round < 400; ++round) {
        for (Rank rank = 0; rank < static_cast<Rank>(ranks); ++rank) {
            area.rank(rank).log_length = 0;
            for (std::uint32_t i = 0; i < 20; ++i) {
                epoch(rank, {.index = i, .order = i});
                matched(rank, i, static_cast<Rank>(i % ranks), i);
                log(rank).append(PotentialMatchRecord{.epoch = i, .source = 1, .tag = 0, .number = 3});
                log(rank).append(ViolationRecord{.kind = "k", .message = "m", .call = "c", .detail = "d", .site = 1});
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
                slot.state = static_cast<PostedState>(random() % 3);
            }
            area.rank(rank).phase = static_cast<Phase>(random());
            area.rank(rank).crash.signal = static_cast<std::uint32_t>(random());
            area.rank(rank).crash.frames = static_cast<std::uint32_t>(random());
            auto& not_modelled = area.rank(rank).not_modelled[random() % not_modelled_slots];
            std::memset(not_modelled.name, 'x', sizeof not_modelled.name);  // without an end
            not_modelled.count = random();
        }
        send(1, 0, static_cast<Tag>(random() % 3), random(), random());
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
        ASSERT_LE(reader.leftover_messages().size(), static_cast<std::size_t>(round) + 1)
            << "one place for each message sent";
    }
    EXPECT_GT(believed, 100U) << "undamaged rounds";
    EXPECT_LT(believed, 1590U) << "damaged rounds";
}

}  // namespace
}  // namespace dampi::scheduler
