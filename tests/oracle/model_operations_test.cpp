// The reference model of what is beyond plain sends, receives and waits, against programs whose executions are known.
#include "tests/oracle/generator.hpp"
#include "tests/oracle/model.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace dampi::oracle {
namespace {

using Set = std::set<std::string>;

Set texts(const std::optional<std::set<Execution>>& executions) {
    Set found;
    for (const Execution& execution : executions.value()) {
        found.insert(execution.matches + (execution.deadlock ? "!" : ""));
    }
    return found;
}

/// A deadlock with "!" behind.
Set executions(const std::string& text) { return texts(enumerate(parse_program(text))); }
Set executions(const std::string& text, const replay::Buffering& buffering) {
    return texts(enumerate(parse_program(text), buffering));
}

TEST(ModelOperations, ANonblockingCollectiveCompletesWhenThoseHaveEnteredWhoseDataItGets) {
    // Rank 1 enters after it has heard that rank 0 was told of its message.
    const std::string rest =
        " irecv 1 1 0\n waitany 0 1\n ifdone 1\n send 1 1\n end\n"
        "rank 1\n send 0 0\n recv 0 0 1\n";
    EXPECT_EQ(executions("ranks 2\n rank 0\n ibarrier 0\n" + rest + " ibarrier 1\n"), Set{"{0#0=1}"});
    EXPECT_EQ(executions("ranks 2\n rank 0\n ireduce 0 0\n" + rest + " ireduce 1 0\n"), Set{"{0#0=1}"});
    // What gets nothing of rank 1 can complete before, and then rank 1 waits in vain.
    EXPECT_EQ(executions("ranks 2\n rank 0\n ibcast 0 0\n" + rest + " ibcast 1 0\n"), (Set{"{0#0=0}!", "{0#0=1}"}));
    EXPECT_EQ(executions("ranks 2\n rank 0\n iscan 0\n" + rest + " iscan 1\n"), (Set{"{0#0=0}!", "{0#0=1}"}));
    EXPECT_EQ(executions("ranks 2\n rank 0\n iscan 0 @2\n" + rest + " iscan 1 @2\n"), Set{"{0#0=1}"});
}

TEST(ModelOperations, NonblockingCollectivesOfOneCommunicatorAreOneAfterTheOther) {
    EXPECT_EQ(executions("ranks 2\n rank 0\n ibarrier 0\n ibarrier 1 @1\n waitany 0 1\n wait 0\n wait 1\n"
                         "rank 1\n ibarrier 0\n wait 0\n ibarrier 1 @1\n"),
              (Set{"{0#0=0}", "{0#0=1}"}));
    EXPECT_EQ(executions("ranks 2\n rank 0\n ibarrier 0\n wait 0\n ibarrier 1\n"
                         "rank 1\n ibarrier 0\n ibarrier 1\n wait 0\n"),
              Set{"{}"});
}

TEST(ModelOperations, AMatchedProbeTakesItsMessage) {
    EXPECT_EQ(executions("ranks 3\n rank 0\n mprobe 0 any 0\n recv 1 any 0\n mrecv 0\n"
                         "rank 1\n send 0 0\n rank 2\n send 0 0\n"),
              (Set{"{0#0<-1 0#1<-2}", "{0#0<-2 0#1<-1}"}));
    EXPECT_EQ(executions("ranks 2\n rank 0\n mprobe 0 1 0\n recv 1 1 0\n rank 1\n send 0 0\n"), Set{"{}!"});
}

TEST(ModelOperations, ASynchronousSendWaitsForTheReceiveOfWhatAMatchedProbeHasTaken) {
    const std::string rank1 = "rank 1\n ssend 0 0\n send 0 1\n";
    EXPECT_EQ(executions("ranks 2\n rank 0\n mprobe 0 any 0\n recv 1 1 1\n mrecv 0\n" + rank1), Set{"{0#0<-1}!"});
    EXPECT_EQ(executions("ranks 2\n rank 0\n mprobe 0 any 0\n mrecv 0\n recv 1 1 1\n" + rank1), Set{"{0#0<-1}"});
    EXPECT_EQ(executions("ranks 2\n rank 0\n mprobe 0 any 0\n imrecv 2 0\n recv 1 1 1\n" + rank1), Set{"{0#0<-1}"});
}

TEST(ModelOperations, PollsThatGiveUpHaveBothOutcomes) {
    const std::string rank1 = "rank 1\n send 0 0\n";
    EXPECT_EQ(executions("ranks 2\n rank 0\n irecv 0 1 0\n test 0 x3\n" + rank1),
              (Set{"{0#0=0}", "{0#0=0~1}", "{0#0=0~2}", "{0#0=none~3}"}));
    EXPECT_EQ(executions("ranks 2\n rank 0\n iprobe 0 any 0 x2\n recv 1 1 0\n" + rank1),
              (Set{"{0#0<-1}", "{0#0<-1~1}", "{0#0=none~2}"}));
    EXPECT_EQ(executions("ranks 2\n rank 0\n improbe 0 any 0\n ifdone 0\n mrecv 0\n else\n recv 1 1 0\n end\n" + rank1),
              (Set{"{0#0<-1}", "{0#0=none~1}"}));
    EXPECT_EQ(executions("ranks 2\n rank 0\n iprobe 0 any 0\n iprobe 1 any 0\n rank 1\n"), Set{"{0#0=none~2}"});
}

TEST(ModelOperations, TestsOfSeveralRequestsAnswerForOneSomeOrAll) {
    const std::string begin = "ranks 2\n rank 0\n irecv 0 1 0\n irecv 1 1 1\n";
    const std::string rank1 = "rank 1\n send 0 0\n send 0 1\n";
    EXPECT_EQ(executions(begin + "testany 0 1\n" + rank1), (Set{"{0#0=0}", "{0#0=1}", "{0#0=none~1}"}));
    EXPECT_EQ(executions(begin + "testsome 0 1\n" + rank1), (Set{"{0#0=0}", "{0#0=0+1}", "{0#0=1}", "{0#0=none~1}"}));
    EXPECT_EQ(executions(begin + "testall 0 1\n" + rank1), (Set{"{0#0=0+1}", "{0#0=none~1}"}));
    EXPECT_EQ(executions(begin + "testall 0 1\n rank 1\n send 0 0\n"), Set{"{0#0=none~1}!"});
    EXPECT_EQ(executions(begin + "wait 0 1\n testall 0 1\n" + rank1), Set{"{}"});
}

TEST(ModelOperations, WhatIsKnownToBeCompleteIsNotDeniedLater) {
    EXPECT_EQ(executions("ranks 2\n rank 0\n irecv 0 1 0\n getstatus 0\n test 0\n rank 1\n send 0 0\n"),
              (Set{"{0#0=0}", "{0#0@1=0~1}", "{0#0=none~2}"}));
}

TEST(ModelOperations, ACancelComesInTimeOrTooLate) {
    EXPECT_EQ(executions("ranks 2\n rank 0\n irecv 0 any 0\n cancel 0\n wait 0\n rank 1\n send 0 0\n"),
              (Set{"{0#0<-1 0#1=0}", "{0#1=none}"}));
    EXPECT_EQ(executions("ranks 2\n rank 0\n irecv 0 1 0\n cancel 0\n wait 0\n rank 1\n ssend 0 0\n"),
              (Set{"{0#0=0}", "{0#0=none}!"}));
    EXPECT_EQ(executions("ranks 2\n rank 0\n irecv 0 1 0\n wait 0\n cancel 0\n rank 1\n send 0 0\n"), Set{"{}"});
}

TEST(ModelOperations, NobodyWaitsForWhatWasFreed) {
    EXPECT_EQ(executions("ranks 2\n rank 0\n issend 0 1 0\n free 0\n rank 1\n"), Set{"{}"});
    EXPECT_EQ(executions("ranks 2\n rank 0\n issend 0 1 0\n rank 1\n"), Set{"{}!"});
    // But MPI_Finalize does.
    const Program program = parse_program("ranks 2\n rank 0\n issend 0 1 0\n free 0\n rank 1\n");
    EXPECT_EQ(texts(enumerate(program, {.finalize = true})), Set{"{}!"});
    const Program standard = parse_program("ranks 2\n rank 0\n isend 0 1 0\n free 0\n rank 1\n");
    EXPECT_EQ(texts(enumerate(standard, {.finalize = true})), Set{"{}"});
    EXPECT_EQ(texts(enumerate(standard, {.room = 40, .finalize = true})), Set{"{}"});
    EXPECT_EQ(texts(enumerate(standard, {.room = 4, .finalize = true})), Set{"{}!"});
}

TEST(ModelOperations, NobodyIsAlwaysReady) {
    EXPECT_EQ(
        executions("ranks 2\n rank 0\n recv 0 null any\n probe 1 null 0\n ssend null 0\n sendrecv 2 null 0 null 0\n"
                   " if 0 1\n recv 3 1 0\n end\n rank 1\n"),
        Set{"{}"});
    EXPECT_EQ(executions("ranks 2\n rank 0\n irecv 0 null 0\n irecv 1 1 0\n waitany 0 1\n rank 1\n send 0 0\n"),
              (Set{"{0#0=0}", "{0#0=1}"}));
    EXPECT_EQ(executions("ranks 2\n rank 0\n irecv 0 null 0\n test 0 x3\n testall 0\n rank 1\n"), Set{"{}"});
}

TEST(ModelOperations, ASendrecvSendsAndReceivesAtTheSameTime) {
    const std::string text = "ranks 2\n rank 0\n sendrecv 0 any 0 1 0\n rank 1\n sendrecv 0 any 0 0 0\n";
    EXPECT_EQ(executions(text), Set{"{0#0<-1 1#0<-0}"});
    EXPECT_EQ(executions(text, replay::Buffering::zero), Set{"{0#0<-1 1#0<-0}"});
    EXPECT_EQ(executions("ranks 2\n rank 0\n sendrecv 0 1 0 1 0\n rank 1\n send 0 0\n", replay::Buffering::zero),
              Set{"{}!"});
}

TEST(ModelOperations, ANonblockingSendrecvIsOverWhenBothPartsAre) {
    const std::string text = "ranks 2\n rank 0\n isendrecv 0 any 0 1 0\n wait 0\n send 1 1\n rank 1\n ";
    EXPECT_EQ(executions(text + "recv 0 0 1\n send 0 0\n recv 1 0 0\n"), Set{"{}!"});
    EXPECT_EQ(executions(text + "send 0 0\n recv 0 0 1\n recv 1 0 0\n"), Set{"{0#0<-1}"});
    EXPECT_EQ(executions(text + "send 0 0\n recv 0 0 1\n recv 1 0 0\n", replay::Buffering::zero), Set{"{0#0<-1}!"});
    EXPECT_EQ(executions(text + "send 0 0\n recv 1 0 0\n recv 0 0 1\n", replay::Buffering::zero), Set{"{0#0<-1}"});
    EXPECT_THROW((void)parse_program("ranks 2\n rank 0\n isendrecv 0 any 0 1 0\n test 0\n rank 1\n"), ProgramError);
}

TEST(ModelOperations, LargeMessagesWaitUnlessAllAreBuffered) {
    const std::string text = "ranks 2\n rank 0\n send 1 10\n recv 0 1 10\n rank 1\n send 0 10\n recv 0 0 10\n";
    EXPECT_EQ(executions(text, replay::Buffering::native), Set{"{}!"});
    EXPECT_EQ(executions(text, replay::Buffering::infinite), Set{"{}"});
}

TEST(ModelOperations, AnIntercommunicatorIsOneMore) {
    EXPECT_EQ(executions("ranks 3\n rank 0\n recv 0 any any @3\n rank 1\n send 0 0 @3\n rank 2\n send 0 0\n"),
              Set{"{0#0<-1}"});
    EXPECT_THROW((void)parse_program("ranks 3\n rank 0\n rank 1\n rank 2\n send 0 0 @3\n"), ProgramError);
}

TEST(ModelOperations, TheOrderOfTheRanksStepsMakesNoDifference) {
    int compared = 0;
    for (std::uint64_t seed = 1; seed <= 400; ++seed) {
        const Program program = generate_program(
            seed, {.most_ranks = 3, .most_messages = 3, .features = parse_features("all"), .most_ops = 5});
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
