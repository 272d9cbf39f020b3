// The set of pending intervals against the plain answer: each of them compared.
#include "piggyback/rank/buffers/interval_set.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <set>
#include <vector>

namespace dampi::piggyback {
namespace {

struct Interval {
    std::int64_t begin;
    std::int64_t end;
    std::uint32_t number;
};

std::multiset<std::uint32_t> found(const IntervalSet& set, std::int64_t begin, std::int64_t end) {
    std::multiset<std::uint32_t> numbers;
    EXPECT_FALSE(set.any_overlapping(begin, end, [&](std::uint32_t number) {
        numbers.insert(number);
        return false;
    }));
    return numbers;
}

std::multiset<std::uint32_t> expected(const std::vector<Interval>& all, std::int64_t begin, std::int64_t end) {
    std::multiset<std::uint32_t> numbers;
    for (const Interval& each : all) {
        if (each.begin < end && begin < each.end) {
            numbers.insert(each.number);
        }
    }
    return numbers;
}

TEST(IntervalSet, IsEmptyAtFirst) {
    const IntervalSet set;
    EXPECT_EQ(set.size(), 0U);
    EXPECT_TRUE(found(set, 0, 100).empty());
}

TEST(IntervalSet, NeighboursHaveNoByteInCommon) {
    IntervalSet set;
    set.insert(10, 20, 1);
    EXPECT_TRUE(found(set, 0, 10).empty());
    EXPECT_TRUE(found(set, 20, 30).empty());
    EXPECT_EQ(found(set, 19, 20), std::multiset<std::uint32_t>{1});
    EXPECT_EQ(found(set, 0, 100), std::multiset<std::uint32_t>{1});
}

TEST(IntervalSet, TheSameOneMayBeThereSeveralTimes) {
    IntervalSet set;
    for (std::uint32_t i = 0; i < 1000; ++i) {
        set.insert(10, 20, i);
    }
    set.remove_if([](std::uint32_t number) { return number % 500 == 0 || number == 999; });
    EXPECT_EQ(set.size(), 997U);
    EXPECT_EQ(found(set, 10, 11).count(500), 0U);
    EXPECT_EQ(found(set, 10, 11).size(), 997U);
}

TEST(IntervalSet, IsAsAtFirstWhenItIsCleared) {
    IntervalSet set;
    for (std::uint32_t i = 0; i < 1000; ++i) {
        set.insert(1000 - i, 1010, i);
    }
    set.clear();
    EXPECT_EQ(set.size(), 0U);
    EXPECT_TRUE(found(set, 0, 2000).empty());
    set.insert(0, 1, 7);
    EXPECT_EQ(found(set, 0, 2000), std::multiset<std::uint32_t>{7});
}

TEST(IntervalSet, StopsWhereTheVisitorHasFoundWhatItLookedFor) {
    IntervalSet set;
    set.insert(0, 10, 1);
    set.insert(5, 15, 2);
    int visits = 0;
    EXPECT_TRUE(set.any_overlapping(0, 20, [&](std::uint32_t) { return ++visits == 1; }));
    EXPECT_EQ(visits, 1);
}

TEST(IntervalSet, AnswersLikeAListWhateverIsAddedAndTakenAway) {
    std::mt19937 random(7);
    for (int round = 0; round < 10; ++round) {
        IntervalSet set;
        std::vector<Interval> all;
        std::uint32_t next = 0;
        const std::int64_t longest = round % 2 == 0 ? 8 : 4000;
        const auto below = [&](std::int64_t bound) {
            return std::uniform_int_distribution<std::int64_t>(0, bound - 1)(random);
        };
        for (int step = 0; step < 1000; ++step) {
            if (all.empty() || below(100) < (step < 600 ? 70 : 30)) {
                const std::int64_t begin = below(10000);
                const Interval interval{begin, begin + 1 + below(longest), next++};
                set.insert(interval.begin, interval.end, interval.number);
                all.push_back(interval);
            } else {
                const auto at = all.begin() + below(static_cast<std::int64_t>(all.size()));
                const std::uint32_t gone = at->number;
                set.remove_if([&](std::uint32_t number) { return number == gone; });
                all.erase(at);
            }
            ASSERT_EQ(set.size(), all.size());
            if (step % 10 == 0) {
                const std::int64_t begin = below(10000);
                const std::int64_t end = begin + 1 + below(longest);
                ASSERT_EQ(found(set, begin, end), expected(all, begin, end));
            }
        }
    }
}

}  // namespace
}  // namespace dampi::piggyback
