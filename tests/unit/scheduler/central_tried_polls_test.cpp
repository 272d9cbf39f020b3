// What is kept of polling calls that ranks have tried out, from run to run.
#include "scheduler/engines/central/clock_sites.hpp"
#include "scheduler/engines/central/known_repetitions.hpp"

#include <gtest/gtest.h>

namespace dampi::scheduler::central {
namespace {

using base::Digest;
using transport::requests::RepetitionCall;

TEST(ClockSites, OnlyTheFirstRunIsLearnedFrom) {
    ClockSites sites;
    EXPECT_EQ(sites.known(), nullptr);
    sites.learn({{0, 1}});
    sites.learn({{0, 1}, {1, 2}});
    ASSERT_NE(sites.known(), nullptr);
    EXPECT_EQ(*sites.known(), (ClockSites::Sites{{0, 1}}));
}

TEST(KnownRepetitions, AreThoseOfThatState) {
    KnownRepetitions known;
    constexpr Digest state{.low = 1, .high = 2};
    EXPECT_FALSE(known.at(state).has_value());
    known.learn(state, RepetitionCall{.repetition = 1, .round = 3});
    known.learn(state, RepetitionCall{.repetition = 2, .round = 0});
    ASSERT_TRUE(known.at(state).has_value());
    EXPECT_EQ(known.at(state)->repetition, 1U);
    EXPECT_EQ(known.at(state)->round, 3U);
    EXPECT_FALSE(known.at({.low = 2, .high = 1}).has_value());
}

TEST(KnownRepetitions, TakeNoMoreThanTheirRoom) {
    KnownRepetitions known;
    for (std::uint64_t i = 0; i <= KnownRepetitions::most; ++i) {
        known.learn({.low = i, .high = 0}, RepetitionCall{.repetition = 1});
    }
    EXPECT_TRUE(known.at({.low = KnownRepetitions::most - 1, .high = 0}).has_value());
    EXPECT_FALSE(known.at({.low = KnownRepetitions::most, .high = 0}).has_value());
}

}  // namespace
}  // namespace dampi::scheduler::central
