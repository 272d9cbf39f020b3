// How does a run end of which several things are found? Fed with pictures and a clock of its own.
#include "scheduler/judgement/ending_watch.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <utility>
#include <vector>

namespace dampi::scheduler {
namespace {

using namespace std::chrono_literals;
using Reason = RunEnding::Reason;

/// No rank has another thread.
const OthersSleep nobody_else = [](const std::vector<pid_t>&) { return std::optional<std::uint64_t>(0); };

const DecisionOpen nothing_decided = [] { return false; };
const DecisionOpen something_open = [] { return true; };
const LoopsForEver loops = [](base::Rank, const std::vector<pid_t>&) { return true; };
const ProcessorTimeOf unknown = [](base::Rank) { return launch::ProcessorTime{}; };

/// Rank 0 polls for ever, rank 1 waits for it; rank 2 computes unless it is said to wait, too.
struct EndingWatchTest : testing::Test {
    EndingWatch::Time now{1h};
    std::vector<RankState> states{3};

    EndingWatchTest() {
        states[0].polling_threads = {{.id = 100}};
        wait(1);
        states[2].alive = false;
    }
    void wait(std::size_t rank) {
        states[rank].blocked = true;
        states[rank].waits = {{.kind = transport::WaitKind::receive, .peer = 0, .providers = {0}}};
    }
    void poll() {
        now += 1ms;
        states[0].polling_threads[0].false_answers += 10;
        states[0].polling_threads[0].idle_false_answers += 10;
        states[0].sequence += 2;
    }
    bool polls_for(EndingWatch& watch, std::chrono::milliseconds time, bool death) {
        for (const auto end = now + time; now < end;) {
            poll();
            if (watch.finds_no_headway(states, nobody_else, loops, unknown, death, now)) {
                return true;
            }
        }
        return false;
    }
};

TEST_F(EndingWatchTest, NothingFoundIsAnEndByItself) {
    EndingWatch watch({.livelock = 3s, .hang = 10s}, nothing_decided);
    EXPECT_FALSE(polls_for(watch, 1s, false));
    EXPECT_FALSE(watch.nobody_needs_more_time(false, now + 1h));
    const RunEnding ending = std::move(watch).ending();
    EXPECT_EQ(ending.reason, Reason::finished);
    EXPECT_FALSE(ending.cut_short);
}

TEST_F(EndingWatchTest, ALivelockEndsTheRun) {
    EndingWatch watch({.livelock = 3s}, nothing_decided);
    EXPECT_TRUE(polls_for(watch, 4s, false));
    const RunEnding ending = std::move(watch).ending();
    EXPECT_EQ(ending.reason, Reason::livelock);
    EXPECT_EQ(ending.ranks, (std::vector<bool>{true, false, false}));
    EXPECT_EQ(ending.decided, now);
    EXPECT_EQ(ending.states.size(), 3U);
    EXPECT_FALSE(ending.cut_short);
}

TEST_F(EndingWatchTest, AfterADeathNobodyIsInALivelock) {
    EndingWatch watch({.livelock = 3s}, nothing_decided);
    EXPECT_FALSE(polls_for(watch, 20s, true));
    EXPECT_EQ(std::move(watch).ending().reason, Reason::finished);
}

TEST_F(EndingWatchTest, AHangEndsTheRun) {
    states[2].alive = true;
    EndingWatch watch({.livelock = 1min, .hang = 5s}, nothing_decided);
    EXPECT_TRUE(polls_for(watch, 6s, false));
    const RunEnding ending = std::move(watch).ending();
    EXPECT_EQ(ending.reason, Reason::hang);
    EXPECT_EQ(ending.ranks, (std::vector<bool>{false, false, true}));
    EXPECT_TRUE(ending.cut_short);
}

TEST_F(EndingWatchTest, AHangAfterADeathEndsTheRunAndIsNoFinding) {
    states[2].alive = true;
    EndingWatch watch({.livelock = 1min, .hang = 5s}, nothing_decided);
    EXPECT_TRUE(polls_for(watch, 6s, true));
    const RunEnding ending = std::move(watch).ending();
    EXPECT_EQ(ending.reason, Reason::finished);
    EXPECT_TRUE(ending.cut_short);
}

TEST_F(EndingWatchTest, ADeadlockStaysWhatWasFound) {
    states[2].alive = true;
    EndingWatch watch({.livelock = 3s, .hang = 5s}, nothing_decided);
    watch.note_deadlock(states, {false, true, false}, now - 1s, now);
    const auto first = now;
    EXPECT_TRUE(polls_for(watch, 10s, false));  // the hang ends it, and is not what is reported
    watch.note_deadlock(states, {false, true, false}, now - 1s, now);
    const RunEnding ending = std::move(watch).ending();
    EXPECT_EQ(ending.reason, Reason::deadlock);
    EXPECT_EQ(ending.ranks, (std::vector<bool>{false, true, false}));
    EXPECT_EQ(ending.since, first - 1s);
    EXPECT_EQ(ending.decided, first);
    EXPECT_TRUE(ending.cut_short);
}

TEST_F(EndingWatchTest, MoreRanksInADeadlockAreANewPicture) {
    EndingWatch watch({.livelock = 3s}, nothing_decided);
    watch.note_deadlock(states, {false, true, false}, now, now);
    states[2].alive = true;
    wait(2);
    now += 1s;
    watch.note_deadlock(states, {false, true, true}, now, now);
    const RunEnding ending = std::move(watch).ending();
    EXPECT_EQ(ending.ranks, (std::vector<bool>{false, true, true}));
    EXPECT_EQ(ending.decided, now);
    EXPECT_TRUE(ending.states[2].blocked);
}

TEST_F(EndingWatchTest, AfterSomethingFatalTheOthersGetTheirTime) {
    for (const bool death : {true, false}) {
        EndingWatch watch({.livelock = 3s}, nothing_decided);
        if (!death) {
            watch.note_deadlock(states, {false, true, false}, now, now);
        }
        EXPECT_FALSE(watch.nobody_needs_more_time(death, now));
        EXPECT_FALSE(watch.nobody_needs_more_time(death, now + EndingWatch::patience_after_fatal));
        EXPECT_TRUE(watch.nobody_needs_more_time(death, now + EndingWatch::patience_after_fatal + 1ms));
        EXPECT_TRUE(std::move(watch).ending().cut_short);
    }
}

TEST_F(EndingWatchTest, WhatIsStoppedIsCutShort) {
    EndingWatch watch({.livelock = 3s}, nothing_decided);
    watch.cut_short();
    const RunEnding ending = std::move(watch).ending();
    EXPECT_EQ(ending.reason, Reason::finished);
    EXPECT_TRUE(ending.cut_short);
}

TEST_F(EndingWatchTest, WhatIsDecidedMayStillComeAfterADeath) {
    EndingWatch watch({}, something_open);
    EXPECT_FALSE(watch.nobody_needs_more_time(true, now));
    EXPECT_FALSE(watch.nobody_needs_more_time(true, now + EndingWatch::patience_after_fatal + 1s));
    EXPECT_TRUE(watch.nobody_needs_more_time(true, now + EndingWatch::patience_with_decisions + 1ms));
}

TEST_F(EndingWatchTest, ADecisionThatDoesNotComeIsADoubtWhenNothingElseHappens) {
    EndingWatch watch({.doubt = 10s}, something_open);
    EXPECT_FALSE(watch.waits_in_vain(states, false, now));
    states[2].traffic = 1;
    EXPECT_FALSE(watch.waits_in_vain(states, false, now + 9s));
    EXPECT_FALSE(watch.waits_in_vain(states, false, now + 18s));
    EXPECT_TRUE(watch.waits_in_vain(states, false, now + 19s));
    EXPECT_EQ(std::move(watch).ending().reason, Reason::doubt);
}

TEST_F(EndingWatchTest, WithoutSuchADecisionNothingMayHappenForLong) {
    EndingWatch watch({.doubt = 10s}, nothing_decided);
    EXPECT_FALSE(watch.waits_in_vain(states, false, now));
    EXPECT_FALSE(watch.waits_in_vain(states, false, now + 1h));
}

TEST_F(EndingWatchTest, AfterADeathNoDecisionIsWaitedFor) {
    EndingWatch watch({.doubt = 10s}, something_open);
    EXPECT_FALSE(watch.waits_in_vain(states, true, now));
    EXPECT_FALSE(watch.waits_in_vain(states, true, now + 1h));
}

TEST_F(EndingWatchTest, ARunThatGoesOnFarLongerThanAnyIsADoubt) {
    EndingWatch watch({.livelock = 3s, .run = 30s}, nothing_decided);
    const auto goes_on_for = [&](std::chrono::seconds time) {
        bool ends = false;
        for (const auto end = now + time; now < end && !ends; now += 100ms) {
            ++states[0].traffic;
            ++states[0].calls;
            ends = watch.finds_no_headway(states, nobody_else, loops, unknown, false, now);
        }
        return ends;
    };
    EXPECT_FALSE(goes_on_for(29s));
    EXPECT_TRUE(goes_on_for(2s));
    const RunEnding ending = std::move(watch).ending();
    EXPECT_EQ(ending.reason, Reason::livelock);
    EXPECT_TRUE(ending.overlong);
    EXPECT_FALSE(ending.certain);
    EXPECT_TRUE(ending.cut_short);
    EXPECT_EQ(ending.ranks, (std::vector<bool>{true, true, false}));
}

TEST_F(EndingWatchTest, WhereARankMayHangTheLengthOfTheRunSaysNothing) {
    states[2].alive = true;
    EndingWatch watch({.livelock = 1min, .hang = 15s, .run = 30s}, nothing_decided);
    // Of a busy machine it gets a quarter.
    const auto begin = now;
    const ProcessorTimeOf some = [&](base::Rank) {
        return launch::ProcessorTime{.is_ready = true, .ran = (now - begin) / 4, .waited = (now - begin) * 3 / 4};
    };
    bool ends = false;
    for (; !ends && now < begin + 5min; now += 100ms) {
        ++states[0].calls;
        ends = watch.finds_no_headway(states, nobody_else, loops, some, false, now);
    }
    EXPECT_TRUE(ends);
    EXPECT_GT(now - begin, 50s);
    const RunEnding ending = std::move(watch).ending();
    EXPECT_EQ(ending.reason, Reason::hang);
    EXPECT_EQ(ending.ranks, (std::vector<bool>{false, false, true}));
}

TEST_F(EndingWatchTest, ALoopWithoutEndIsAHangWithoutALimit) {
    EndingWatch watch({.livelock = 3s}, nothing_decided);
    states[0] = {};
    const auto looks_for = [&](std::chrono::milliseconds time, const LoopsForEver& answer) {
        bool found = false;
        for (const auto end = now + time; now < end && !found; now += 10ms) {
            found = watch.finds_no_headway(states, nobody_else, answer, unknown, false, now);
        }
        return found;
    };
    EXPECT_FALSE(looks_for(60s, [](base::Rank, const std::vector<pid_t>&) { return false; }));
    EXPECT_TRUE(looks_for(60s, loops));
    const RunEnding ending = std::move(watch).ending();
    EXPECT_EQ(ending.reason, Reason::hang);
    EXPECT_TRUE(ending.certain);
    EXPECT_FALSE(ending.cut_short);
    EXPECT_EQ(ending.ranks, (std::vector<bool>{true, false, false}));
}

}  // namespace
}  // namespace dampi::scheduler
