// The nearest interleaving that passes, and in what it differs.
#include "scheduler/report/nearest_passing.hpp"

#include "scheduler/sweep/findings.hpp"

#include <gtest/gtest.h>

namespace dampi::scheduler {
namespace {

using replay::Buffering;
using replay::ViolationKind;

InterleavingOutcome run(std::uint64_t number, std::string outcomes, std::vector<ViolationKind> verdicts = {},
                        Buffering buffering = Buffering::native) {
    return {.number = number, .outcomes = std::move(outcomes), .verdicts = std::move(verdicts), .buffering = buffering};
}

replay::Epoch epoch(replay::EpochId id, const std::vector<clocks::VectorClock::Interval>& past) {
    replay::Epoch made;
    made.id = id;
    made.outcome = replay::Outcome{.source = 1, .tag = 0};
    made.past.vector = clocks::VectorClock::from_intervals(past);
    return made;
}

Finding crash_in(std::uint64_t number) {
    Finding finding;
    finding.violation.kind = ViolationKind::crash;
    finding.count = 1;
    finding.reproducer.number = number;
    finding.epochs = {epoch({0, 0}, {}), epoch({0, 1}, {{0, 0, 1}}), epoch({1, 0}, {{0, 0, 1}})};
    return finding;
}

std::optional<Difference> nearest(std::vector<InterleavingOutcome> runs, const Finding& finding,
                                  clocks::Protocol protocol = clocks::Protocol::vector) {
    SweepResult result;
    result.interleavings = std::move(runs);
    std::uint64_t bytes = 1'000'000;
    return nearest_passing(result, finding, protocol, bytes);
}

TEST(NearestPassing, TheOneWithTheFewestDifferences) {
    const auto found =
        nearest({run(1, "{0#0<-2 0#1<-1 1#0<-2}"), run(2, "{0#0<-1 0#1<-1 1#0<-2}", {ViolationKind::crash}),
                 run(3, "{0#0<-2 0#1<-2 1#0<-3}")},
                crash_in(2));
    ASSERT_TRUE(found);
    EXPECT_EQ(found->failing, 2U);
    EXPECT_EQ(found->passing, 1U);
    EXPECT_EQ(found->differing, 1U);
    EXPECT_TRUE(found->clean);
    EXPECT_TRUE(found->same_buffering);
    ASSERT_EQ(found->choices.size(), 1U);
    EXPECT_EQ(found->choices[0].failing.came_to, "<-1");
    EXPECT_EQ(found->choices[0].passing.came_to, "<-2");
    EXPECT_TRUE(found->choices[0].first);
    ASSERT_EQ(found->ranks.size(), 1U);
    EXPECT_EQ(found->ranks[0].failing.size(), 2U) << "from there on";
}

TEST(NearestPassing, CleanOnesBeforeOthersAndTheSameBufferingBeforeAnother) {
    const std::vector<InterleavingOutcome> runs{
        run(1, "{0#0<-1}", {ViolationKind::crash}), run(2, "{0#0<-1}", {}, Buffering::zero), run(3, "{0#0<-2 0#1<-2}"),
        run(4, "{0#0<-2}", {ViolationKind::deadlock}), run(5, "{0#0<-1}", {ViolationKind::divergence})};
    auto found = nearest(runs, crash_in(1));
    ASSERT_TRUE(found);
    EXPECT_EQ(found->passing, 3U) << "though others differ in less";
    found = nearest({runs[0], runs[1], runs[3]}, crash_in(1));
    ASSERT_TRUE(found);
    EXPECT_EQ(found->passing, 2U);
    EXPECT_FALSE(found->same_buffering);
    EXPECT_EQ(found->differing, 0U);
    found = nearest({runs[0], runs[3]}, crash_in(1));
    ASSERT_TRUE(found);
    EXPECT_EQ(found->passing, 4U);
    EXPECT_FALSE(found->clean);
    EXPECT_FALSE(nearest({runs[0], runs[4]}, crash_in(1))) << "from a run that did not follow, nothing is concluded";
}

TEST(NearestPassing, WhatFollowsFromAnotherDifferenceIsNotFirst) {
    const std::vector<InterleavingOutcome> runs{run(1, "{0#0<-1 0#1<-2 1#0=1}", {ViolationKind::crash}),
                                                run(2, "{0#0<-2 0#1<-1 1#0=0}")};
    auto found = nearest(runs, crash_in(1));
    ASSERT_TRUE(found);
    ASSERT_EQ(found->choices.size(), 3U);
    EXPECT_TRUE(found->choices[0].first);
    EXPECT_EQ(found->choices[0].failing.epoch, (replay::EpochId{0, 0}));
    EXPECT_FALSE(found->choices[1].first);
    EXPECT_FALSE(found->choices[2].first);
    found = nearest(runs, crash_in(1), clocks::Protocol::lamport);
    ASSERT_TRUE(found);
    EXPECT_FALSE(found->choices[0].first) << "these clocks do not tell";
}

TEST(NearestPassing, OperationsThatOnlyOneHas) {
    const auto found =
        nearest({run(1, "{0#0<-1}", {ViolationKind::crash}), run(2, "{0#0<-2 0#1@1=0+2~3 1#0=none}")}, crash_in(1));
    ASSERT_TRUE(found);
    EXPECT_EQ(found->differing, 3U);
    ASSERT_EQ(found->choices.size(), 1U) << "both came to it";
    ASSERT_EQ(found->ranks.size(), 2U);
    EXPECT_EQ(found->ranks[0].failing.size(), 1U);
    ASSERT_EQ(found->ranks[0].passing.size(), 2U);
    EXPECT_EQ(found->ranks[0].passing[1].came_to, "@1=0+2~3");
    EXPECT_TRUE(found->ranks[1].failing.empty());
}

TEST(NearestPassing, TheDigestOfALongTextIsNoOutcome) {
    const auto found = nearest(
        {run(1, "{0#0<-1 ... 0123456789abcdef}", {ViolationKind::crash}), run(2, "{0#0<-2 ... fedcba9876543210}")},
        crash_in(1));
    ASSERT_TRUE(found);
    EXPECT_EQ(found->differing, 1U);
}

TEST(NearestPassing, AFindingOfATrialIsKnownByItsEpochs) {
    Finding finding = crash_in(2);
    finding.reproducer.trial = true;
    finding.epochs = {epoch({0, 0}, {})};
    auto found = nearest({run(1, "{0#0<-2}")}, finding);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->differing, 1U);
    finding.epochs_omitted = 1;
    EXPECT_FALSE(nearest({run(1, "{0#0<-2}")}, finding));
}

TEST(NearestPassing, NoneWhereNoneIsKnown) {
    const std::vector<InterleavingOutcome> runs{run(1, "{0#0<-1}", {ViolationKind::crash}), run(2, "{0#0<-2}")};
    Finding finding = crash_in(1);
    finding.foreseen = true;
    EXPECT_FALSE(nearest(runs, finding)) << "no run has shown it";
    EXPECT_FALSE(nearest({runs[0]}, crash_in(1)));
    SweepResult result;
    result.interleavings = runs;
    std::uint64_t bytes = 3;
    EXPECT_FALSE(nearest_passing(result, crash_in(1), clocks::Protocol::vector, bytes));
    EXPECT_EQ(bytes, 0U);
    bytes = 1000;
    EXPECT_TRUE(nearest_passing(result, crash_in(1), clocks::Protocol::vector, bytes));
    EXPECT_LT(bytes, 1000U);
    result.outcomes_omitted = true;
    EXPECT_FALSE(nearest_passing(result, crash_in(1), clocks::Protocol::vector, bytes));
}

}  // namespace
}  // namespace dampi::scheduler
