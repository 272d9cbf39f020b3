// When do ranks poll for ever, and when does one not come back to MPI? Fed with pictures and a clock of its own.
#include "scheduler/judgement/livelock.hpp"
#include "scheduler/judgement/hang.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

namespace dampi::scheduler {
namespace {

using namespace std::chrono_literals;

/// Rank 0 polls, rank 1 waits for it.
struct LivelockTest : testing::Test {
    Livelock livelock{3s};
    Livelock::Time now{};
    std::vector<RankState> states{2};
    std::optional<std::uint64_t> others{0};  ///< of rank 0's threads
    std::vector<std::vector<pid_t>> asked_about;

    LivelockTest() {
        states[0].polling_threads = {{.id = 100}};
        states[0].idle_threads = {104};
        states[1].blocked = true;
        states[1].sequence = 2;
        states[1].waits = {{.kind = transport::WaitKind::receive, .peer = 0, .providers = {0}}};
    }
    /// So many false answers, of them so many idle, in each millisecond.
    bool look_for(std::chrono::milliseconds time, unsigned answers, unsigned idle) {
        bool found = false;
        for (const auto end = now + time; now < end; now += 1ms) {
            states[0].polling_threads[0].false_answers += answers;
            states[0].polling_threads[0].idle_false_answers += idle;
            states[0].sequence += 2;
            found = found || livelock.look(
                                 states,
                                 [this](const std::vector<pid_t>& threads) {
                                     asked_about.push_back(threads);
                                     return others;
                                 },
                                 now);
        }
        return found;
    }
};

TEST_F(LivelockTest, WhoDoesNothingButPollIsFoundAfterTheLimit) {
    EXPECT_FALSE(look_for(2990ms, 10, 10));
    EXPECT_TRUE(look_for(50ms, 10, 10));
    EXPECT_EQ(livelock.polling(), (std::vector<bool>{true, false}));
}

TEST_F(LivelockTest, OnlyWhatTheyDoFromNowOnCountsWhenTheyBeginAnew) {
    EXPECT_FALSE(look_for(2990ms, 10, 10));
    livelock.begin_anew();
    EXPECT_FALSE(look_for(2990ms, 10, 10));
    EXPECT_TRUE(look_for(50ms, 10, 10));
}

TEST_F(LivelockTest, ItIsCertainIfAllThatPollAreProvenToGoOnSo) {
    states[1] = {};
    states[1].polling_threads = {{.id = 200}};
    const auto is_certain = [&](std::uint32_t first, std::uint32_t second) {
        states[0].polling_threads[0].repeats = first;
        states[1].polling_threads[0].repeats = second;
        bool found = false;
        for (int i = 0; i < 400; ++i) {
            states[1].polling_threads[0].false_answers += 100;
            states[1].polling_threads[0].idle_false_answers += 100;
            found = look_for(10ms, 10, 10) || found;
        }
        EXPECT_TRUE(found);
        return livelock.certain();
    };
    EXPECT_TRUE(is_certain(1, 1));
    EXPECT_TRUE(is_certain(1, 5)) << "five calls in turn are as good as one";
    EXPECT_FALSE(is_certain(1, 0));
    EXPECT_FALSE(is_certain(0, 1));
}

TEST_F(LivelockTest, WhoIsInACollectiveThatOthersHaveNotEnteredDoesNotCome) {
    states[1].waits.front().may_be_satisfied = true;
    EXPECT_FALSE(look_for(4s, 10, 10));
    states[1].mismatch = true;
    EXPECT_TRUE(look_for(50ms, 10, 10));
    EXPECT_EQ(livelock.polling(), (std::vector<bool>{true, false}));
}

TEST_F(LivelockTest, OfSeveralThreadsThatPollNothingIsProven) {
    states[0].polling_threads = {{.id = 100, .repeats = 1}, {.id = 101, .repeats = 1}};
    EXPECT_TRUE(look_for(3100ms, 10, 10));
    EXPECT_FALSE(livelock.certain());
}

TEST_F(LivelockTest, WhatIsCertainAndKnownNeedsNotLastSoLong) {
    livelock = Livelock(3s, 250ms);
    EXPECT_FALSE(look_for(2900ms, 10, 10)) << "nothing is proven";
    livelock.begin_anew();
    states[0].polling_threads[0].repeats = 1;
    EXPECT_FALSE(look_for(2900ms, 0, 0)) << "it does not poll";
    livelock.begin_anew();
    EXPECT_FALSE(look_for(240ms, 1, 1));
    EXPECT_TRUE(look_for(60ms, 1, 1));
    livelock.begin_anew();
    states[0].blocked = states[0].polls = true;
    EXPECT_FALSE(look_for(240ms, 0, 0));
    EXPECT_TRUE(look_for(60ms, 0, 0));
    EXPECT_TRUE(livelock.certain());
    EXPECT_EQ(livelock.polling(), (std::vector<bool>{true, false}));
    EXPECT_EQ(asked_about.back(), (std::vector<pid_t>{100, 104}));
    livelock.begin_anew();
    states[0].polling_threads[0].repeats = 2;
    EXPECT_FALSE(look_for(2900ms, 0, 0)) << "what the other call asks for may be there";
    livelock.begin_anew();
    EXPECT_FALSE(look_for(240ms, 1, 1));
    EXPECT_TRUE(look_for(60ms, 1, 1));
    livelock.begin_anew();
    states[1].blocked = false;
    EXPECT_FALSE(look_for(2900ms, 0, 0)) << "rank 1 computes";
}

TEST_F(LivelockTest, WhoWorksBetweenItsPollsIsNot) { EXPECT_FALSE(look_for(20s, 10, 8)); }

TEST_F(LivelockTest, AnotherThreadThatIsAwakeMayHelp) {
    others = std::nullopt;
    EXPECT_FALSE(look_for(20s, 10, 10));
    others = 7;
    EXPECT_TRUE(look_for(100ms, 10, 10));
    for (const auto& threads : asked_about) {
        EXPECT_EQ(threads, (std::vector<pid_t>{100, 104})) << "of rank 0; rank 1 is blocked";
    }
    EXPECT_LE(asked_about.size(), 17s / 20ms + 6) << "reading the threads takes time";
}

TEST_F(LivelockTest, AnotherThreadThatHasBeenAwakeMayHelp) {
    EXPECT_FALSE(look_for(2990ms, 10, 10));
    for (int i = 0; i < 10; ++i) {
        others = i;
        EXPECT_FALSE(look_for(20ms, 10, 10));
    }
    EXPECT_TRUE(look_for(50ms, 10, 10));
}

TEST_F(LivelockTest, AnotherThreadInTheLibraryMayHelp) {
    states[0].in_library = true;
    EXPECT_FALSE(look_for(20s, 10, 10));
    states[0].in_library = false;
    EXPECT_TRUE(look_for(100ms, 10, 10));
}

TEST_F(LivelockTest, AThreadThatPolledOnceIsOneOfTheOthers) {
    states[0].polling_threads.push_back({.id = 101, .false_answers = 5000, .idle_false_answers = 5000});
    EXPECT_TRUE(look_for(3100ms, 10, 10));
    EXPECT_EQ(asked_about.front(), (std::vector<pid_t>{100, 104}));
}

TEST_F(LivelockTest, AFewPollsAreNoReason) { EXPECT_FALSE(look_for(900ms, 1, 1) || look_for(20s, 0, 0)); }

TEST_F(LivelockTest, TrafficBeginsAnew) {
    EXPECT_FALSE(look_for(2900ms, 10, 10));
    ++states[1].traffic;
    EXPECT_FALSE(look_for(2900ms, 10, 10));
    EXPECT_TRUE(look_for(200ms, 10, 10));
}

TEST_F(LivelockTest, TheOthersMustBeBlockedForAsLong) {
    EXPECT_FALSE(look_for(2900ms, 10, 10));
    states[1].sequence += 2;
    EXPECT_FALSE(look_for(2900ms, 10, 10));
    EXPECT_TRUE(look_for(200ms, 10, 10));
}

TEST_F(LivelockTest, WhoComputesMayHelp) {
    states[1].blocked = false;
    EXPECT_FALSE(look_for(20s, 10, 10));
    states[1].blocked = true;
    states[1].waits[0].may_be_satisfied = true;
    EXPECT_FALSE(look_for(20s, 10, 10));
    states[1].alive = false;
    EXPECT_FALSE(look_for(2s, 10, 10));
    EXPECT_TRUE(look_for(2s, 10, 10)) << "nobody else is left";
}

struct HangTest : testing::Test {
    Hang hang{10s};
    Hang::Time now{};
    std::vector<RankState> states{2};

