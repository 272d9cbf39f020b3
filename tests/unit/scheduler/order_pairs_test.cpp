#include "scheduler/order/order_pairs.hpp"

#include <gtest/gtest.h>

namespace dampi::scheduler {
namespace {

using replay::Interleaving;
using replay::RunRecord;

/// A run of two ranks in which rank 0 takes messages of these sources, at one line each.
RunRecord run(const std::vector<replay::Rank>& sources, const std::vector<int>& lines, std::uint64_t end) {
    RunRecord record;
    for (std::uint32_t i = 0; i < sources.size(); ++i) {
        replay::Epoch& epoch = record.epochs.emplace_back();
        epoch.id = {0, i};
        epoch.call = "MPI_Recv";
        epoch.where = {.module = "a", .offset = 0, .function = "main", .file = "a.c", .line = lines.at(i)};
        epoch.outcome = replay::Outcome{.source = sources[i], .tag = 0, .number = 0, .completed = {}};
    }
    record.courses = {{.end = base::Digest{end, 0}, .waits = 9, .told = {1, 2, 3, 4}},
                      {.end = base::Digest{7, 0}, .waits = 2, .told = {}}};
    return record;
}

Interleaving number(std::uint64_t n) {
    Interleaving interleaving;
    interleaving.number = n;
    return interleaving;
}

TEST(OrderPairs, RunsWithTheSameEndMakeNone) {
    OrderPairs pairs;
    pairs.look(number(1), run({1, 2}, {5, 5}, 1));
    pairs.look(number(2), run({2, 1}, {5, 5}, 1));
    EXPECT_TRUE(pairs.pairs().empty());
    EXPECT_TRUE(pairs.all_equal());
    EXPECT_EQ(pairs.compared(), 2U);
}

TEST(OrderPairs, AnotherOutputMakesOneForEachRank) {
    OrderPairs pairs;
    RunRecord one = run({1, 2}, {5, 5}, 1);
    one.printed = 3;
    RunRecord other = run({2, 1}, {5, 5}, 1);
    other.printed = 4;
    pairs.look(number(1), one);
    pairs.look(number(2), other);
    EXPECT_FALSE(pairs.all_equal());
    ASSERT_EQ(pairs.pairs().size(), 2U);
    EXPECT_EQ(pairs.pairs().front().front().rank, 0) << "who has chosen comes first";
}

TEST(OrderPairs, OneThatEndsOtherwiseMakesOneForTheRankThatDiffers) {
    OrderPairs pairs;
    pairs.look(number(1), run({1, 2}, {5, 5}, 1));
    pairs.look(number(2), run({2, 1}, {5, 5}, 2));
    EXPECT_FALSE(pairs.all_equal());
    const auto found = pairs.pairs();
    ASSERT_EQ(found.size(), 1U);
    const OrderPair& pair = found.front().front();
    EXPECT_EQ(pair.rank, 0);
    EXPECT_EQ(pair.differing.size(), 2U);
    EXPECT_EQ(pair.one->pinned.decisions.size(), 2U);
    EXPECT_EQ(pair.one->choices.at(1).told, 2U);
}

TEST(OrderPairs, WhoseLastChoicesAgreeCountFirst) {
    OrderPairs pairs;
    pairs.look(number(1), run({1, 2, 3}, {5, 5, 5}, 1));
    pairs.look(number(2), run({1, 3, 2}, {5, 5, 5}, 2));
    pairs.look(number(3), run({2, 1, 3}, {5, 5, 5}, 3));
    const auto found = pairs.pairs();
    ASSERT_EQ(found.size(), 1U);
    ASSERT_GE(found.front().size(), 2U);
    EXPECT_EQ(found.front().front().other->pinned.number, 3U);
}

TEST(OrderPairs, PlacesThatAreEnoughStandForMore) {
    OrderPairs pairs;
    pairs.look(number(1), run({1, 2, 1, 2}, {5, 5, 8, 8}, 1));
    pairs.look(number(2), run({2, 1, 2, 1}, {5, 5, 8, 8}, 2));
    ASSERT_EQ(pairs.pairs().size(), 1U);
    EXPECT_EQ(pairs.pairs().front().front().differing.size(), 4U);
    pairs.look(number(3), run({1, 2, 2, 1}, {5, 5, 8, 8}, 3));
    ASSERT_EQ(pairs.pairs().size(), 2U) << "from the second to the third the first place alone differs";
    for (const auto& ways : pairs.pairs()) {
        EXPECT_EQ(ways.front().differing.size(), 2U);
    }
}

TEST(OrderPairs, OneWhoseEndIsNotKnownLeavesADoubt) {
    OrderPairs pairs;
    pairs.look(number(1), run({1, 2}, {5, 5}, 1));
    pairs.look(number(2), run({1, 2}, {5, 5}, 1));
    RunRecord crashed = run({2, 1}, {5, 5}, 1);
    crashed.courses.front().end.reset();
    pairs.look(number(3), crashed);
    EXPECT_FALSE(pairs.all_equal());
    EXPECT_TRUE(pairs.pairs().empty());
}

TEST(OrderPairs, OneThatIsMergedLeavesNone) {
    OrderPairs pairs;
    pairs.look(number(1), run({1, 2}, {5, 5}, 1));
    pairs.look(number(2), run({1, 2}, {5, 5}, 1));
    RunRecord merged = run({2, 1}, {5, 5}, 1);
    merged.courses.front().end.reset();
    merged.merged = replay::Merge{.run = 1, .settled = 1};
    pairs.look(number(3), merged);
    EXPECT_TRUE(pairs.all_equal());
}

TEST(OrderPairs, RunsOfOtherModesAreNotCompared) {
    OrderPairs pairs;
    pairs.look(number(1), run({1, 2}, {5, 5}, 1));
    Interleaving zero = number(2);
    zero.buffering = replay::Buffering::zero;
    pairs.look(zero, run({2, 1}, {5, 5}, 2));
    EXPECT_TRUE(pairs.pairs().empty());
}

}  // namespace
}  // namespace dampi::scheduler
