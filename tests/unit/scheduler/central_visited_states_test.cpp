// States in which runs have been.
#include "scheduler/engines/central/visited_states.hpp"

#include <gtest/gtest.h>

namespace dampi::scheduler::central {
namespace {

using base::Digest;
using replay::Merge;

constexpr Digest one{.low = 1, .high = 0};
constexpr Digest other{.low = 2, .high = 0};

TEST(VisitedStates, TheFirstRunInAStateOwnsIt) {
    VisitedStates visited;
    EXPECT_EQ(visited.visit(one, {.run = 1, .settled = 3}), std::nullopt);
    EXPECT_EQ(visited.visit(other, {.run = 2, .settled = 1}), std::nullopt);
    EXPECT_EQ(visited.visit(one, {.run = 2, .settled = 2}), (Merge{.run = 1, .settled = 3}));
    EXPECT_EQ(visited.size(), 2U);
}

TEST(VisitedStates, ARunDoesNotMeetItself) {
    VisitedStates visited;
    EXPECT_EQ(visited.visit(one, {.run = 1, .settled = 1}), std::nullopt);
    EXPECT_EQ(visited.visit(one, {.run = 1, .settled = 2}), std::nullopt);
}

TEST(VisitedStates, WhatDoesNotCountIsForgotten) {
    VisitedStates visited;
    EXPECT_EQ(visited.visit(one, {.run = 1, .settled = 1}), std::nullopt);
    EXPECT_EQ(visited.visit(other, {.run = 2, .settled = 1}), std::nullopt);
    visited.keep(2);
    visited.forget(1);
    visited.forget(2);  // it counts already
    EXPECT_EQ(visited.visit(one, {.run = 3, .settled = 5}), std::nullopt);
    EXPECT_EQ(visited.visit(other, {.run = 3, .settled = 5}), (Merge{.run = 2, .settled = 1}));
}

TEST(VisitedStates, BeyondTheLimitNoneAreAdded) {
    VisitedStates visited(1);
    EXPECT_EQ(visited.visit(one, {.run = 1, .settled = 1}), std::nullopt);
    EXPECT_EQ(visited.visit(other, {.run = 1, .settled = 2}), std::nullopt);
    EXPECT_EQ(visited.visit(other, {.run = 2, .settled = 2}), std::nullopt);
    EXPECT_EQ(visited.visit(one, {.run = 2, .settled = 2}), (Merge{.run = 1, .settled = 1}));
}

TEST(VisitedStates, WhereRunsDoNotMeetTheyAreComparedNowAndThen) {
    VisitedStates visited;
    for (std::uint64_t i = 0; i < 1000; ++i) {
        EXPECT_TRUE(visited.wanted(1));
        (void)visited.visit({.low = i, .high = 1}, {.run = 1, .settled = 1});
    }
    EXPECT_FALSE(visited.wanted(1));
    EXPECT_TRUE(visited.wanted(4));
    for (std::uint64_t i = 0; i < 40; ++i) {
        (void)visited.visit({.low = i, .high = 1}, {.run = 2, .settled = 1});
    }
    EXPECT_TRUE(visited.wanted(1));
}

TEST(VisitedStates, WhereRunsDoNotMeetNothingIsExpectedOfItAfterAWhile) {
    VisitedStates visited;
    for (std::uint64_t i = 0; i < 100; ++i) {
        EXPECT_TRUE(visited.may_meet());
        (void)visited.visit({.low = i, .high = 1}, {.run = 1, .settled = 1});
    }
    EXPECT_FALSE(visited.may_meet());
    for (std::uint64_t i = 0; i < 4; ++i) {
        (void)visited.visit({.low = i, .high = 1}, {.run = 2, .settled = 1});
    }
    EXPECT_TRUE(visited.may_meet());
}

TEST(VisitedStates, ItIsSaidWhenNoMoreAreKept) {
    VisitedOfModes modes(2);
    EXPECT_EQ(modes.summary(), "");
    (void)modes.at(replay::Buffering::zero).visit(one, {.run = 1, .settled = 1});
    EXPECT_EQ(modes.summary(), "runs were compared in 1 states");
    (void)modes.at(replay::Buffering::zero).visit(other, {.run = 1, .settled = 2});
    EXPECT_EQ(modes.summary(),
              "runs were compared in 2 states, which is as many as are kept: runs that come to others go on");
}

}  // namespace
}  // namespace dampi::scheduler::central
