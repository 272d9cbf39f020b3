// How virtual time passes: fed with pictures of ranks that all wait.
#include "scheduler/engines/passing_time.hpp"

#include "replay/answer_in_time.hpp"

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

RankState polling(base::Rank peer, std::uint32_t repeats = 0) {
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
    std::vector<std::uint32_t> answers = std::vector<std::uint32_t>(4);  ///< by rank, with which time has passed

    What next() { return time.next(states).what; }
    /// The rank is let go on by its sleep or timer at that time.
    void expect_waking(base::Rank rank, VirtualTime until) {
        const auto step = time.next(states);
        ASSERT_EQ(step.what, What::wake);
        EXPECT_EQ(step.rank, rank);
        EXPECT_EQ(step.until, until);
        EXPECT_EQ(time.granted(rank), until);
    }
    /// The rank gets the next release, without looking at its clock.
    void expect_release(base::Rank rank) {
        const auto step = time.next(states);
        ASSERT_EQ(step.what, What::release);
        EXPECT_EQ(step.rank, rank);
    }
    /// It has looked at its clock when it was released: as the layer does it, time passes.
    void passes(base::Rank rank) {
        RankState& state = states[static_cast<std::size_t>(rank)];
        state.passed += replay::time_of_false_answer(answers[static_cast<std::size_t>(rank)]++);
        state.clock = std::max(state.clock, state.passed) + 1000;
    }
};

TEST_F(PassingTimeTest, WhoOnlyWaitsIsNotHelpedByTime) {
    states = {waiting(1), waiting(0)};
    EXPECT_EQ(next(), What::nothing);
}

TEST_F(PassingTimeTest, WhoSleepsLeastWakesUpFirst) {
    states = {sleeping(5 * second), sleeping(3 * second), waiting(0)};
    expect_waking(1, 3 * second);
    EXPECT_EQ(next(), What::nothing);  // the rank wakes up
    states[1] = waiting(0);
    expect_waking(0, 5 * second);
    EXPECT_EQ(time.granted(1), 3 * second);  // time is each rank's own
}

TEST_F(PassingTimeTest, ATimerIsAwaitedLikeAWakeUp) {
    states = {waiting(1), waiting(0)};
    states[0].timer = 7 * second;
    expect_waking(0, 7 * second);
    states[0].timer = 0;
    states[0].timer_is_due = true;
    EXPECT_EQ(next(), What::nothing);  // its handler runs
    states[0].timer_is_due = false;
    EXPECT_EQ(next(), What::nothing);
}

TEST_F(PassingTimeTest, SleepersOfTheDeadAreNotAwaited) {
    states = {sleeping(5 * second), waiting(0)};
    states[0].alive = false;
    EXPECT_EQ(next(), What::nothing);
}

TEST_F(PassingTimeTest, WhoPollsIsReleasedInTurn) {
    states = {polling(1), waiting(0), polling(1)};
    for (int round = 0; round < 3; ++round) {
        expect_release(0);
        expect_release(2);
    }
}

TEST_F(PassingTimeTest, OfThoseThatLookAtTheirClocksWhoHasUsedLessTimeIsFirst) {
    states = {polling(1), waiting(0), polling(1)};
    expect_release(0);
    passes(0);
    expect_release(2);
    passes(2);
    states[0].passed = second;  // it has heard of somebody who has used more
    ++states[0].traffic;
    while (states[2].passed < second / 2) {
        expect_release(2);
        passes(2);
    }
    expect_release(0);  // with one more the other one would be later
}

TEST_F(PassingTimeTest, ATimeOutComesBeforeALongerSleepIsOver) {
    states = {polling(1), sleeping(10 * second)};
    int releases = 0;
    for (; states[0].passed < 5 * second; ++releases) {
        expect_release(0);
        passes(0);
    }
    EXPECT_EQ(releases, 13);
    expect_waking(1, 10 * second);  // with one more it would be much later
}

TEST_F(PassingTimeTest, AndAfterAShorterOne) {
    states = {polling(1), sleeping(second)};
    for (int releases = 0;; ++releases) {
        ASSERT_LT(releases, 100);
        const auto step = time.next(states);
        if (step.what == What::wake) {
            break;
        }
        ASSERT_EQ(step.what, What::release);
        passes(0);
    }
    EXPECT_GT(states[0].passed, second / 2);
    EXPECT_LT(states[0].passed, 2 * second);
}

TEST_F(PassingTimeTest, WhoPollsWithoutAClockIsAskedOnceBeforeSomebodyWakesUp) {
    states = {polling(1), sleeping(second)};
    expect_release(0);
    expect_waking(1, second);
    states[1] = sleeping(2 * second);
    expect_release(0);
    expect_waking(1, 2 * second);
}

