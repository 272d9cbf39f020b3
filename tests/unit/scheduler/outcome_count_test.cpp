// How many outcomes runs stand for, some of which have ended in states of others.
#include "scheduler/exploration/outcome_count.hpp"

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

}  // namespace
}  // namespace dampi::scheduler
