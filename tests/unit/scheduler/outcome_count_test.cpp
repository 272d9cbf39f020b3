// How many outcomes runs stand for, some of which have ended in states of others.
#include "scheduler/exploration/outcome_count.hpp"

#include "replay/pinned_outcomes.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace dampi::scheduler {
namespace {

using replay::Merge;

std::string count(const std::vector<OutcomeCount::Run>& runs) {
    OutcomeCount counted;
    for (const OutcomeCount::Run& run : runs) {
        counted.add(run);
    }
    return counted.count(replay::Buffering::native).outcomes.value_or("unknown");
}

TEST(OutcomeCount, EachRunIsOneWithoutMerging) {
    EXPECT_EQ(count({{.number = 1}}), "1");
    EXPECT_EQ(count({{.number = 1}, {.number = 2, .parent = 1, .branch = 2}, {.number = 3, .parent = 1, .branch = 1}}),
              "3");
}

TEST(OutcomeCount, AMergedRunStandsForWhatIsBehindTheState) {
    // Two choices of two each; behind the first both ways meet.
    EXPECT_EQ(count({{.number = 1},
                     {.number = 2, .parent = 1, .branch = 2},
                     {.number = 3, .parent = 1, .branch = 1, .merged = Merge{.run = 1, .settled = 1}}}),
              "4");
}

TEST(OutcomeCount, OnlyBranchesBehindTheStateCount) {
    EXPECT_EQ(count({{.number = 1},
                     {.number = 2, .parent = 1, .branch = 1},
                     {.number = 3, .parent = 1, .branch = 3, .merged = Merge{.run = 1, .settled = 3}}}),
              "3");
}

TEST(OutcomeCount, NumbersAreExact) {
    // 80 phases of two ways that meet again.
    std::vector<OutcomeCount::Run> runs{{.number = 1}};
    for (std::uint32_t phase = 1; phase <= 80; ++phase) {
        runs.push_back(
            {.number = phase + 1, .parent = 1, .branch = phase, .merged = Merge{.run = 1, .settled = phase}});
    }
    EXPECT_EQ(count(runs), "1208925819614629174706176");  // 2^80
}

TEST(OutcomeCount, IsUnknownWithoutTheRunThatOneHasEndedIn) {
    EXPECT_EQ(count({{.number = 1}, {.number = 3, .parent = 1, .branch = 1, .merged = Merge{.run = 2, .settled = 1}}}),
              "unknown");
}

TEST(OutcomeCount, ARunThatGoesOnStandsForNothingItself) {
    OutcomeCount counted;
    counted.add({.number = 1, .length = 2});
    counted.add({.number = 2, .parent = 1, .branch = 2, .length = 2});
    counted.add({.number = 3, .parent = 1, .branch = 1, .merged = Merge{.run = 1, .settled = 1}, .length = 1});
    EXPECT_EQ(counted.count({}).outcomes, "4");
    // Behind the state there is one more, and one of them shows something.
    constexpr std::uint64_t cause = 7;
    counted.go_on(3);
    counted.add({.number = 4, .parent = 3, .branch = ~std::uint32_t{0}, .length = 2});
    counted.add({.number = 5, .parent = 4, .branch = 2, .shown = {{.cause = cause, .by_state = true}}, .length = 2});
    counted.add({.number = 6, .parent = 4, .branch = 2, .length = 2});
    const OutcomesOfMode all = counted.count({});
    EXPECT_EQ(all.merged, 0U);
    EXPECT_EQ(all.outcomes, "5");
    ASSERT_EQ(all.by_cause.size(), 1U);
    EXPECT_EQ(all.by_cause[0].outcomes, "1");
    EXPECT_NEAR(all.by_cause[0].chance, 1.0 / 6, 1e-9);
}

TEST(OutcomeCount, CountsTheMerged) {
    OutcomeCount counted;
    EXPECT_TRUE(counted.empty());
    counted.add({.number = 1});
    counted.add({.number = 2, .parent = 1, .branch = 1, .merged = Merge{.run = 1, .settled = 1}});
    EXPECT_FALSE(counted.empty());
    EXPECT_EQ(counted.count({}).merged, 1U);
}

// ---- Causes of violations

constexpr std::uint64_t cause = 7;

OutcomesOfMode counted(const std::vector<OutcomeCount::Run>& runs) {
    OutcomeCount all;
    for (const OutcomeCount::Run& run : runs) {
        all.add(run);
    }
    return all.count(replay::Buffering::native);
}

std::string showing(const std::vector<OutcomeCount::Run>& runs) {
    const OutcomesOfMode all = counted(runs);
    if (all.by_cause.empty()) {
        return "unknown";
    }
    return all.by_cause.front().outcomes + " " + std::to_string(std::lround(1000 * all.by_cause.front().chance));
}

/// Three phases of two, three and two ways, that meet again behind each; the run for one way of the last is `last`.
std::vector<OutcomeCount::Run> three_phases(const OutcomeCount::Run& last) {
    return {{.number = 1},
            {.number = 2, .parent = 1, .branch = 1, .merged = Merge{.run = 1, .settled = 1}},
            {.number = 3, .parent = 1, .branch = 2, .merged = Merge{.run = 1, .settled = 2}},
            {.number = 4, .parent = 1, .branch = 2, .merged = Merge{.run = 1, .settled = 2}},
            last};
}

TEST(OutcomeCount, CountsWhatLeadsToACause) {
    EXPECT_EQ(showing(three_phases({.number = 5, .parent = 1, .branch = 3, .shown = {{cause, true}}})), "6 500");
    // In the second phase: two of twelve for one of its three ways, with what follows.
    auto runs = three_phases({.number = 5, .parent = 1, .branch = 3});
    runs[3].merged.reset();
    runs[3].shown = {{cause, true}};
    EXPECT_EQ(counted(runs).outcomes, "10");
    EXPECT_EQ(showing(runs), "2 333");
}

TEST(OutcomeCount, WhatAMergedRunHasShownAllBehindItHave) {
    auto runs = three_phases({.number = 5, .parent = 1, .branch = 3});
    runs[2].shown = {{cause, false}};
    EXPECT_EQ(showing(runs), "4 333");
}

TEST(OutcomeCount, IsUnknownWhereOnlyThePastOfTheOwnerMayShowIt) {
    auto runs = three_phases({.number = 5, .parent = 1, .branch = 3, .shown = {{cause, false}}});
    runs[0].shown = {{cause, false}};
    EXPECT_EQ(showing(runs), "unknown");
    for (OutcomeCount::Run& run : runs) {
        for (OutcomeCount::Shown& shown : run.shown) {
            shown.by_state = true;
        }
    }
    EXPECT_EQ(showing(runs), "12 1000");
}

TEST(OutcomeCount, WhatFollowsBehindAStateIsCompared) {
    auto runs = three_phases({.number = 5, .parent = 1, .branch = 3, .shown = {{cause, true}}});
    // The run for the first way of the second phase goes on where it has met the first run.
    runs[2].merged.reset();
    runs[2].meetings = {{.earlier = {.run = 1, .settled = 2}, .settled = 2}};
    runs.push_back({.number = 6, .parent = 3, .branch = 3, .shown = {{cause, true}}});
    OutcomesOfMode all = counted(runs);
    EXPECT_EQ(all.outcomes, "12");
    EXPECT_EQ(all.compared, 1U);
    EXPECT_TRUE(all.differences.empty());

    runs.back().shown.clear();
    all = counted(runs);
    ASSERT_EQ(all.differences.size(), 1U);
    EXPECT_EQ(all.differences.front().run, 3U);
    EXPECT_EQ(all.differences.front().cause, cause);
    EXPECT_EQ(all.differences.front().outcomes + all.differences.front().earlier_outcomes, "01");

    runs.pop_back();
    all = counted(runs);
    ASSERT_FALSE(all.differences.empty());
    EXPECT_FALSE(all.differences.front().cause);
    EXPECT_EQ(all.differences.front().outcomes + all.differences.front().earlier_outcomes, "12");
}

TEST(OutcomeCount, WhatOnlyThePastMayHaveShownIsNoDifference) {
    auto runs = three_phases({.number = 5, .parent = 1, .branch = 3});
    runs[2].merged.reset();
    runs[2].meetings = {{.earlier = {.run = 1, .settled = 2}, .settled = 2}};
    runs[2].shown = {{cause, false}};
    runs.push_back({.number = 6, .parent = 3, .branch = 3, .shown = {{cause, false}}});
    EXPECT_TRUE(counted(runs).differences.empty());
}

// ---- The shortest way to a cause

replay::Decision choice(std::uint32_t index, replay::Rank source) {
    return {.epoch = {0, index}, .comm = 0, .outcome = {.source = source, .completed = {}}};
}

/// By index, the sources of the shortest way's choices.
std::vector<replay::Rank> shortest_way(const std::vector<OutcomeCount::Run>& runs) {
    std::vector<replay::Rank> sources;
    const OutcomesOfMode all = counted(runs);
    if (!all.by_cause.empty()) {
        for (const replay::Decision& each : all.by_cause.front().shortest_way) {
            EXPECT_EQ(each.epoch.index, sources.size());
            EXPECT_EQ(each.outcome.number, replay::any_message);
            sources.push_back(each.outcome.source);
        }
    }
    return sources;
}

/// A long way through three choices and a short one through one come to the same state; then there are two more, of
/// which the last shows it with 6.
std::vector<OutcomeCount::Run> two_ways() {
    return {
        {.number = 1,
         .length = 5,
         .steps = {{choice(0, 1), 1}, {choice(1, 1), 2}, {choice(2, 1), 3}, {choice(3, 3), 4}, {choice(4, 5), 5}}},
        {.number = 2,
         .parent = 1,
         .branch = 1,
         .merged = Merge{.run = 1, .settled = 3},
         .length = 1,
         .needed = {choice(0, 2)}},
        {.number = 3, .parent = 1, .branch = 4, .length = 5, .needed = {choice(3, 4)}, .steps = {{choice(4, 7), 5}}},
        {.number = 4, .parent = 3, .branch = 5, .shown = {{cause, true}}, .length = 5, .needed = {choice(4, 6)}}};
}

TEST(OutcomeCount, AShorterWayGoesOnBehindAStateOfAnotherRun) {
    EXPECT_EQ(shortest_way(two_ways()), (std::vector<replay::Rank>{2, 4, 6}));
}

TEST(OutcomeCount, TheShortestWayMayBeThatOfOneRun) {
    std::vector<OutcomeCount::Run> runs = two_ways();
    runs.push_back({.number = 5,
                    .parent = 1,
                    .branch = 1,
                    .shown = {{cause, true}},
                    .length = 2,
                    .needed = {choice(0, 8)},
                    .steps = {{choice(1, 9), 2}}});
    EXPECT_EQ(shortest_way(runs), (std::vector<replay::Rank>{8, 9}));
}

TEST(OutcomeCount, ManyChoicesAreNotKept) {
    std::vector<OutcomeCount::Run> runs = two_ways();
    OutcomeCount::Run& first = runs.front();
    const auto steps = static_cast<std::uint32_t>(OutcomeCount::most_choices);
    for (std::uint32_t i = 6; i <= steps; ++i) {
        first.steps.push_back({choice(i, 1), i});
    }
    EXPECT_EQ(shortest_way(runs), std::vector<replay::Rank>());
    EXPECT_EQ(counted(runs).outcomes, "6") << "but the number is known";
}

}  // namespace
}  // namespace dampi::scheduler
