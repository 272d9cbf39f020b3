// When can a run make no step any more? Fed with pictures of its ranks and a clock of its own.
#include "scheduler/engines/distributed/quiescence.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <vector>

namespace dampi::scheduler {
namespace {

using namespace std::chrono_literals;
using Answer = Quiescence::Answer;
using transport::WaitKind;

Wait wait_for(base::Rank peer, bool may_be_satisfied = false) {
    return {
        .kind = WaitKind::receive, .peer = peer, .comm = 1, .may_be_satisfied = may_be_satisfied, .providers = {peer}};
}

RankState blocked(std::vector<Wait> waits, std::uint64_t sequence = 2) {
    RankState state;
    state.blocked = true;
    state.sequence = sequence;
    state.waits = std::move(waits);
    return state;
}

RankState computing() { return {}; }

/// Shows pictures at intervals; ranks confirm at once unless told otherwise.
struct QuiescenceTest : testing::Test {
    Quiescence quiescence;
    Quiescence::Time now{};
    bool death = false;
    std::vector<RankState> states{blocked({wait_for(1)}), blocked({wait_for(0)})};

    Answer look(std::chrono::milliseconds later = 2ms) {
        now += later;
        return quiescence.look(states, death, now);
    }
    void confirm() {
        for (RankState& state : states) {
            state.settled_round = quiescence.round();
        }
    }
    /// Looks until the answer is no longer "confirm", for at most `patience`; all confirm each round.
    Answer settle(std::chrono::milliseconds patience, std::chrono::milliseconds interval = 2ms) {
        for (const auto end = now + patience; now < end;) {
            const Answer answer = look(interval);
            if (answer != Answer::confirm) {
                return answer;
            }
            confirm();
        }
        return Answer::confirm;
    }
};

TEST_F(QuiescenceTest, WhatOtherThreadsDoOutsideMpiKeepsADeadlockFromBeingBelieved) {
    for (int i = 0; i < 100; ++i) {
        ++states[0].other_threads;
        EXPECT_EQ(look(), Answer::confirm);
        confirm();
    }
    EXPECT_EQ(settle(1s), Answer::quiescent);
}

TEST_F(QuiescenceTest, WhoComputesMaySendSomething) {
    states[1] = computing();
    for (int i = 0; i < 1000; ++i) {
        ASSERT_EQ(look(1h), Answer::moving);
    }
}

TEST_F(QuiescenceTest, TwoRanksThatWaitForEachOtherAreStuck) { EXPECT_EQ(settle(1s), Answer::quiescent); }

TEST_F(QuiescenceTest, ItTakesThreeConfirmedRoundsHoweverLongTheyTake) {
    ASSERT_EQ(look(), Answer::confirm);
    for (int round = 0; round < 2; ++round) {
        confirm();
        ASSERT_EQ(look(10s), Answer::confirm) << round;
    }
    confirm();
    EXPECT_EQ(look(10s), Answer::quiescent);
}

TEST_F(QuiescenceTest, ItTakesTenMillisecondsHoweverManyRounds) {
    ASSERT_EQ(look(0ms), Answer::confirm);
    const auto begin = now;
    confirm();
    Answer answer{};
    for (int i = 0; i < 10000 && (answer = look(1ms)) == Answer::confirm; ++i) {
        confirm();
    }
    EXPECT_EQ(answer, Answer::quiescent);
    EXPECT_EQ(now - begin, 10ms);
}

TEST_F(QuiescenceTest, EachRoundIsAnotherOne) {
    ASSERT_EQ(look(), Answer::confirm);
    const auto first = quiescence.round();
    EXPECT_NE(first, 0U) << "the ranks' memory is zero at first: that is no confirmation";
    confirm();
    ASSERT_EQ(look(), Answer::confirm);
    EXPECT_NE(quiescence.round(), first);
}

TEST_F(QuiescenceTest, AnOldConfirmationCountsForNothing) {
    ASSERT_EQ(look(), Answer::confirm);
    confirm();
    ASSERT_EQ(look(), Answer::confirm);
    for (int i = 0; i < 100; ++i) {
        ASSERT_EQ(look(1s), Answer::confirm);  // nobody has answered the new round
    }
}

TEST_F(QuiescenceTest, AStoppedRankIsNeverQuiescent) {
    // SIGSTOP, or no processor for an hour: one of two does not confirm.
    ASSERT_EQ(look(), Answer::confirm);
    for (int i = 0; i < 10000; ++i) {
        states[0].settled_round = quiescence.round();
        ASSERT_EQ(look(1s), Answer::confirm);
    }
    states[1].settled_round = quiescence.round();
    EXPECT_EQ(settle(1s), Answer::quiescent) << "it has come back";
}

TEST_F(QuiescenceTest, DoubtsAskForFortyRoundsAndThreeSeconds) {
    states[0] = blocked({wait_for(1, true)});
    ASSERT_EQ(look(0ms), Answer::confirm);
    int rounds = 0;
    Answer answer = Answer::confirm;
    while (answer == Answer::confirm && rounds < 1000) {
        confirm();
        ++rounds;
        answer = look(1s);
    }
    EXPECT_EQ(answer, Answer::quiescent);
    EXPECT_EQ(rounds, 40);

    Quiescence other;
    quiescence = other;
    const auto begin = now;
    ASSERT_EQ(look(0ms), Answer::confirm);
    confirm();
    EXPECT_EQ(settle(10s, 10ms), Answer::quiescent);
    EXPECT_EQ(now - begin, 3s);
}

TEST_F(QuiescenceTest, SendsAskForTenRoundsAndAHundredMilliseconds) {
    // The library may still find room for the message.
    states[0].waits[0].kind = WaitKind::send;
    ASSERT_EQ(look(0ms), Answer::confirm);
    int rounds = 0;
    Answer answer = Answer::confirm;
    while (answer == Answer::confirm && rounds < 1000) {
        confirm();
        ++rounds;
        answer = look(1s);
    }
    EXPECT_EQ(answer, Answer::quiescent);
    EXPECT_EQ(rounds, 10);

    quiescence = {};
    const auto begin = now;
    ASSERT_EQ(look(0ms), Answer::confirm);
    confirm();
    EXPECT_EQ(settle(10s), Answer::quiescent);
    EXPECT_EQ(now - begin, 100ms);
}

TEST_F(QuiescenceTest, WhatIsForeignMayEndAtAnyTime) {
    states[1].foreign = true;
    for (int i = 0; i < 1000; ++i) {
        ASSERT_EQ(look(1h), Answer::moving);
        confirm();
    }
}

TEST_F(QuiescenceTest, ADoubtThatIsClearedNeedsNoPatience) {
    states[0] = blocked({wait_for(1, true)});
    EXPECT_EQ(settle(1s), Answer::confirm);
    states[0].waits[0].may_be_satisfied = false;
    EXPECT_EQ(settle(30ms), Answer::quiescent);
}

TEST_F(QuiescenceTest, EveryChangeStartsAnew) {
    const auto almost = [&] {
        ASSERT_EQ(settle(8ms), Answer::confirm);
        ASSERT_EQ(settle(0ms), Answer::confirm);
    };
    const auto starts_anew = [&](const char* what) {
        confirm();
        EXPECT_EQ(look(10s), Answer::confirm) << what;
        confirm();
        EXPECT_EQ(look(1ms), Answer::confirm) << what;
        confirm();
        EXPECT_EQ(look(1ms), Answer::confirm) << what;
        confirm();
        EXPECT_EQ(look(1ms), Answer::confirm) << what << ": three rounds, but not 10 ms";
        confirm();
        EXPECT_EQ(look(18ms), Answer::quiescent) << what;
    };
    almost();
    states[1].sequence += 2;
    starts_anew("a wait ended and another one began");
    quiescence = {};
    almost();
    states.push_back(blocked({wait_for(0)}));
    starts_anew("another rank has come to wait for them");
    quiescence = {};
    almost();
    states[2].alive = false;
    starts_anew("a rank died");
    quiescence = {};
    almost();
    const RankState before = states[0];
    states[0] = computing();
    EXPECT_EQ(look(), Answer::moving);
    states[0] = before;
    starts_anew("a rank was seen computing, even if nothing else has changed");
}

TEST_F(QuiescenceTest, WhatArrivesMattersToBufferedSendsOnly) {
    ASSERT_EQ(settle(8ms), Answer::confirm);
    ++states[0].transport_events;
    EXPECT_EQ(settle(4ms), Answer::quiescent) << "another message, that nobody here waits for";
    quiescence = {};
    states[0].waits[0].kind = WaitKind::send;
    ASSERT_EQ(settle(98ms), Answer::confirm);
    ++states[0].transport_events;
    EXPECT_EQ(settle(98ms), Answer::confirm) << "there may be room now";
    quiescence = {};
    states[0].waits[0].synchronous = true;
    EXPECT_EQ(settle(30ms), Answer::quiescent) << "no buffer would help";
}

TEST_F(QuiescenceTest, ARankInsideTheLibraryIsGivenTimeInsteadOfARound) {
    states[1].in_library = true;
    ASSERT_EQ(look(0ms), Answer::confirm);
    const auto begin = now;
    Answer answer = Answer::confirm;
    for (int i = 0; i < 10000 && answer == Answer::confirm; ++i) {
        states[0].settled_round = quiescence.round();
        answer = look(10ms);
    }
    EXPECT_EQ(answer, Answer::quiescent);
    EXPECT_GE(now - begin, 3 * 2s) << "two seconds in each of three rounds";
    EXPECT_LT(now - begin, 7s);

    // Where the library's progress can be seen it confirms like any other.
    quiescence = {};
    EXPECT_EQ(settle(100ms), Answer::quiescent);
}

TEST_F(QuiescenceTest, TheOthersMustConfirmAllTheSame) {
    states[1].in_library = true;
    ASSERT_EQ(look(), Answer::confirm);
    for (int i = 0; i < 100; ++i) {
        ASSERT_EQ(look(1s), Answer::confirm) << "rank 0 has not confirmed";
    }
}

TEST_F(QuiescenceTest, DeadAndFinalizedRanksDoNotCount) {
    RankState dead = computing();
    dead.alive = false;
    RankState finalized = computing();
    finalized.finalized = true;
    states.push_back(dead);
    states.push_back(finalized);
    Answer answer = look();
    for (int i = 0; i < 100 && answer == Answer::confirm; ++i) {
        states[0].settled_round = states[1].settled_round = quiescence.round();
        answer = look();
    }
    EXPECT_EQ(answer, Answer::quiescent);

    // The first rank is dead, the last one too.
    quiescence = {};
    states = {dead, blocked({wait_for(0)}), finalized};
    EXPECT_EQ(settle(1s), Answer::quiescent);
    quiescence = {};
    states = {blocked({wait_for(1)}), computing(), dead};
    EXPECT_EQ(settle(1s), Answer::moving);
}

TEST_F(QuiescenceTest, WhereNobodyLivesNobodyIsStuck) {
    states = {computing(), computing()};
    states[0].alive = states[1].alive = false;
    EXPECT_EQ(look(), Answer::moving);
    states[0].alive = true;
    states[0].finalized = true;
    EXPECT_EQ(look(), Answer::moving) << "ending after MPI_Finalize is not our business";
}

struct Polling : QuiescenceTest {
    /// Ranks that wait for each other, these of them in polling calls.
    void poll(std::vector<bool> which) {
        states.clear();
        for (std::size_t rank = 0; rank < which.size(); ++rank) {
            states.push_back(blocked({wait_for(static_cast<base::Rank>((rank + 1) % which.size()))}));
            states.back().polls = which[rank];
        }
    }
    /// The next rank to be released; it answers and polls again.
    base::Rank next_released() {
        EXPECT_EQ(settle(1s), Answer::release);
        states[static_cast<std::size_t>(quiescence.released())].sequence += 4;
        return quiescence.released();
    }
};

TEST_F(Polling, WhereOneRankPollsTheRunIsNotStuck) {
    poll({false, true, false});
    for (int i = 0; i < 1000; ++i) {
        EXPECT_EQ(next_released(), 1);
    }
    states[1].polls = false;
    EXPECT_EQ(settle(1s), Answer::quiescent);
}

TEST_F(Polling, AReleaseTakesOneConfirmedRound) {
    poll({false, true});
    ASSERT_EQ(look(), Answer::confirm);
    ASSERT_EQ(look(), Answer::confirm) << "nobody has confirmed";
    states[0].settled_round = quiescence.round();
    ASSERT_EQ(look(), Answer::confirm);
    confirm();
    ASSERT_EQ(look(), Answer::release);
    // It has not noticed yet: another one needs another round.
    ASSERT_EQ(look(), Answer::confirm);
    ASSERT_EQ(look(), Answer::confirm);
}

TEST_F(Polling, WhoseTimerIsDueConfirmsAgain) {
    poll({false, false});
    states[1].sleeps_until = 100;
    ASSERT_EQ(settle(1s), Answer::release);
    states[0].timer_is_due = true;  // time has passed, and its handler is to run before more does
    for (int i = 0; i < 100; ++i) {
        ASSERT_EQ(look(), Answer::confirm);
    }
    states[0].settled_round = quiescence.round();
    EXPECT_EQ(look(), Answer::release);
}

TEST_F(Polling, OthersConfirmAgainOnlyWhenSomethingHasHappened) {
    poll({false, true, false});
    states[2].waits = {wait_for(1)};
    const auto poller_confirms = [&] {
        states[1].sequence += 4;
        EXPECT_EQ(look(), Answer::confirm);
        states[1].settled_round = quiescence.round();
        return look();
    };
    EXPECT_EQ(poller_confirms(), Answer::confirm) << "the others have never confirmed";
    EXPECT_EQ(next_released(), 1);
    EXPECT_EQ(poller_confirms(), Answer::release);
    ++states[1].traffic;
    EXPECT_EQ(poller_confirms(), Answer::confirm) << "it may have sent them something";
    EXPECT_EQ(next_released(), 1);
    EXPECT_EQ(poller_confirms(), Answer::release);
    ++states[2].transport_events;
    EXPECT_EQ(poller_confirms(), Answer::confirm) << "something has arrived";
    EXPECT_EQ(next_released(), 1);
    states[0].sequence += 4;
    EXPECT_EQ(poller_confirms(), Answer::confirm) << "it waits for something else";
}

TEST_F(Polling, SendsAndDoubtsTakeLonger) {
    poll({false, true});
    states[0].waits[0].kind = WaitKind::send;
    auto begin = now;
    ASSERT_EQ(settle(1s), Answer::release);
    EXPECT_LE(now - begin, 10ms);
    poll({false, true});
    states[0].waits[0].may_be_satisfied = true;
    begin = now;
    ASSERT_EQ(settle(1s), Answer::release);
    EXPECT_GE(now - begin, 30ms);
    EXPECT_LE(now - begin, 40ms);
}

TEST_F(Polling, WhoComputesMaySatisfyThePoll) {
    poll({false, true});
    states[0] = computing();
    EXPECT_EQ(settle(10s), Answer::moving);
}

TEST_F(Polling, AllTakeTurns) {
    poll({false, true, false, true, true});
    for (int i = 0; i < 10; ++i) {
        EXPECT_EQ(next_released(), 1);
        EXPECT_EQ(next_released(), 3);
        EXPECT_EQ(next_released(), 4);
    }
}

TEST_F(Polling, TurnsBeginAnewWhenSomethingElseHasHappened) {
    poll({true, true, false, false});
    states[2].waits = {wait_for(0)};
    EXPECT_EQ(next_released(), 0);
    EXPECT_EQ(next_released(), 1);
    EXPECT_EQ(next_released(), 0);
    states[2].sequence += 4;
    EXPECT_EQ(next_released(), 0) << "another rank has gone on";
    ++states[1].transport_events;
    EXPECT_EQ(next_released(), 0) << "something has arrived";
    states[3].alive = false;
    EXPECT_EQ(next_released(), 0) << "a rank has died";
    EXPECT_EQ(next_released(), 1);
}

TEST_F(Polling, WhoIsDeadOrFinalizedIsNotReleased) {
    poll({true, true, true});
    states[0].alive = false;
    states[1].finalized = true;
    EXPECT_EQ(next_released(), 2);
    states[2].alive = false;
    states.push_back(blocked({wait_for(2)}));
    EXPECT_EQ(settle(1s), Answer::quiescent);
}

struct SomeOfThem : QuiescenceTest {
    SomeOfThem() { states.push_back(computing()); }

