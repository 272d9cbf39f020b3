// The memory shared by the ranks of a run: creation, attaching, what lies where, and what survives.
#include "transport/memory/area.hpp"

#include "base/check.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace dampi::transport::memory {
namespace {

replay::Decision decision(base::Rank rank, std::uint32_t index, base::Rank source) {
    return {.epoch = {rank, index},
            .kind = replay::EpochKind::probe,
            .comm = 77,
            .tag = 5,
            .outcome = {.source = source, .tag = 5}};
}

TEST(Area, ANewOneIsEmpty) {
    const Area area = Area::create(3, {});
    ASSERT_TRUE(area);
    EXPECT_EQ(area.processes(), 3U);
    EXPECT_EQ(area.header().decision_count, 0U);
    EXPECT_EQ(area.header().settle_round.load(), 0U);
    for (base::Rank rank = 0; rank < 3; ++rank) {
        EXPECT_EQ(area.rank(rank).phase.load(), Phase{});
        EXPECT_EQ(area.rank(rank).log_length.load(), 0U);
        EXPECT_EQ(area.rank(rank).blocked.activity.load(), Activity::computing);
        EXPECT_EQ(area.rank(rank).decisions_begin, area.rank(rank).decisions_end);
        EXPECT_EQ(area.queue(rank, 2).first_chunk.load(), 0U);
        EXPECT_EQ(area.posted(rank, posted_capacity - 1).state.load(), PostedState::free);
    }
    EXPECT_FALSE(Area());
}

TEST(Area, ACopyIsAnotherMemoryWithTheSameContent) {
    const Area area = Area::create(2, {decision(1, 3, 0)});
    Area rank = Area::attach(area.file().attach_path().c_str());
    rank.rank(1).calls = 7;
    rank.log(1)[log_capacity - 1] = 5;
    const Area copy = area.copy();
    EXPECT_GT(copy.file().memory(), 0U);
    EXPECT_LT(copy.file().memory(), std::uint64_t{1} << 20) << "only what was written is copied";
    const RankHeader* const place = &rank.rank(1);
    rank.file().let_go();
    rank.file().attach_again(copy.file().attach_path().c_str());
    EXPECT_EQ(&rank.rank(1), place);
    EXPECT_EQ(rank.rank(1).calls, 7U);
    EXPECT_EQ(rank.log(1)[log_capacity - 1], 5);
    EXPECT_EQ(rank.decisions()[0].index, 3U);
    rank.rank(1).calls = 8;
    EXPECT_EQ(copy.rank(1).calls, 8U);
    EXPECT_EQ(area.rank(1).calls, 7U);
    rank.file().let_go();
    EXPECT_THROW(rank.file().attach_again("/proc/self/exe"), Error);
}

TEST(Area, ThePartsDoNotOverlap) {
    const std::uint32_t processes = 5;
    const Area area = Area::create(processes, {decision(0, 0, 1)});
    const auto at = [](const auto& thing) { return reinterpret_cast<std::uintptr_t>(&thing); };
    std::uintptr_t end = at(area.header()) + sizeof(AreaHeader);
    EXPECT_LE(end, at(*area.decisions()));
    end = at(*area.decisions()) + sizeof(DecisionEntry);
    for (base::Rank rank = 0; rank < static_cast<base::Rank>(processes); ++rank) {
        EXPECT_LE(end, at(area.rank(rank)));
        EXPECT_LE(at(area.rank(rank)) + sizeof(RankHeader), at(area.queue(rank, 0)));
        EXPECT_EQ(at(area.queue(rank, 0)) % alignof(QueueHeader), 0U);
        EXPECT_LE(at(area.queue(rank, 4)) + sizeof(QueueHeader), at(area.posted(rank, 0)));
        EXPECT_LE(at(area.posted(rank, posted_capacity - 1)) + sizeof(PostedSlot), at(*area.log(rank)));
        EXPECT_LE(at(*area.log(rank)) + log_capacity, at(area.at<std::uint8_t>(area.slab_begin(rank))));
        EXPECT_EQ(area.slab_end(rank) - area.slab_begin(rank), slab_capacity);
        end = at(area.at<std::uint8_t>(area.slab_begin(rank))) + slab_capacity;
    }
    EXPECT_LE(end - at(area.header()), area.header().total_size);
}

TEST(Area, DecisionsAreFoundByRank) {
    const std::vector<replay::Decision> decisions{decision(0, 1, 2), decision(0, 3, 1), decision(2, 0, 0)};
    const Area area = Area::create(3, decisions);
    ASSERT_EQ(area.header().decision_count, 3U);
    EXPECT_EQ(area.rank(0).decisions_begin, 0U);
    EXPECT_EQ(area.rank(0).decisions_end, 2U);
    EXPECT_EQ(area.rank(1).decisions_begin, area.rank(1).decisions_end);
    EXPECT_EQ(area.rank(2).decisions_begin, 2U);
    EXPECT_EQ(area.rank(2).decisions_end, 3U);
    EXPECT_EQ(area.rank(0).turn_count, 0U);
    for (std::size_t i = 0; i < decisions.size(); ++i) {
        EXPECT_EQ(area.decisions()[i].rank, decisions[i].epoch.rank);
        EXPECT_EQ(area.decisions()[i].index, decisions[i].epoch.index);
        EXPECT_EQ(area.decisions()[i].comm, 77U);
        EXPECT_EQ(area.decisions()[i].tag, 5);
        EXPECT_EQ(area.decisions()[i].source, decisions[i].outcome.source);
        EXPECT_EQ(area.decisions()[i].kind, static_cast<std::uint32_t>(replay::EpochKind::probe));
    }
}

TEST(Area, TurnsOfThreadsGoAsFarAsTheLastDecisionOfTheirRank) {
    const auto all = std::make_shared<const replay::ThreadOrder::Turns>(replay::ThreadOrder::Turns{{0, 2}, {9, 3}});
    std::vector<replay::Decision> decisions{
        {.epoch = {0, 0}, .kind = replay::EpochKind::wait_some, .outcome = {.completed = {1}}},
        decision(1, 0, 0),
        decision(1, 3, 0),
        decision(2, 0, 0)};
    decisions[1].threads = replay::ThreadOrder(all, 1);
    decisions[2].threads = replay::ThreadOrder(all, 4);
    const Area area = Area::create(3, decisions);
    EXPECT_EQ(area.rank(0).turn_count, 0U);
    EXPECT_EQ(area.rank(2).turn_count, 0U);
    ASSERT_EQ(area.rank(1).turn_count, 2U);
    const auto* turns = &area.at<TurnEntry>(area.rank(1).turns);
    EXPECT_EQ(turns[0].thread, 0U);
    EXPECT_EQ(turns[0].operations, 2U);
    EXPECT_EQ(turns[1].thread, 9U);
    EXPECT_EQ(turns[1].operations, 2U);
}

TEST(Area, ChoicesAndPollsAreFoundWithTheirRequests) {
    const std::vector<replay::Decision> decisions{
        {.epoch = {0, 0}, .kind = replay::EpochKind::wait_some, .outcome = {.completed = {1, 3, 70000}}},
        {.epoch = {0, 1},
         .kind = replay::EpochKind::test,
         .outcome = {.false_answers = 7},
         .open = true,
         .additional = 1},
        {.epoch = {1, 0}, .kind = replay::EpochKind::wait_any, .outcome = {.completed = {2}}}};
    Area first = Area::create(2, decisions, clocks::Protocol::lamport);
    const Area area = std::move(first);
    const Area attached = Area::attach(area.file().attach_path().c_str());
    for (const Area* each : {&area, &attached}) {
        const DecisionEntry* entries = each->decisions();
        EXPECT_EQ(each->protocol(), clocks::Protocol::lamport);
        EXPECT_TRUE(std::ranges::equal(each->completed(entries[0]), decisions[0].outcome.completed));
        EXPECT_TRUE(each->completed(entries[1]).empty());
        EXPECT_TRUE(std::ranges::equal(each->completed(entries[2]), decisions[2].outcome.completed));
        EXPECT_EQ(entries[0].open, 0U);
        EXPECT_EQ(entries[1].open, 1U);
        EXPECT_EQ(entries[1].false_answers, 7U);
        EXPECT_EQ(entries[1].source, base::any_source);
        EXPECT_EQ(entries[2].kind, static_cast<std::uint32_t>(replay::EpochKind::wait_any));
    }
    EXPECT_EQ(Area::create(1, {}).protocol(), clocks::Protocol::vector);
}

TEST(Area, ManyDecisionsDoNotReachIntoTheRanks) {
    std::vector<replay::Decision> decisions;
    for (std::uint32_t i = 0; i < 10000; ++i) {
        decisions.push_back(decision(0, i, static_cast<base::Rank>(i % 7)));
    }
    const Area area = Area::create(1, decisions);
    area.rank(0).phase = Phase::running;
    area.rank(0).log_length = ~std::uint64_t{0};
    EXPECT_EQ(area.rank(0).decisions_end, 10000U);
    for (std::uint32_t i = 0; i < 10000; ++i) {
        ASSERT_EQ(area.decisions()[i].index, i);
        ASSERT_EQ(area.decisions()[i].source, static_cast<base::Rank>(i % 7));
    }
}

TEST(Area, DecisionsOutOfOrderOrForNobodyAreOurOwnMistake) {
    EXPECT_THROW(Area::create(2, {decision(1, 0, 0), decision(0, 0, 1)}), InternalError);
    EXPECT_THROW(Area::create(2, {decision(0, 0, 0), decision(0, 0, 1)}), InternalError);
    EXPECT_THROW(Area::create(2, {decision(2, 0, 0)}), InternalError);
    EXPECT_THROW(Area::create(2, {decision(-1, 0, 0)}), InternalError);
}

TEST(Area, WhoAttachesSeesTheSameMemory) {
    const Area area = Area::create(2, {decision(1, 0, 0)});
    const Area other = Area::attach(area.file().attach_path().c_str());
    EXPECT_EQ(other.processes(), 2U);
    EXPECT_EQ(other.slab_begin(1), area.slab_begin(1));
    EXPECT_EQ(other.decisions()->rank, 1);
    other.rank(1).phase = Phase::finalizing;
    EXPECT_EQ(area.rank(1).phase.load(), Phase::finalizing);
    area.header().settle_round = 12;
    EXPECT_EQ(other.header().settle_round.load(), 12U);
    other.at<std::uint64_t>(other.slab_end(1) - 8) = 99;
    EXPECT_EQ(area.at<std::uint64_t>(area.slab_end(1) - 8), 99U);
}

TEST(Area, WhatADeadProcessWroteIsStillThere) {
    const Area area = Area::create(2, {});
    const std::string path = area.file().attach_path();
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        const Area own = Area::attach(path.c_str());
        own.rank(0).phase = Phase::running;
        own.log(0)[100] = 42;
        kill(getpid(), SIGKILL);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFSIGNALED(status));
    EXPECT_EQ(area.rank(0).phase.load(), Phase::running);
    EXPECT_EQ(area.log(0)[100], 42);
}

