// How virtual time passes: fed with pictures of ranks that all wait.
#include "scheduler/engines/passing_time.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace dampi::scheduler {
namespace {

using What = PassingTime::Step::What;
using transport::VirtualTime;

constexpr VirtualTime millisecond = 1'000'000;
constexpr VirtualTime second = 1000 * millisecond;
constexpr VirtualTime day = 86'400 * second;

/// Of a message that nobody sends.
Wait wait_for(base::Rank peer) {
    return {.kind = transport::WaitKind::receive, .peer = peer, .comm = 1, .providers = {peer}};
}

RankState waiting(base::Rank peer) {
    RankState state;
    state.blocked = true;
    state.waits = {wait_for(peer)};
    return state;
}

RankState polling(base::Rank peer, bool repeats = false) {
    RankState state = waiting(peer);
    state.polls = true;
    state.polling_threads = {{.id = 1, .repeats = repeats}};
    return state;
}

RankState sleeping(VirtualTime until) {
    RankState state;
    state.blocked = true;
    state.sleeps_until = until;
    return state;
}

struct PassingTimeTest : testing::Test {
    PassingTime time;
    std::vector<RankState> states;

    What next() { return time.next(states).what; }
    /// Gives the rank the next release, which has to be its.
    void expect_release(base::Rank rank) {
        const auto step = time.next(states);
        ASSERT_EQ(step.what, What::release);
        EXPECT_EQ(step.rank, rank);
    }
    void reads_clock(std::size_t rank) { states[rank].clock = std::max(states[rank].clock, time.now()) + 1000; }
};

TEST_F(PassingTimeTest, WhoOnlyWaitsIsNotHelpedByTime) {
    states = {waiting(1), waiting(0)};
    EXPECT_EQ(next(), What::nothing);
}

TEST_F(PassingTimeTest, ItPassesToWhereTheFirstWakesUp) {
    states = {sleeping(5 * second), sleeping(3 * second), waiting(0)};
    ASSERT_EQ(next(), What::pass);
    EXPECT_EQ(time.now(), 3 * second);
    EXPECT_EQ(next(), What::nothing);  // the rank wakes up
    states[1] = waiting(0);
    ASSERT_EQ(next(), What::pass);
    EXPECT_EQ(time.now(), 5 * second);
}

TEST_F(PassingTimeTest, ATimerIsAwaitedLikeAWakeUp) {
    states = {waiting(1), waiting(0)};
    states[0].timer = 7 * second;
    ASSERT_EQ(next(), What::pass);
    EXPECT_EQ(time.now(), 7 * second);
    states[0].timer = 0;
    EXPECT_EQ(next(), What::nothing);
}

TEST_F(PassingTimeTest, SleepersOfTheDeadAreNotAwaited) {
    states = {sleeping(5 * second), waiting(0)};
    states[0].alive = false;
    EXPECT_EQ(next(), What::nothing);
}

TEST_F(PassingTimeTest, WhoPollsIsReleasedInTurnBeforeTimePasses) {
    states = {polling(1), waiting(0), polling(1)};
    for (int round = 0; round < 3; ++round) {
        reads_clock(0);
        reads_clock(2);
        expect_release(0);
        expect_release(2);
        EXPECT_EQ(next(), What::pass);
    }
}

TEST_F(PassingTimeTest, StepsDoubleSoThatATimeOutOfFiveSecondsTakesADozen) {
    states = {polling(1), waiting(0)};
    int steps = 0;
    for (; time.now() < 5 * second; ++steps) {
        reads_clock(0);
        expect_release(0);
        ASSERT_EQ(next(), What::pass);
    }
    EXPECT_EQ(steps, 13);
}

TEST_F(PassingTimeTest, AfterAnythingElseTheyAreShortAgain) {
    states = {polling(1), waiting(0)};
    for (int i = 0; i < 10; ++i) {
        reads_clock(0);
        expect_release(0);
        ASSERT_EQ(next(), What::pass);
    }
    ++states[1].traffic;
    const VirtualTime before = time.now();
    reads_clock(0);
    expect_release(0);
    ASSERT_EQ(next(), What::pass);
    EXPECT_EQ(time.now() - before, millisecond + 1000);  // counted from the latest reading
}

TEST_F(PassingTimeTest, AStepEndsWhereSomebodyWakesUp) {
    states = {polling(1), sleeping(second)};
    std::vector<VirtualTime> moments;
    while (time.now() < second) {
        reads_clock(0);
        expect_release(0);
        ASSERT_EQ(next(), What::pass);
        moments.push_back(time.now());
    }
    EXPECT_EQ(time.now(), second);
    EXPECT_GT(moments.size(), 5U);  // a shorter time-out would have come before
}

TEST_F(PassingTimeTest, WhoPollsWithoutAClockIsReleasedAgainAndTimeStands) {
    states = {polling(1), waiting(0)};
    for (int i = 0; i < 1000; ++i) {
        expect_release(0);
    }
    EXPECT_EQ(time.now(), 0U);
}

TEST_F(PassingTimeTest, WhoHasBeenReleasedOftenIsReleasedForMoreCallsAtOnce) {
    states = {polling(1), waiting(0)};
    std::uint32_t calls = 0;
    for (int i = 0; i < 64; ++i) {
        EXPECT_EQ(time.next(states).calls, 1U);
    }
    for (int i = 0; i < 1000; ++i) {
        const std::uint32_t more = time.next(states).calls;
        EXPECT_GE(more, calls);
        calls = more;
    }
    EXPECT_EQ(calls, 65536U);
    ++states[1].traffic;
    EXPECT_EQ(time.next(states).calls, 1U);
}

TEST_F(PassingTimeTest, WhoIsProvenToRepeatItsPollIsInALivelock) {
    states = {polling(1, true), waiting(0)};
    EXPECT_EQ(next(), What::livelock);
    EXPECT_EQ(next(), What::livelock);  // as often as it is asked
}

TEST_F(PassingTimeTest, AllThatPollHaveToBe) {
    states = {polling(1, true), polling(0)};
    EXPECT_EQ(next(), What::release);
}

TEST_F(PassingTimeTest, NobodyIsInALivelockWhileSomebodySleepsOrATimerIsSet) {
    states = {polling(1, true), sleeping(second)};
    EXPECT_EQ(next(), What::release);
    EXPECT_EQ(next(), What::pass);

    states = {polling(1, true), waiting(0)};
    states[1].timer = 2 * second;
    EXPECT_EQ(next(), What::release);
    EXPECT_EQ(next(), What::pass);
}

TEST_F(PassingTimeTest, NorIsOneWhoseAnswerIsDecided) {
    states = {polling(1, true), waiting(0)};
    states[0].waits = {{.kind = transport::WaitKind::time}};
    EXPECT_EQ(next(), What::release);
}

TEST_F(PassingTimeTest, NorWhileAMessageIsOnItsWay) {
    states = {polling(1, true), waiting(0)};
    states[1].waits[0].may_be_satisfied = true;
    EXPECT_EQ(next(), What::release);
}

TEST_F(PassingTimeTest, WhoReadsItsClockForManyDaysInVainIsADoubt) {
    states = {polling(1), waiting(0)};
    int steps = 0;
    for (;; ++steps) {
        ASSERT_LT(steps, 10'000);
        reads_clock(0);
        const What what = next();
        if (what == What::doubt) {
            break;
        }
        ASSERT_EQ(what, What::release);
        ASSERT_EQ(next(), What::pass);
    }
    EXPECT_GT(steps, 500);
    EXPECT_GT(time.now(), 100 * day);
    EXPECT_EQ(static_cast<VirtualTime>(time.in_vain().count()), time.now());
}

}  // namespace
}  // namespace dampi::scheduler