    /// The third rank makes an MPI call now and then, as seen from outside.
    Answer settle_beside_it(std::chrono::milliseconds patience) {
        for (const auto end = now + patience; now < end;) {
            const Answer answer = look();
            if (answer != Answer::confirm) {
                return answer;
            }
            states[0].settled_round = states[1].settled_round = quiescence.round();
            states[2].sequence += 2;
        }
        return Answer::confirm;
    }
};

TEST_F(SomeOfThem, ADeadlockIsFoundWhateverTheOthersDo) {
    EXPECT_EQ(settle_beside_it(1s), Answer::deadlock);
    EXPECT_EQ(quiescence.stuck(), (std::vector<bool>{true, true, false}));
    for (int i = 0; i < 100; ++i) {
        states[2].sequence += 2;
        EXPECT_EQ(look(), Answer::deadlock) << "and stays found";
    }
    // Then the third one waits for them as well.
    states[2] = blocked({wait_for(0)});
    EXPECT_EQ(settle(1s), Answer::quiescent);
    EXPECT_EQ(quiescence.stuck(), (std::vector<bool>{true, true, true}));
}

TEST_F(SomeOfThem, AStoppedRankDoesNotConfirm) {
    ASSERT_EQ(look(), Answer::confirm);
    for (int i = 0; i < 1000; ++i) {
        states[0].settled_round = quiescence.round();
        ASSERT_EQ(look(1s), Answer::confirm);
    }
}

TEST_F(SomeOfThem, WhoWaitsForOneThatRunsIsNotStuck) {
    states[1] = blocked({wait_for(2)});
    EXPECT_EQ(settle_beside_it(10s), Answer::moving);
}

TEST_F(SomeOfThem, AfterAMismatchNothingNeedsToBeClear) {
    states[2] = blocked({wait_for(1, true)});
    states[0].waits[0].may_be_satisfied = states[1].waits[0].may_be_satisfied = true;
    EXPECT_EQ(settle(1s), Answer::confirm);
    states[0].mismatch = true;
    EXPECT_EQ(settle(200ms), Answer::quiescent);
}

TEST_F(QuiescenceTest, AfterADeathNothingNeedsToBeClear) {
    states[0].waits.clear();  // in a call whose needs are not known
    EXPECT_EQ(settle(1s), Answer::confirm);
    death = true;
    EXPECT_EQ(settle(200ms), Answer::quiescent);
}

TEST_F(QuiescenceTest, AfterADeathWhoComputesStillMaySendSomething) {
    states[1] = computing();
    death = true;
    for (int i = 0; i < 1000; ++i) {
        ASSERT_EQ(look(1s), Answer::moving);
    }
}

TEST_F(QuiescenceTest, AfterADeathWhoDoesNotConfirmIsNotBelievedToWait) {
    states[0].waits.clear();
    death = true;
    for (int i = 0; i < 1000; ++i) {
        ASSERT_EQ(look(1s), Answer::confirm);
    }
}

}  // namespace
}  // namespace dampi::scheduler
