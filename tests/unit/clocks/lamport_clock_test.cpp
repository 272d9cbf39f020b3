// The Lamport clock of the lazy protocol: order, update rules, lateness.
#include "clocks/lamport_clock.hpp"

#include <gtest/gtest.h>

namespace dampi::clocks {
namespace {

TEST(LamportClock, StartsAtZeroAndCountsEpochs) {
    LamportClock clock;
    EXPECT_EQ(clock.value, 0U);
    clock.advance();
    clock.advance();
    EXPECT_EQ(clock, LamportClock{2});
}

TEST(LamportClock, MergingTakesTheLargerAndNeverGoesBack) {
    LamportClock clock{5};
    clock.merge(LamportClock{3});
    EXPECT_EQ(clock, LamportClock{5});
    clock.merge(LamportClock{5});
    EXPECT_EQ(clock, LamportClock{5});
    clock.merge(LamportClock{9});
    EXPECT_EQ(clock, LamportClock{9});
}

TEST(LamportClock, AMessageIsLateUpToAndIncludingTheEpochsClock) {
    EXPECT_TRUE(LamportClock{0}.is_late_for(LamportClock{0}));
    EXPECT_TRUE(LamportClock{3}.is_late_for(LamportClock{4}));
    EXPECT_TRUE(LamportClock{4}.is_late_for(LamportClock{4}));
    EXPECT_FALSE(LamportClock{5}.is_late_for(LamportClock{4})) << "its sender knew of the epoch";
}

TEST(LamportClock, IsTotallyOrdered) {
    EXPECT_LT(LamportClock{1}, LamportClock{2});
    EXPECT_GE(LamportClock{2}, LamportClock{2});
    EXPECT_GT(LamportClock{std::uint64_t{1} << 40}, LamportClock{7});
}

}  // namespace
}  // namespace dampi::clocks