TEST(Area, OnlyAreasCanBeAttached) {
    EXPECT_THROW(Area::attach("/nonexistent/area"), Error);
    EXPECT_THROW(Area::attach("/proc/self/exe"), Error);
    std::string path = (std::filesystem::temp_directory_path() / "dampi-area-XXXXXX").string();
    const int descriptor = mkstemp(path.data());
    ASSERT_GE(descriptor, 0);
    EXPECT_THROW(Area::attach(path.c_str()), Error) << "an empty file";
    // The right beginning, but shorter than it says.
    AreaHeader header{};
    header.magic = magic;
    header.version = layout_version;
    header.processes = 1;
    header.total_size = std::uint64_t{1} << 40;
    ASSERT_EQ(pwrite(descriptor, static_cast<const void*>(&header), sizeof header, 0),
              static_cast<ssize_t>(sizeof header));
    EXPECT_THROW(Area::attach(path.c_str()), Error);
    header.total_size = sizeof header;
    header.version = layout_version + 1;
    ASSERT_EQ(pwrite(descriptor, static_cast<const void*>(&header), sizeof header, 0),
              static_cast<ssize_t>(sizeof header));
    EXPECT_THROW(Area::attach(path.c_str()), Error) << "another version";
    close(descriptor);
    std::filesystem::remove(path);
}

