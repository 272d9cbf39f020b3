// The reference model against programs whose executions are known, mostly from the literature.
#include "tests/oracle/model.hpp"

#include "tests/oracle/generator.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

namespace dampi::oracle {
namespace {

/// The executions as text, a deadlock with "!" behind.
std::set<std::string> executions(const std::string& text) {
    std::set<std::string> found;
    const auto enumerated = enumerate(parse_program(text));
    for (const Execution& execution : enumerated.value()) {
        found.insert(execution.matches + (execution.deadlock ? "!" : ""));
    }
    return found;
}

using Set = std::set<std::string>;

TEST(Model, WithoutWildcardsThereIsOneExecution) {
    EXPECT_EQ(executions("ranks 2\n rank 0\n send 1 0\n recv 0 1 0\n rank 1\n recv 0 0 0\n send 0 0\n"), Set{"{}"});
}

TEST(Model, TwoSendersMeetTwoWildcardsInBothOrders) {
    EXPECT_EQ(executions("ranks 3\n rank 0\n recv 0 any 0\n recv 1 any 0\n rank 1\n send 0 0\n rank 2\n send 0 0\n"),
              (Set{"{0#0<-1 0#1<-2}", "{0#0<-2 0#1<-1}"}));
}

TEST(Model, MessagesOfOneSenderDoNotOvertake) {
    // The second of rank 1 cannot come first; that is seen by who is left for the named receive.
    EXPECT_EQ(executions("ranks 2\n rank 0\n recv 0 any any\n recv 1 1 1\n rank 1\n send 0 0\n send 0 1\n"),
              Set{"{0#0<-1}"});
    EXPECT_EQ(executions("ranks 2\n rank 0\n recv 0 any any\n recv 1 1 0\n rank 1\n send 0 0\n send 0 1\n"),
              Set{"{0#0<-1}!"});
}

TEST(Model, WhatAReceiveDoesNotFitItLetsPass) {
    EXPECT_EQ(executions("ranks 2\n rank 0\n recv 0 any 1\n recv 1 any 0\n rank 1\n send 0 0\n send 0 1\n"),
              Set{"{0#0<-1 0#1<-1}"});
}

TEST(Model, ReceivesMatchInTheOrderOfPosting) {
    // The named receive was posted after the wildcard: it gets rank 1's second message.
    EXPECT_EQ(
        executions("ranks 3\n rank 0\n irecv 0 any 0\n recv 1 1 0\n wait 0\n rank 1\n send 0 0\n rank 2\n send 0 0\n"),
        (Set{"{0#0<-1}!", "{0#0<-2}"}));
    // Before the wildcard: it gets the first.
    EXPECT_EQ(
        executions("ranks 3\n rank 0\n irecv 0 1 0\n recv 1 any 0\n wait 0\n rank 1\n send 0 0\n rank 2\n send 0 0\n"),
        Set{"{0#0<-2}"});
}

TEST(Model, ACrookedBarrierLetsALaterMessageIn) {
    // Vo's dissertation and ISP: the receive is posted before the barrier and completes after it.
    EXPECT_EQ(
        executions("ranks 3\n rank 0\n isend 0 1 0\n barrier\n wait 0\n rank 1\n irecv 0 any 0\n barrier\n wait 0\n"
                   "rank 2\n barrier\n isend 0 1 0\n wait 0\n"),
        (Set{"{1#0<-0}", "{1#0<-2}"}));
}

TEST(Model, ABarrierHoldsBackWhatComesAfterIt) {
    EXPECT_EQ(
        executions(
            "ranks 3\n rank 0\n recv 0 any 0\n barrier\n rank 1\n send 0 0\n barrier\n rank 2\n barrier\n send 0 0\n"),
        Set{"{0#0<-1}"});
}

TEST(Model, ABroadcastWaitsForItsRootOnly) {
    // Rank 2 may leave the broadcast before rank 0 enters it.
    EXPECT_EQ(
        executions(
            "ranks 3\n rank 0\n recv 0 any 0\n bcast 1\n rank 1\n bcast 1\n send 0 0\n rank 2\n bcast 1\n send 0 0\n"),
        (Set{"{0#0<-1}", "{0#0<-2}"}));
    // But not before its root.
    EXPECT_EQ(
        executions(
            "ranks 3\n rank 0\n recv 0 any 0\n bcast 0\n rank 1\n send 0 0\n bcast 0\n rank 2\n bcast 0\n send 0 0\n"),
        Set{"{0#0<-1}"});
}

TEST(Model, AReductionHoldsOnlyItsRoot) {
    EXPECT_EQ(executions("ranks 3\n rank 0\n recv 0 any 0\n reduce 1\n rank 1\n reduce 1\n send 0 0\n rank 2\n reduce "
                         "1\n send 0 0\n"),
              Set{"{0#0<-2}"});
}

TEST(Model, AnyTagDecidesWhatMatchesBefore) {
    // Vo's dissertation, section 5.3: deterministic, since the any-tag receive must have matched before the
    // receive with tag 2 and so before rank 2 sends.
    EXPECT_EQ(
        executions("ranks 3\n rank 0\n irecv 0 any 3\n irecv 1 any any\n recv 2 any 2\n send 2 100\n wait 0\n wait 1\n"
                   "rank 1\n send 0 3\n send 0 3\n send 0 2\n rank 2\n recv 0 0 100\n send 0 3\n"),
        Set{"{0#0<-1 0#1<-1 0#2<-1}"});
}

TEST(Model, MatchingOrderNeedNotBePostingOrder) {
    // Vo's dissertation: tags 2 and 3 are independent of each other.
    EXPECT_EQ(
        executions("ranks 3\n rank 0\n irecv 0 any 2\n irecv 1 any 3\n recv 2 any 2\n recv 3 any 3\n wait 0\n wait 1\n"
                   "rank 1\n send 0 2\n send 0 3\n rank 2\n send 0 3\n send 0 2\n"),
        (Set{"{0#0<-1 0#1<-1 0#2<-2 0#3<-2}", "{0#0<-1 0#1<-2 0#2<-2 0#3<-1}", "{0#0<-2 0#1<-1 0#2<-1 0#3<-2}",
             "{0#0<-2 0#1<-2 0#2<-1 0#3<-1}"}));
}

TEST(Model, FindsWhatLamportClocksOmit) {
    // Vo's dissertation, figure 5.3.
    EXPECT_EQ(executions("ranks 3\n rank 0\n recv 0 any 0\n send 2 0\n rank 1\n send 0 0\n send 2 0\n"
                         "rank 2\n recv 0 any 0\n recv 1 0 0\n"),
              (Set{"{0#0<-1 2#0<-0}!", "{0#0<-1 2#0<-1}"}));
}

TEST(Model, WhatFollowsASynchronousSendComesAfterItsMatch) {
    // Vo's dissertation, section 5.2.1.2: rank 2 sends only after rank 1's message has matched.
    const std::string rest = "send 2 0\n rank 2\n recv 0 1 0\n send 0 0\n";
    EXPECT_EQ(executions("ranks 3\n rank 0\n irecv 0 any 0\n wait 0\n rank 1\n ssend 0 0\n" + rest), Set{"{0#0<-1}"});
    EXPECT_EQ(executions("ranks 3\n rank 0\n irecv 0 any 0\n wait 0\n rank 1\n send 0 0\n" + rest),
              (Set{"{0#0<-1}", "{0#0<-2}"}));
    EXPECT_EQ(executions("ranks 3\n rank 0\n irecv 0 any 0\n wait 0\n rank 1\n issend 0 0 0\n wait 0\n" + rest),
              Set{"{0#0<-1}"});
}

TEST(Model, SynchronousSendsDeadlockHeadToHead) {
    EXPECT_EQ(executions("ranks 2\n rank 0\n ssend 1 0\n recv 0 1 0\n rank 1\n ssend 0 0\n recv 0 0 0\n"), Set{"{}!"});
    EXPECT_EQ(executions("ranks 2\n rank 0\n send 1 0\n recv 0 1 0\n rank 1\n send 0 0\n recv 0 0 0\n"), Set{"{}"});
    EXPECT_EQ(executions("ranks 2\n rank 0\n issend 5 1 0\n recv 0 1 0\n rank 1\n issend 5 0 0\n recv 0 0 0\n"),
              Set{"{}"});
}

TEST(Model, ARankWaitsForItsRequestsAtTheEnd) {
    EXPECT_EQ(executions("ranks 2\n rank 0\n irecv 0 any 0\n rank 1\n"), Set{"{}!"});
    EXPECT_EQ(executions("ranks 2\n rank 0\n issend 0 1 0\n rank 1\n"), Set{"{}!"});
}

TEST(Model, AProbeTakesNothingAndDecidesNothing) {
    EXPECT_EQ(
        executions("ranks 3\n rank 0\n probe 0 any 0\n recv 1 any 0\n recv 2 any 0\n rank 1\n send 0 0\n"
                   "rank 2\n send 0 0\n"),
        (Set{"{0#0<-1 0#1<-1 0#2<-2}", "{0#0<-1 0#1<-2 0#2<-1}", "{0#0<-2 0#1<-1 0#2<-2}", "{0#0<-2 0#1<-2 0#2<-1}"}));
}

TEST(Model, AProbeDoesNotSeeWhatAnEarlierReceiveMustTake) {
    EXPECT_EQ(executions("ranks 3\n rank 0\n irecv 0 1 0\n probe 1 any 0\n recv 2 any 0\n rank 1\n send 0 0\n"
                         "rank 2\n send 0 0\n"),
              Set{"{0#0<-2 0#1<-2}"});
}

TEST(Model, BranchesFollowTheSource) {
    const std::string senders = "rank 1\n send 0 0\n rank 2\n send 0 0\n";
    EXPECT_EQ(executions("ranks 3\n rank 0\n recv 0 any 0\n if 0 1\n recv 1 2 0\n else\n recv 2 1 0\n end\n" + senders),
              (Set{"{0#0<-1}", "{0#0<-2}"}));
    EXPECT_EQ(executions("ranks 3\n rank 0\n recv 0 any 0\n if 0 1\n recv 1 1 0\n end\n" + senders),
              (Set{"{0#0<-1}!", "{0#0<-2}"}));
}

TEST(Model, ASlotKnowsItsSourceOnlyWhenItHasBeenWaitedFor) {
    const std::string rest = "rank 1\n send 0 0\n";
    EXPECT_EQ(executions("ranks 2\n rank 0\n irecv 0 any 0\n if 0 1\n recv 1 1 0\n end\n" + rest), Set{"{0#0<-1}"});
    EXPECT_EQ(executions("ranks 2\n rank 0\n irecv 0 any 0\n wait 0\n if 0 1\n recv 1 1 0\n end\n" + rest),
              Set{"{0#0<-1}!"});
}

TEST(Model, AWaitForAnyReportsOneOfThoseThatCanComplete) {
    const std::string begin = "ranks 3\n rank 0\n irecv 0 1 0\n irecv 1 2 0\n ";
    const std::string senders = "rank 1\n send 0 0\n rank 2\n send 0 0\n";
    EXPECT_EQ(executions(begin + "waitany 0 1\n" + senders), (Set{"{0#0=0}", "{0#0=1}"}));
    // The second call has only one active request left.
    EXPECT_EQ(executions(begin + "waitany 1 0\n waitany 0 1\n" + senders), (Set{"{0#0=0}", "{0#0=1}"}));
    EXPECT_EQ(executions(begin + "waitany 0 1\n rank 1\n recv 0 2 0\n send 0 0\n rank 2\n send 0 0\n send 1 0\n"),
              (Set{"{0#0=0}", "{0#0=1}"}));
    // Rank 1 sends only when rank 0 has been told of rank 2's message.
    EXPECT_EQ(executions(begin + "waitany 0 1\n send 1 0\n rank 1\n recv 0 0 0\n send 0 0\n rank 2\n send 0 0\n"),
              Set{"{0#0=1}"});
    EXPECT_EQ(executions(begin + "waitany 0 1\n rank 1\n rank 2\n"), Set{"{}!"});
}

TEST(Model, ASendThatIsBufferedCanCompleteAtOnce) {
    const std::string rest = "waitany 0 1\n rank 1\n recv 0 0 0\n send 0 0\n";
    EXPECT_EQ(executions("ranks 2\n rank 0\n isend 0 1 0\n irecv 1 1 0\n" + rest), (Set{"{0#0=0}", "{0#0=1}"}));
    EXPECT_EQ(executions("ranks 2\n rank 0\n issend 0 1 0\n irecv 1 1 0\n" + rest), (Set{"{0#0=0}", "{0#0=1}"}));
    EXPECT_EQ(executions("ranks 2\n rank 0\n issend 0 1 1\n irecv 1 1 0\n waitany 0 1\n"
                         "rank 1\n send 0 0\n recv 0 0 1\n"),
              (Set{"{0#0=0}", "{0#0=1}"}));
}

TEST(Model, AWaitForSomeReportsAnySetOfThoseThatCanComplete) {
    EXPECT_EQ(executions("ranks 2\n rank 0\n irecv 0 1 0\n irecv 1 1 0\n irecv 2 1 0\n waitsome 2 0 1\n"
                         "rank 1\n send 0 0\n send 0 0\n"),
              (Set{"{0#0=1}!", "{0#0=2}!", "{0#0=1+2}!"}));
}

TEST(Model, BranchesFollowWhatIsComplete) {
    EXPECT_EQ(executions("ranks 3\n rank 0\n irecv 0 1 0\n irecv 1 2 0\n waitany 0 1\n ifdone 1\n recv 3 2 0\n end\n"
                         "rank 1\n send 0 0\n rank 2\n send 0 0\n"),
              (Set{"{0#0=0}", "{0#0=1}!"}));
}

TEST(Model, CommunicatorsDoNotMix) {
    EXPECT_EQ(executions("ranks 2\n rank 0\n recv 0 any any @1\n recv 1 any any\n rank 1\n send 0 0\n send 0 1 @1\n"),
              Set{"{0#0<-1 0#1<-1}"});
    EXPECT_EQ(executions("ranks 2\n rank 0\n recv 0 any any @1\n rank 1\n send 0 0\n"), Set{"{}!"});
    EXPECT_EQ(executions("ranks 2\n rank 0\n recv 0 any 0 @1\n recv 1 1 0\n rank 1\n bsend 0 0\n send 0 0 @1\n"),
              Set{"{0#0<-1}"});
}

TEST(Model, WhatHasMatchedInADeadlockCounts) {
    EXPECT_EQ(executions("ranks 2\n rank 0\n irecv 0 any 0\n recv 1 1 1\n rank 1\n send 0 0\n"), Set{"{0#0<-1}!"});
}

TEST(Model, GivesUpWhenThereIsTooMuch) {
    const Program program =
        parse_program("ranks 3\n rank 0\n recv 0 any 0\n recv 1 any 0\n rank 1\n send 0 0\n rank 2\n send 0 0\n");
    EXPECT_FALSE(enumerate(program, {.most_states = 3}).has_value());
}

TEST(Model, TheOrderOfTheRanksStepsMakesNoDifference) {
    int compared = 0;
    for (std::uint64_t seed = 1; seed <= 400; ++seed) {
        const Program program = generate_program(seed, {.most_ranks = 4, .most_messages = 4, .most_ops = 5});
        const auto every = enumerate(program, {.every_order = true, .most_states = 20'000});
        if (every) {
            EXPECT_EQ(*every, enumerate(program)) << to_text(program);
            ++compared;
        }
    }
    EXPECT_GT(compared, 200);
}

}  // namespace
}  // namespace dampi::oracle