    launch::ProcessorTime processor{};  ///< nothing is known

    std::vector<bool> after(std::chrono::milliseconds time) {
        return hang.look(
            states, [this](base::Rank) { return processor; }, now += time);
    }
};

TEST_F(HangTest, WhatABusyMachineLetsARankWaitIsNotCounted) {
    states[1].blocked = true;
    processor = {.is_ready = true, .ran = 1s, .waited = 1s};
    EXPECT_TRUE(after(1ms).empty());
    EXPECT_TRUE(after(1s).empty());
    processor = {.is_ready = true, .ran = 5s, .waited = 15s};
    EXPECT_TRUE(after(19s).empty()) << "it has run for five seconds";
    processor = {.is_ready = true, .ran = 10s, .waited = 30s};
    EXPECT_EQ(after(20s), (std::vector<bool>{true, false}));
}

TEST_F(HangTest, WhoSleepsHasTheTime) {
    states[1].blocked = true;
    processor = {.is_ready = false, .ran = 1s, .waited = 1s};
    EXPECT_TRUE(after(1ms).empty());
    EXPECT_TRUE(after(1s).empty());
    EXPECT_EQ(after(10s), (std::vector<bool>{true, false}));
}

TEST_F(HangTest, WhoMakesNoCallForTooLongHangs) {
    EXPECT_TRUE(after(1h).empty()) << "the first picture says nothing";
    for (int i = 0; i < 9; ++i) {
        ++states[0].calls;
        EXPECT_TRUE(after(1s).empty());
    }
    ++states[0].calls;
    EXPECT_EQ(after(1s), (std::vector<bool>{false, true}));
}

TEST_F(HangTest, OthersThatAreAwayNearlyAsLongAreNamedAsWell) {
    EXPECT_TRUE(after(1ms).empty());
    EXPECT_TRUE(after(1s).empty());
    ++states[1].calls;
    EXPECT_TRUE(after(1s).empty());
    EXPECT_TRUE(after(8s).empty()) << "rank 0 hangs, and rank 1 may hang soon";
    EXPECT_TRUE(hang.suspects());
    EXPECT_EQ(after(2s), (std::vector<bool>{true, true}));
}

TEST_F(HangTest, WhoComesBackMeanwhileIsNot) {
    EXPECT_TRUE(after(1ms).empty());
    EXPECT_TRUE(after(1s).empty());
    ++states[1].calls;
    EXPECT_TRUE(after(1s).empty());
    EXPECT_TRUE(after(8s).empty());
    ++states[1].calls;
    EXPECT_EQ(after(1s), (std::vector<bool>{true, false}));
}

TEST_F(HangTest, NobodyIsWaitedWithForLong) {
    states.resize(4);
    EXPECT_TRUE(after(1ms).empty());
    for (std::size_t i = 0; i < 19; ++i) {
        for (std::size_t rank = 1; rank < 4; ++rank) {
            states[rank].calls += (i + 3 * rank) % 9 == 0 ? 1 : 0;  // one of them is always away for six seconds
        }
        EXPECT_TRUE(after(1s).empty()) << i;
    }
    EXPECT_TRUE(after(1s).at(0));
}

TEST_F(HangTest, WhoIsStoppedForSoLong) {
    states[1].blocked = true;
    processor = {.is_ready = true, .ran = 1s, .waited = 1s, .is_stopped = true};
    EXPECT_TRUE(after(1ms).empty());
    for (int i = 0; i < 10; ++i) {
        EXPECT_TRUE(after(1s).empty()) << "it is seen stopped since " << i;
    }
    EXPECT_EQ(after(1s), (std::vector<bool>{true, false}));
    EXPECT_EQ(hang.stopped(), (std::vector<bool>{true, false}));
}

TEST_F(HangTest, WhoGoesOnAfterAStopHasNotHung) {
    states[1].blocked = true;
    processor = {.is_ready = true, .ran = 1s, .waited = 1s, .is_stopped = true};
    EXPECT_TRUE(after(1ms).empty());
    for (int i = 0; i < 8; ++i) {
        EXPECT_TRUE(after(1s).empty());
    }
    processor.is_stopped = false;
    EXPECT_TRUE(after(1s).empty());
    processor.is_stopped = true;
    for (int i = 0; i < 8; ++i) {
        EXPECT_TRUE(after(1s).empty()) << "somebody has let it go on";
    }
}

TEST_F(HangTest, ThatWhoLooksWasStoppedHimselfDoesNotCount) {
    states[1].blocked = true;
    processor = {.is_ready = true, .ran = 1s, .waited = 1s, .is_stopped = true};
    EXPECT_TRUE(after(1ms).empty());
    EXPECT_TRUE(after(1s).empty());
    EXPECT_TRUE(after(1h).empty());
    EXPECT_TRUE(hang.suspects());
}

TEST_F(HangTest, WhoIsBlockedInMpiDoesNot) {
    states[0].blocked = states[1].blocked = true;
    EXPECT_TRUE(after(1ms).empty());
    EXPECT_TRUE(after(1h).empty());
    states[0].foreign = true;  // for something that cannot be seen
    EXPECT_EQ(after(1h), (std::vector<bool>{true, false}));
}

TEST_F(HangTest, OnlyProcessesThatExistHang) {
    EXPECT_TRUE(after(1ms).empty());
    states[0].alive = false;
    states[1].finalized = true;
    EXPECT_EQ(after(1h), (std::vector<bool>{false, true})) << "it has left MPI_Finalize, and does not end";
}

}  // namespace
}  // namespace dampi::scheduler
