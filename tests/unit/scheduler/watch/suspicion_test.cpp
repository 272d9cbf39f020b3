#include "scheduler/watch/suspicion.hpp"

#include <cstdint>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace dampi::scheduler::watch {
namespace {

using std::chrono::hours;

/// The numbers of runs that are too few or too many, from all orders of sixteen samples: each tail at most .025.
RunsLimits counted_runs(int smaller) {
    std::vector<double> with_runs(17, 0);
    double all = 0;
    for (std::uint32_t order = 0; order < (1U << 16U); ++order) {
        if (__builtin_popcount(order) == smaller) {
            const std::uint32_t changes = (order ^ (order >> 1U)) & 0x7fffU;
            ++with_runs[static_cast<std::size_t>(1 + __builtin_popcount(changes))];
            ++all;
        }
    }
    RunsLimits limits{1, 16};
    for (double tail = with_runs[1]; tail / all <= 0.025; tail += with_runs[static_cast<std::size_t>(limits.lowest)]) {
        ++limits.lowest;
    }
    for (double tail = with_runs[16]; tail / all <= 0.025;
         tail += with_runs[static_cast<std::size_t>(limits.highest)]) {
        --limits.highest;
    }
    return limits;
}

TEST(Suspicion, RunsAreThoseOfTheExactDistribution) {
    for (int smaller = 4; smaller <= 8; ++smaller) {
        const RunsLimits counted = counted_runs(smaller);
        EXPECT_EQ(accepted_runs(smaller).lowest, counted.lowest) << smaller;
        EXPECT_GE(accepted_runs(smaller).highest, counted.highest) << smaller;
    }
}

TEST(Suspicion, KnowsSamplesThatDependOnEachOther) {
    EXPECT_FALSE(look_random({0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1}, 0.5));
    EXPECT_FALSE(look_random({0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1}, 0.5));
    EXPECT_TRUE(look_random({0, 0, 1, 0, 1, 1, 0, 1, 1, 0, 0, 1, 0, 1, 1, 0}, 0.5));
    EXPECT_TRUE(look_random(std::vector<double>(16, 0.25), 0.25));
    EXPECT_FALSE(look_random({1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0}, 0.9));
}

TEST(Suspicion, WaitsBetweenHalfAndOneAndAHalfIntervals) {
    Suspicion suspicion({}, Milliseconds{400});
    for (int i = 0; i < 1000; ++i) {
        const auto wait = suspicion.next_wait();
        EXPECT_GE(wait, Milliseconds{200});
        EXPECT_LE(wait, Milliseconds{600});
    }
}

TEST(Suspicion, NeedsALongerSeriesTheLongerTheJob) {
    Suspicion day({0.001, hours{24}}, Milliseconds{400});
    Suspicion hour({0.001, hours{1}}, Milliseconds{400});
    for (int i = 0; i < 60; ++i) {
        day.add(1 - (i % 7) * 0.1, false);
        hour.add(1 - (i % 7) * 0.1, false);
    }
    EXPECT_GT(day.needed(), hour.needed());
    EXPECT_GT(hour.needed(), 4U);
}

TEST(Suspicion, KnowsTooLittleAtFirst) {
    Suspicion suspicion({}, Milliseconds{400});
    for (int i = 0; i < 10; ++i) {
        suspicion.add(1, false);
        EXPECT_EQ(suspicion.needed(), 0U);
    }
    suspicion.add(1, false);
    EXPECT_GT(suspicion.needed(), 0U);
}

TEST(Suspicion, AHangDoesNotTeachItsOwnModel) {
    Suspicion suspicion({}, Milliseconds{400});
    for (int i = 0; i < 50; ++i) {
        suspicion.add(1, false);
    }
    const std::size_t needed = suspicion.needed();
    for (std::size_t i = 0; i < 2 * needed; ++i) {
        suspicion.add(0, true);
    }
    EXPECT_EQ(suspicion.needed(), needed);
    EXPECT_TRUE(suspicion.is_excessive());
    suspicion.refute();
    EXPECT_FALSE(suspicion.is_excessive());
    // What has been refuted makes the next series less surprising.
    for (std::size_t i = 0; i < needed; ++i) {
        suspicion.add(0, true);
    }
    EXPECT_FALSE(suspicion.is_excessive());
}

TEST(Suspicion, ASampleInWhichSomebodyGetsOnIsNone) {
    Suspicion suspicion({}, Milliseconds{400});
    for (int i = 0; i < 50; ++i) {
        suspicion.add(1, false);
    }
    for (int i = 0; i < 50; ++i) {
        suspicion.add(0, true);
        suspicion.add(0, false);
    }
    EXPECT_EQ(suspicion.in_a_row(), 0U);
}

TEST(Suspicion, DependentSamplesMakeTheIntervalLongerUpToABound) {
    Suspicion suspicion({}, Milliseconds{100});
    for (int i = 0; i < 2000; ++i) {
        suspicion.add((i / 8) % 2, false);
    }
    EXPECT_EQ(suspicion.interval(), Milliseconds{400});
}

/// Healthy samples that do not depend on each other: what is asked is that a whole job's false alarms are as rare as
/// said, not a test's.
TEST(Suspicion, HealthyJobsAreHardlyEverSuspected) {
    int alarms = 0;
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        std::mt19937_64 random(seed);
        std::uniform_int_distribution<int> active(0, 8);
        Suspicion suspicion({0.001, hours{1}}, Milliseconds{400}, seed);
        for (int i = 0; i < 9000; ++i) {
            const int count = active(random);
            suspicion.add(count / 8.0, count == 0);
            alarms += suspicion.is_excessive() ? 1 : 0;
        }
    }
    EXPECT_EQ(alarms, 0);
}

}  // namespace
}  // namespace dampi::scheduler::watch
