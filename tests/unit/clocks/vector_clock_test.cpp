// The vector clock against a plain set of epochs.
#include "clocks/vector_clock.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <utility>
#include <vector>

namespace dampi::clocks {
namespace {

using Model = std::set<std::pair<base::Rank, std::uint32_t>>;

Model epochs_of(const VectorClock& clock) {
    Model found;
    clock.for_each([&](base::Rank rank, std::uint32_t index) {
        EXPECT_TRUE(found.emplace(rank, index).second);
        return true;
    });
    return found;
}

TEST(VectorClock, IsEmptyAtFirst) {
    const VectorClock clock;
    EXPECT_TRUE(clock.empty());
    EXPECT_FALSE(clock.knows(0, 0));
    EXPECT_EQ(clock.known_below(3), 0U);
    EXPECT_EQ(clock.size(), 0U);
}

TEST(VectorClock, EpochsKnownInOrderAreOneInterval) {
    VectorClock clock;
    for (std::uint32_t index = 0; index < 1000; ++index) {
        EXPECT_TRUE(clock.add(7, index));
        EXPECT_FALSE(clock.add(7, index));
    }
    EXPECT_EQ(clock.intervals().size(), 1U);
    EXPECT_EQ(clock.known_below(7), 1000U);
    EXPECT_TRUE(clock.knows(7, 999));
    EXPECT_FALSE(clock.knows(7, 1000));
    EXPECT_FALSE(clock.knows(6, 0));
}

TEST(VectorClock, AGapIsRememberedUntilItIsFilled) {
    VectorClock clock;
    clock.add(2, 1);
    clock.add(2, 3);
    EXPECT_FALSE(clock.knows(2, 0));
    EXPECT_TRUE(clock.knows(2, 1));
    EXPECT_FALSE(clock.knows(2, 2));
    EXPECT_EQ(clock.known_below(2), 0U);
    clock.add(2, 0);
    EXPECT_EQ(clock.known_below(2), 2U);
    clock.add(2, 2);
    EXPECT_EQ(clock.known_below(2), 4U);
    EXPECT_EQ(clock.intervals().size(), 1U);
}

TEST(VectorClock, IntervalsMakeTheSameClockAgain) {
    VectorClock clock;
    clock.add(0, 0);
    clock.add(5, 4);
    clock.add(5, 6);
    clock.add(9, 0);
    clock.add(9, 2);
    EXPECT_EQ(VectorClock::from_intervals(clock.intervals()), clock);
}

TEST(VectorClock, IntervalsThatAreNoClockAreRefused) {
    const auto refused = [](std::vector<VectorClock::Interval> intervals) {
        return VectorClock::from_intervals(intervals).empty();
    };
    EXPECT_FALSE(refused({{1, 0, 3}, {1, 4, 5}, {2, 0, 1}}));
    EXPECT_TRUE(refused({{1, 3, 3}}));             // empty
    EXPECT_TRUE(refused({{1, 4, 3}}));             // backwards
    EXPECT_TRUE(refused({{1, 0, 3}, {1, 3, 5}}));  // touching
    EXPECT_TRUE(refused({{1, 0, 3}, {1, 2, 5}}));  // overlapping
    EXPECT_TRUE(refused({{2, 0, 3}, {1, 0, 5}}));  // not sorted
    EXPECT_TRUE(refused({{-1, 0, 3}}));
}

TEST(VectorClock, RandomClocksAreTheSetsTheyStandFor) {
    std::mt19937 random(20);
    const auto below = [&](unsigned limit) { return static_cast<std::uint32_t>(random() % limit); };
    for (int round = 0; round < 3000; ++round) {
        VectorClock clocks[2];
        Model models[2];
        for (int step = 0; step < 12; ++step) {
            const unsigned which = below(2);
            const auto rank = static_cast<base::Rank>(below(3));
            const std::uint32_t index = below(6);
            EXPECT_EQ(clocks[which].add(rank, index), models[which].emplace(rank, index).second);
        }
        Model both = models[0];
        both.insert(models[1].begin(), models[1].end());
        Model only_first;
        clocks[0].for_each_not_in(clocks[1], [&](base::Rank rank, std::uint32_t index) {
            EXPECT_TRUE(only_first.emplace(rank, index).second);
        });
        for (const auto& epoch : models[0]) {
            EXPECT_EQ(only_first.contains(epoch), !models[1].contains(epoch));
        }
        EXPECT_EQ(clocks[0].contains(clocks[1]), both == models[0]);
        EXPECT_EQ(clocks[1].contains(clocks[0]), both == models[1]);
        EXPECT_EQ(clocks[0].merge(clocks[1]), both != models[0]);
        EXPECT_FALSE(clocks[0].merge(clocks[1]));
        EXPECT_EQ(epochs_of(clocks[0]), both);
        EXPECT_EQ(clocks[0].size(), both.size());
        EXPECT_EQ(VectorClock::from_intervals(clocks[0].intervals()), clocks[0]);
        for (base::Rank rank = 0; rank < 3; ++rank) {
            std::uint32_t gap = 0;
            while (both.contains({rank, gap})) {
                ++gap;
            }
            EXPECT_EQ(clocks[0].known_below(rank), gap);
            std::uint32_t end = 0;
            for (const auto& [of_rank, index] : both) {
                end = of_rank == rank ? std::max(end, index + 1) : end;
            }
            EXPECT_EQ(clocks[0].known_end(rank), end);
            for (std::uint32_t index = 0; index < 7; ++index) {
                EXPECT_EQ(clocks[0].knows(rank, index), both.contains({rank, index}));
            }
        }
        // A set has one form only, however it came about.
        VectorClock again;
        for (auto epoch = both.rbegin(); epoch != both.rend(); ++epoch) {
            again.add(epoch->first, epoch->second);
        }
        EXPECT_EQ(again, clocks[0]);
    }
}

}  // namespace
}  // namespace dampi::clocks