TEST_F(PassingTimeTest, WhoPollsWithoutAClockIsReleasedAgainAndTimeStands) {
    states = {polling(1), waiting(0)};
    for (int i = 0; i < 1000; ++i) {
        expect_release(0);
    }
    EXPECT_EQ(time.in_vain().count(), 0);
}

TEST_F(PassingTimeTest, WhoHasBeenReleasedOftenIsReleasedForMoreCallsAtOnce) {
    states = {polling(1), waiting(0)};
    std::uint32_t calls = 0;
    for (int i = 0; i < 8; ++i) {
        EXPECT_EQ(time.next(states).calls, 1U);
    }
    for (int i = 0; i < 20; ++i) {
        const std::uint32_t more = time.next(states).calls;
        EXPECT_GE(more, calls);
        calls = more;
    }
    EXPECT_EQ(calls, 65536U);
}

TEST_F(PassingTimeTest, WhoHasNeededManyCallsUntilSomethingHappenedBeginsWithAQuarter) {
    states = {polling(1), waiting(0)};
    for (int i = 0; i < 8 + 6; ++i) {
        (void)time.next(states);
    }
    ++states[0].traffic;
    EXPECT_EQ(time.next(states).calls, 16U);  // 64 would have been the next
    EXPECT_EQ(time.next(states).calls, 32U);
    for (int i = 0; i < 4; ++i) {
        ++states[0].traffic;
        (void)time.next(states);
    }
    ++states[0].traffic;
    EXPECT_EQ(time.next(states).calls, 1U);
}

TEST_F(PassingTimeTest, HoweverManyTheyWere) {
    states = {polling(1), waiting(0)};
    for (int i = 0; i < 1000; ++i) {
        (void)time.next(states);
    }
    ++states[0].traffic;
    EXPECT_EQ(time.next(states).calls, 1024U);
}

TEST_F(PassingTimeTest, WhoIsProvenToRepeatItsPollIsInALivelock) {
    states = {polling(1, 1), waiting(0)};
    for (int i = 0; i < 3; ++i) {  // it may see more than MPI tells
        expect_release(0);
    }
    EXPECT_EQ(next(), What::livelock);
    EXPECT_EQ(next(), What::livelock);  // as often as it is asked
}

TEST_F(PassingTimeTest, EachHasComeBackSinceTheLastThingHasHappened) {
    states = {polling(1, 1), polling(0, 1)};
    for (int i = 0; i < 5; ++i) {
        EXPECT_EQ(next(), What::release);
    }
    ++states[1].traffic;
    for (int i = 0; i < 6; ++i) {
        EXPECT_EQ(next(), What::release);
    }
    EXPECT_EQ(next(), What::livelock);
}

TEST_F(PassingTimeTest, AllThatPollHaveToBe) {
    states = {polling(1, 1), polling(0)};
    for (int i = 0; i < 100; ++i) {
        EXPECT_EQ(next(), What::release);
    }
}

TEST_F(PassingTimeTest, NobodyIsInALivelockWhileSomebodySleepsOrATimerIsSet) {
    states = {polling(1, 1), sleeping(second)};
    expect_release(0);
    expect_waking(1, second);

    states = {polling(1, 1), waiting(0)};
    states[1].timer = 2 * second;
    expect_release(0);
    expect_waking(1, 2 * second);
}

TEST_F(PassingTimeTest, NorIsOneWhoseAnswerIsDecided) {
    states = {polling(1, 1), waiting(0)};
    states[0].waits = {{.kind = transport::WaitKind::time}};
    for (int i = 0; i < 100; ++i) {
        EXPECT_EQ(next(), What::release);
    }
}

TEST_F(PassingTimeTest, NorWhileAMessageIsOnItsWay) {
    states = {polling(1, 1), waiting(0)};
    states[1].waits[0].may_be_satisfied = true;
    for (int i = 0; i < 100; ++i) {
        EXPECT_EQ(next(), What::release);
    }
}

TEST_F(PassingTimeTest, WhoReadsItsClockForManyDaysInVainIsADoubt) {
    states = {polling(1), waiting(0)};
    int releases = 0;
    for (;; ++releases) {
        ASSERT_LT(releases, 10'000);
        const What what = next();
        if (what == What::doubt) {
            break;
        }
        ASSERT_EQ(what, What::release);
        passes(0);
    }
    EXPECT_GT(releases, 500);
    EXPECT_GT(states[0].passed, 100 * day);
    EXPECT_EQ(static_cast<VirtualTime>(time.in_vain().count()), states[0].passed);
}

}  // namespace
}  // namespace dampi::scheduler
