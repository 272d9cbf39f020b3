// States in which runs have been.
#include "scheduler/engines/central/visited_states.hpp"

#include <gtest/gtest.h>

namespace dampi::scheduler::central {
namespace {

using base::Digest;
using replay::Merge;

constexpr Digest one{.low = 1, .high = 0};
constexpr Digest other{.low = 2, .high = 0};

std::optional<Merge> met(VisitedStates& visited, const Digest& state, const Merge& here) {
    return visited.visit(state, OpenPast{}, here).met;
}

TEST(VisitedStates, TheFirstRunInAStateOwnsIt) {
    VisitedStates visited;
    EXPECT_EQ(met(visited, one, {.run = 1, .settled = 3}), std::nullopt);
    EXPECT_EQ(met(visited, other, {.run = 2, .settled = 1}), std::nullopt);
    EXPECT_EQ(met(visited, one, {.run = 2, .settled = 2}), (Merge{.run = 1, .settled = 3}));
    EXPECT_EQ(visited.size(), 2U);
}

TEST(VisitedStates, ARunDoesNotMeetItself) {
    VisitedStates visited;
    EXPECT_EQ(met(visited, one, {.run = 1, .settled = 1}), std::nullopt);
    EXPECT_EQ(met(visited, one, {.run = 1, .settled = 2}), std::nullopt);
}

TEST(VisitedStates, WhatDoesNotCountIsForgotten) {
    VisitedStates visited;
    EXPECT_EQ(met(visited, one, {.run = 1, .settled = 1}), std::nullopt);
    EXPECT_EQ(met(visited, other, {.run = 2, .settled = 1}), std::nullopt);
    visited.keep(2);
    visited.forget(1);
    visited.forget(2);  // it counts already
    EXPECT_EQ(met(visited, one, {.run = 3, .settled = 5}), std::nullopt);
    EXPECT_EQ(met(visited, other, {.run = 3, .settled = 5}), (Merge{.run = 2, .settled = 1}));
}

/// Of one epoch, of which this is to be said; `exactly`: to some others a message has come before.
OpenPast open(std::uint64_t what, std::uint64_t exactly) {
    const replay::OpenEpoch epoch{.epoch = {0, 0}, .sources = {{.source = 1, .messages = 3}}};
    return {.epochs = {epoch},
            .what = {.low = what, .high = 1},
            .exact = {epoch, epoch},
            .what_exactly = Digest{.low = exactly, .high = 2}};
}

TEST(VisitedStates, InAnOpenStateItCountsWhatMayComeLate) {
    VisitedStates visited;
    const VisitedStates::Visit first = visited.visit(one, open(1, 1), {.run = 1, .settled = 3});
    EXPECT_EQ(first.met, std::nullopt);
    ASSERT_TRUE(first.open);
    EXPECT_EQ(first.open->settled, 3U);
    EXPECT_EQ(first.open->epochs.size(), 1U);
    EXPECT_EQ(met(visited, one, {.run = 2, .settled = 3}), std::nullopt) << "this past is closed";
    EXPECT_EQ(visited.visit(one, open(2, 1), {.run = 3, .settled = 3}).met, std::nullopt);
    const VisitedStates::Visit again = visited.visit(one, open(1, 2), {.run = 3, .settled = 3});
    EXPECT_EQ(again.met, (Merge{.run = 1, .settled = 3})) << "that it differs in the rest does not count yet";
    EXPECT_TRUE(again.is_open);
    EXPECT_FALSE(again.open);
}

TEST(VisitedStates, WhereAStateIsGivenUpAllOfItsPastCounts) {
    VisitedStates visited;
    EXPECT_TRUE(visited.visit(one, open(1, 1), {.run = 1, .settled = 1}).open);
    EXPECT_TRUE(visited.visit(other, open(1, 1), {.run = 1, .settled = 2}).open);
    visited.give_up({.run = 1, .settled = 1});
    visited.give_up({.run = 7, .settled = 1});  // nobody knows it
    const VisitedStates::Visit exact = visited.visit(one, open(1, 1), {.run = 2, .settled = 4});
    EXPECT_EQ(exact.met, std::nullopt);
    ASSERT_TRUE(exact.open);
    EXPECT_EQ(exact.open->epochs.size(), 2U);
    EXPECT_EQ(visited.visit(one, open(1, 2), {.run = 3, .settled = 4}).met, std::nullopt);
    EXPECT_EQ(visited.visit(one, open(1, 1), {.run = 3, .settled = 4}).met, (Merge{.run = 2, .settled = 4}));
    visited.give_up({.run = 2, .settled = 4});
    EXPECT_FALSE(visited.visit(one, open(1, 1), {.run = 4, .settled = 4}).open)
        << "there is no more to tell them apart";
    EXPECT_EQ(visited.visit(other, open(1, 1), {.run = 4, .settled = 5}).met, (Merge{.run = 1, .settled = 2}));
    OpenPast unclear = open(1, 1);
    unclear.what_exactly.reset();
    EXPECT_FALSE(visited.visit(one, unclear, {.run = 5, .settled = 4}).open);
}

TEST(VisitedStates, BeyondTheLimitNoneAreAdded) {
    VisitedStates visited(1);
    EXPECT_EQ(met(visited, one, {.run = 1, .settled = 1}), std::nullopt);
    EXPECT_EQ(met(visited, other, {.run = 1, .settled = 2}), std::nullopt);
    EXPECT_EQ(met(visited, other, {.run = 2, .settled = 2}), std::nullopt);
    EXPECT_EQ(met(visited, one, {.run = 2, .settled = 2}), (Merge{.run = 1, .settled = 1}));
}

TEST(VisitedStates, WhereRunsDoNotMeetTheyAreComparedNowAndThen) {
    VisitedStates visited;
    for (std::uint64_t i = 0; i < 5000; ++i) {
        (void)met(visited, {.low = i, .high = 2}, {.run = 1, .settled = 1});
    }
    for (std::uint64_t i = 0; i < 1000; ++i) {
        EXPECT_TRUE(visited.wanted(1)) << "the first run has nobody to meet";
        (void)met(visited, {.low = i, .high = 1}, {.run = 2, .settled = 1});
    }
    EXPECT_FALSE(visited.wanted(1));
    EXPECT_TRUE(visited.wanted(4));
    for (std::uint64_t i = 0; i < 40; ++i) {
        (void)met(visited, {.low = i, .high = 1}, {.run = 3, .settled = 1});
    }
    EXPECT_TRUE(visited.wanted(1));
}

TEST(VisitedStates, WhereComparingIsFeltItIsSoonGivenUp) {
    using std::chrono::seconds;
    for (const bool dear : {false, true}) {
        VisitedStates visited;
        visited.note_times(seconds{10}, seconds{dear ? 4 : 1});
        (void)met(visited, {.low = 0, .high = 2}, {.run = 1, .settled = 1});
        for (std::uint64_t i = 0; i < 64; ++i) {
            EXPECT_TRUE(visited.wanted(1));
            (void)met(visited, {.low = i, .high = 1}, {.run = 2, .settled = 1});
        }
        EXPECT_EQ(visited.wanted(1), !dear);
        EXPECT_TRUE(visited.wanted(4));
    }
}

TEST(VisitedStates, WhereRunsDoNotMeetNothingIsExpectedOfItAfterAWhile) {
    VisitedStates visited;
    (void)met(visited, {.low = 0, .high = 2}, {.run = 1, .settled = 1});
    for (std::uint64_t i = 0; i < 100; ++i) {
        EXPECT_TRUE(visited.may_meet());
        (void)met(visited, {.low = i, .high = 1}, {.run = 2, .settled = 1});
    }
    EXPECT_FALSE(visited.may_meet());
    for (std::uint64_t i = 0; i < 4; ++i) {
        (void)met(visited, {.low = i, .high = 1}, {.run = 3, .settled = 1});
    }
    EXPECT_TRUE(visited.may_meet());
}

TEST(VisitedStates, ItIsSaidWhenNoMoreAreKept) {
    VisitedOfModes modes(2);
    EXPECT_EQ(modes.summary(), "");
    (void)met(modes.at(replay::Buffering::zero), one, {.run = 1, .settled = 1});
    EXPECT_EQ(modes.summary(), "runs were compared in 1 states");
    (void)met(modes.at(replay::Buffering::zero), other, {.run = 1, .settled = 2});
    EXPECT_EQ(modes.summary(),
              "runs were compared in 2 states, which is as many as are kept: runs that come to others go on");
}

}  // namespace
}  // namespace dampi::scheduler::central