TEST(Area, AreasCanBeMoved) {
    Area first = Area::create(2, {});
    first.rank(1).phase = Phase::running;
    const Offset slab = first.slab_begin(1);
    Area second = std::move(first);
    EXPECT_TRUE(second);
    EXPECT_EQ(second.rank(1).phase.load(), Phase::running);
    EXPECT_EQ(second.slab_begin(1), slab);
    Area third;
    third = std::move(second);
    EXPECT_EQ(third.processes(), 2U);
    EXPECT_EQ(third.rank(1).phase.load(), Phase::running);
    EXPECT_NO_THROW(Area::attach(third.file().attach_path().c_str()));
}

TEST(Area, OffsetsThatARankWroteAreChecked) {
    const Area area = Area::create(3, {});
    const Offset begin = area.slab_begin(1);
    const Offset end = area.slab_end(1);
    EXPECT_NE(area.checked<EnvelopeChunk>(1, begin), nullptr);
    EXPECT_NE(area.checked<EnvelopeChunk>(1, end - sizeof(EnvelopeChunk)), nullptr);
    for (const Offset wild :
         {Offset{0}, Offset{64}, begin - 64, begin + 1, begin + 8, end - sizeof(EnvelopeChunk) + 64, end - 64, end,
          end + 64, area.slab_begin(0), area.slab_begin(2), ~Offset{0}, ~Offset{0} - 63, Offset{1} << 63}) {
        EXPECT_EQ(area.checked<EnvelopeChunk>(1, wild), nullptr) << wild;
    }
}

TEST(Area, AnOverwrittenHeaderMisleadsNobody) {
    const Area area = Area::create(2, {decision(0, 0, 1)});
    auto* const rank = &area.rank(1);
    auto* const decisions = area.decisions();
    area.header().processes = 1'000'000;
    area.header().ranks = 3;
    area.header().rank_size = ~std::uint64_t{0};
    area.header().decisions = ~Offset{0};
    EXPECT_EQ(area.processes(), 2U);
    EXPECT_EQ(&area.rank(1), rank);
    EXPECT_EQ(area.decisions(), decisions);
}

}  // namespace
}  // namespace dampi::transport::memory
