// How many outcomes runs stand for, some of which have ended in states of others.
#include "scheduler/exploration/outcome_count.hpp"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace dampi::scheduler
