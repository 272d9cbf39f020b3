// piggyback/distributed/matching/matching.hpp: which message a receive has taken, in which order that is found out,
// what is written down of it, and what the program knows afterwards.
#include "piggyback/distributed/matching/matching.hpp"
#include "clocks/marks.hpp"
#include "replay/epoch.hpp"
#include "tests/unit/piggyback/distributed/rank_under_test.hpp"
#include "transport/log.hpp"

#include <vector>

namespace dampi::piggyback::distributed {
namespace {

using replay::EpochKind;
using transport::DivergenceRecord;
using transport::DroppedRecord;
using transport::EpochPostedRecord;
using transport::LateMessageRecord;
using transport::MatchedRecord;
using transport::ReceivePostedRecord;
using transport::UnsureReadyRecord;

class Matching : public RankUnderTest {
protected:
    using RankUnderTest::RankUnderTest;
};

class MatchingByLamport : public Matching {
protected:
    MatchingByLamport() : Matching(4, clocks::Protocol::lamport) {}
};

// ---- receives that are over at once -----------------------------------------------------------------------

TEST_F(Matching, ANamedReceiveTakesTheMessageAndLearnsItsClock) {
    const auto position = message(1, 7, knowing({{1, 0}}));
    EXPECT_EQ(receive(1, 7).MPI_SOURCE, 1);
    EXPECT_TRUE(port.arrived(1, position).taken);
    EXPECT_TRUE(knows(1, 0));
    EXPECT_EQ(port.board().messages_received, 1U);
}

TEST_F(Matching, ANamedReceiveIsNoEpochAndNothingIsWrittenDown) {
    message(1, 7);
    receive(1, 7);
    EXPECT_TRUE(port.logged<EpochPostedRecord>().empty());
    EXPECT_TRUE(port.logged<MatchedRecord>().empty());
    EXPECT_EQ(layer().clocks.epochs(), 0U);
}

TEST_F(Matching, AWildcardReceiveIsAnEpochWhoseMatchIsWrittenDown) {
    message(2, 7, knowing({{2, 0}}));
    EXPECT_EQ(receive(MPI_ANY_SOURCE, 7).MPI_SOURCE, 2);
    const auto posted = port.logged<EpochPostedRecord>();
    ASSERT_EQ(posted.size(), 1U);
    EXPECT_EQ(posted[0].index, 0U);
    EXPECT_EQ(posted[0].kind, static_cast<std::uint32_t>(EpochKind::receive));
    EXPECT_EQ(posted[0].comm, base::world_comm);
    EXPECT_EQ(posted[0].tag, 7);
    EXPECT_EQ(posted[0].source, base::any_source);
    EXPECT_EQ(posted[0].forced, 0U);
    EXPECT_EQ(posted[0].call, "MPI_Recv");
    const auto matched = port.logged<MatchedRecord>();
    ASSERT_EQ(matched.size(), 1U);
    EXPECT_EQ(matched[0].order, posted[0].order);
    EXPECT_EQ(matched[0].source, 2);
    EXPECT_EQ(matched[0].number, 0U);
}

TEST_F(Matching, TheProgramKnowsOfItsEpochFromTheMatchOn) {
    message(2, 7, knowing({{2, 0}}));
    receive(MPI_ANY_SOURCE, 7);
    EXPECT_TRUE(knows(own, 0));
    EXPECT_TRUE(knows(2, 0));
    const auto matched = port.logged<MatchedRecord>();
    EXPECT_FALSE(port.clock(matched[0].past_clock).vector.knows(own, 0));
    EXPECT_TRUE(port.clock(matched[0].past_clock).vector.knows(2, 0));
    EXPECT_TRUE(port.clock(matched[0].after_clock).vector.knows(own, 0));
}

TEST_F(Matching, TheSecondMessageOfASourceHasTheNumberOne) {
    message(1, 7);
    message(1, 8);
    receive(MPI_ANY_SOURCE, 7);
    receive(MPI_ANY_SOURCE, 8);
    const auto matched = port.logged<MatchedRecord>();
    ASSERT_EQ(matched.size(), 2U);
    EXPECT_EQ(matched[1].number, 1U);
    EXPECT_EQ(matched[1].tag, 8);
}

TEST_F(Matching, AMessageThatCameWithoutAnEnvelopeIsCountedAndMatchesWithNothingToLearn) {
    layer();
    mpi.deliver(3, 5);
    receive(MPI_ANY_SOURCE, MPI_ANY_TAG);
    EXPECT_EQ(not_modelled("messages from calls that are not modelled"), 1U);
    const auto matched = port.logged<MatchedRecord>();
    ASSERT_EQ(matched.size(), 1U);
    EXPECT_EQ(matched[0].source, 3);
    EXPECT_EQ(matched[0].tag, 5);
    EXPECT_EQ(port.board().messages_received, 0U);
}

TEST_F(Matching, ARefusedReceiveIsGone) {
    layer();
    mpi.refuse("PMPI_Irecv", MPI_ERR_COUNT);
    MPI_Request request = MPI_REQUEST_NULL;
    EXPECT_EQ(MPI_Irecv(nullptr, -1, MPI_INT, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &request), MPI_ERR_COUNT);
    EXPECT_TRUE(port.shown().empty());
    const auto dropped = port.logged<DroppedRecord>();
    ASSERT_EQ(dropped.size(), 1U);
    EXPECT_EQ(dropped[0].order, port.logged<EpochPostedRecord>().at(0).order);
    EXPECT_FALSE(knows(own, 0));
}

// ---- late messages ----------------------------------------------------------------------------------------

TEST_F(Matching, AMessageSentWithoutKnowledgeOfTheEpochIsLateForIt) {
    message(1, 7);
    message(2, 7);
    receive(MPI_ANY_SOURCE, 7);
    receive(2, 7);
    const auto late = port.logged<LateMessageRecord>();
    ASSERT_EQ(late.size(), 1U);
    EXPECT_EQ(late[0].source, 2);
    EXPECT_EQ(late[0].number, 0U);
    EXPECT_EQ(late[0].taken_by, 1U);
}

TEST_F(Matching, AMessageSentWithKnowledgeOfTheEpochIsNotLate) {
    message(1, 7);
    message(2, 7, knowing({{own, 0}}));
    receive(MPI_ANY_SOURCE, 7);
    receive(2, 7);
    EXPECT_TRUE(port.logged<LateMessageRecord>().empty());
}

TEST_F(Matching, AMessageThatDoesNotFitTheEpochIsNotLate) {
    message(1, 7);
    message(2, 8);
    receive(MPI_ANY_SOURCE, 7);
    receive(2, 8);
    EXPECT_TRUE(port.logged<LateMessageRecord>().empty());
}

TEST_F(MatchingByLamport, AMessageOfALowerClockIsLateForTheEpoch) {
    message(1, 7);
    message(2, 7);
    receive(MPI_ANY_SOURCE, 7);
    receive(2, 7);
    ASSERT_EQ(port.logged<LateMessageRecord>().size(), 1U);
    EXPECT_EQ(port.logged<MatchedRecord>().at(0).final_clock, 0U);
}

TEST_F(MatchingByLamport, AMessageOfAHigherClockIsNotLate) {
    message(1, 7);
    clocks::Clock later;
    later.lamport.merge(clocks::LamportClock{1});
    message(2, 7, later);
    receive(MPI_ANY_SOURCE, 7);
    receive(2, 7);
    EXPECT_TRUE(port.logged<LateMessageRecord>().empty());
}

// ---- decisions --------------------------------------------------------------------------------------------

TEST_F(Matching, ADecidedReceiveIsAskedOfMpiByItsSource) {
    decide_source(0, 2, 7);
    message(1, 7);
    message(2, 7);
    EXPECT_EQ(receive(MPI_ANY_SOURCE, 7).MPI_SOURCE, 2);
    EXPECT_EQ(mpi.receives().at(0).source, 2);
    EXPECT_EQ(port.logged<EpochPostedRecord>().at(0).forced, 1U);
    EXPECT_EQ(port.logged<EpochPostedRecord>().at(0).source, base::any_source);
}

TEST_F(Matching, OnlyTheEpochThatIsDecidedIsForced) {
    decide_source(1, 2, 7);
    message(1, 7);
    message(1, 7);
    message(2, 7);
    EXPECT_EQ(receive(MPI_ANY_SOURCE, 7).MPI_SOURCE, 1);
    EXPECT_EQ(receive(MPI_ANY_SOURCE, 7).MPI_SOURCE, 2);
    EXPECT_EQ(mpi.receives().at(0).source, MPI_ANY_SOURCE);
}

TEST_F(Matching, ADecisionOfAnotherOperationIsADivergence) {
    decide_source(0, 2, 8);
    decide_source(1, 2, 7);
    message(1, 7);
    message(1, 7);
    receive(MPI_ANY_SOURCE, 7);
    const auto diverged = port.logged<DivergenceRecord>();
    ASSERT_EQ(diverged.size(), 1U);
    EXPECT_EQ(diverged[0].index, 0U);
    EXPECT_TRUE(layer().diverged);
    receive(MPI_ANY_SOURCE, 7);  // left to itself from then on
    EXPECT_EQ(mpi.receives().at(1).source, MPI_ANY_SOURCE);
    EXPECT_EQ(port.logged<DivergenceRecord>().size(), 1U);
}

TEST_F(Matching, ADecisionOfAnotherKindIsADivergence) {
    port.decide({.index = 0,
                 .kind = static_cast<std::uint32_t>(EpochKind::probe),
                 .comm = base::world_comm,
                 .tag = 7,
                 .source = 1});
    message(1, 7);
    receive(MPI_ANY_SOURCE, 7);
    EXPECT_EQ(port.logged<DivergenceRecord>().size(), 1U);
}

TEST_F(Matching, ADecidedSourceThatIsNotInTheCommunicatorIsADivergence) {
    port.decide({.index = 0,
                 .kind = static_cast<std::uint32_t>(EpochKind::receive),
                 .comm = base::world_comm + 1,  // MPI_COMM_SELF of rank 0
                 .tag = 7,
                 .source = 2});
    layer();
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Irecv(nullptr, 0, MPI_INT, MPI_ANY_SOURCE, 7, MPI_COMM_SELF, &request);
    EXPECT_EQ(port.logged<DivergenceRecord>().size(), 1U);
    EXPECT_EQ(mpi.receives().at(0).source, MPI_ANY_SOURCE);
}

TEST_F(Matching, APendingReceiveShowsTheSourceThatItWasForcedTo) {
    decide_source(0, 2, 7);
    MPI_Request request = start_receive(MPI_ANY_SOURCE, 7);
    ASSERT_EQ(port.shown().size(), 1U);
    EXPECT_EQ(port.shown()[0].forced, 2);
    EXPECT_EQ(port.shown()[0].spec.source, base::any_source);
    message(2, 7);
    wait(request);
}

// ---- free matches -----------------------------------------------------------------------------------------

class FreeMatching : public Matching {
protected:
    FreeMatching() { port.terms_to_be().free_seed = 5; }
};

TEST_F(FreeMatching, OfSeveralMessagesThatAreThereOneSourceIsPicked) {
    message(1, 7);
    message(2, 7);
    message(3, 8);
    const int source = receive(MPI_ANY_SOURCE, 7).MPI_SOURCE;
    EXPECT_TRUE(source == 1 || source == 2);
    EXPECT_EQ(mpi.receives().at(0).source, source);
    EXPECT_EQ(port.logged<EpochPostedRecord>().at(0).forced, 0U) << "nothing was decided";
}

TEST_F(FreeMatching, AllSourcesAreReachedBySomeSeed) {
    bool reached[4] = {};
    message(1, 7);
    for (int i = 0; i < 40; ++i) {
        message(1, 7);
        message(2, 7);
        message(3, 7);
        reached[receive(MPI_ANY_SOURCE, 7).MPI_SOURCE] = true;
    }
    EXPECT_TRUE(reached[1] && reached[2] && reached[3]);
}

TEST_F(FreeMatching, WithOneSourceThereIsNothingToPick) {
    message(1, 7);
    receive(MPI_ANY_SOURCE, 7);
    EXPECT_EQ(mpi.receives().at(0).source, MPI_ANY_SOURCE);
}

TEST_F(FreeMatching, NothingIsPickedThatAPendingReceiveMayHaveTaken) {
    MPI_Request earlier = start_receive(MPI_ANY_SOURCE, 7);
    message(1, 7, {}, false);
    message(2, 7, {}, false);
    MPI_Request later = start_receive(MPI_ANY_SOURCE, 7);
    EXPECT_EQ(mpi.receives().at(1).source, MPI_ANY_SOURCE);
    mpi.deliver(1, 7);
    mpi.deliver(2, 7);
    wait(earlier);
    wait(later);
}

TEST_F(FreeMatching, ADecisionComesFirst) {
    decide_source(0, 3, 7);
    message(1, 7);
    message(2, 7);
    message(3, 7);
    EXPECT_EQ(receive(MPI_ANY_SOURCE, 7).MPI_SOURCE, 3);
}

// ---- pending receives -------------------------------------------------------------------------------------

TEST_F(Matching, APendingReceiveIsShownUntilItHasMatched) {
    MPI_Request request = start_receive(1, 7);
    ASSERT_EQ(port.shown().size(), 1U);
    EXPECT_EQ(port.shown()[0].spec, (base::ReceiveSpec{.comm = base::world_comm, .source = 1, .tag = 7}));
    EXPECT_EQ(port.shown()[0].epoch, transport::no_epoch);
    message(1, 7);
    wait(request);
    EXPECT_TRUE(port.shown().empty());
}

TEST_F(Matching, WhatIsPendingWhenAnEpochIsPostedIsWrittenDownOnce) {
    MPI_Request named = start_receive(1, 7);
    MPI_Request first = start_receive(MPI_ANY_SOURCE, 8);
    MPI_Request second = start_receive(MPI_ANY_SOURCE, 8);
    const auto posted = port.logged<ReceivePostedRecord>();
    ASSERT_EQ(posted.size(), 1U) << "epochs are written down as such";
    EXPECT_EQ(posted[0].source, 1);
    EXPECT_EQ(posted[0].tag, 7);
    message(1, 7);
    message(2, 8);
    message(3, 8);
    wait(named);
    wait(first);
    wait(second);
    EXPECT_EQ(port.logged<MatchedRecord>().size(), 3U) << "what was written down has an end";
}

TEST_F(Matching, ReceivesAreResolvedInTheOrderOfTheirPosting) {
    MPI_Request first = start_receive(MPI_ANY_SOURCE, 7);
    MPI_Request second = start_receive(MPI_ANY_SOURCE, 7);
    const auto of_1 = message(1, 7, knowing({{1, 0}}));
    const auto of_2 = message(1, 7, knowing({{1, 1}}));
    wait(second);
    EXPECT_EQ(matched_orders(), (std::vector<std::uint64_t>{0, 1}));
    EXPECT_TRUE(port.arrived(1, of_1).taken);
    EXPECT_TRUE(port.arrived(1, of_2).taken);
    wait(first);
    EXPECT_EQ(matched_orders().size(), 2U) << "it is resolved once";
}

TEST_F(Matching, TheProgramLearnsOfAnEarlierReceiveOnlyWhenItIsToldOfIt) {
    MPI_Request first = start_receive(MPI_ANY_SOURCE, 7);
    MPI_Request second = start_receive(MPI_ANY_SOURCE, 8);
    message(1, 7, knowing({{1, 0}}));
    message(2, 8, knowing({{2, 0}}));
    wait(second);
    EXPECT_TRUE(knows(2, 0));
    EXPECT_FALSE(knows(1, 0));
    EXPECT_FALSE(knows(own, 0));
    wait(first);
    EXPECT_TRUE(knows(1, 0));
    EXPECT_TRUE(knows(own, 0));
}

TEST_F(Matching, AnEarlierReceiveThatCannotHaveTakenAnEarlierMessageStaysPending) {
    MPI_Request first = start_receive(MPI_ANY_SOURCE, 8);
    MPI_Request second = start_receive(MPI_ANY_SOURCE, 7);
    message(1, 7);
    wait(second);
    EXPECT_EQ(matched_orders(), (std::vector<std::uint64_t>{1}));
    EXPECT_EQ(port.shown().size(), 1U);
    message(1, 8);
    wait(first);
}

TEST_F(Matching, AnEarlierNamedReceiveIsResolvedWithoutAskingMpi) {
    MPI_Request first = start_receive(1, MPI_ANY_TAG);
    MPI_Request second = start_receive(1, MPI_ANY_TAG);
    const auto of_first = message(1, 5);
    const auto of_second = message(1, 6);
    const unsigned asked = mpi.calls("PMPI_Request_get_status");
    wait(second);
    EXPECT_EQ(mpi.calls("PMPI_Request_get_status"), asked);
    EXPECT_TRUE(port.arrived(1, of_first).taken);
    EXPECT_TRUE(port.arrived(1, of_second).taken);
    EXPECT_TRUE(port.shown().empty());
    wait(first);
}

TEST_F(Matching, ATakenMessageOfAnotherTagShowsThatAnEarlierReceiveHasMatched) {
    // The second receive accepts both messages, so the first message must have gone to the first receive.
    MPI_Request first = start_receive(MPI_ANY_SOURCE, 5);
    MPI_Request second = start_receive(1, MPI_ANY_TAG);
    message(1, 5);
    message(1, 6);
    wait(second);
    EXPECT_EQ(matched_orders(), (std::vector<std::uint64_t>{0}));
    EXPECT_TRUE(port.arrived(1, 0).taken);
    EXPECT_TRUE(port.arrived(1, 1).taken);
    wait(first);
}

TEST_F(Matching, SoDoesOneBehindAMessageThatAnUnseenReceiveHasTaken) {
    MPI_Request first = start_receive(MPI_ANY_SOURCE, 5);
    MPI_Request second = start_receive(1, MPI_ANY_TAG);
    message(1, 4, {}, false);
    message(1, 5);
    message(1, 6);
    wait(second);
    EXPECT_EQ(matched_orders(), (std::vector<std::uint64_t>{0}));
    wait(first);
}

TEST_F(Matching, AnEarlierWildcardIsWaitedForUntilMpiSaysWhatItHasTaken) {
    MPI_Request first = start_receive(MPI_ANY_SOURCE, 7);
    MPI_Request second = start_receive(1, 7);
    message(1, 7, {}, false);
    message(1, 7, {}, false);
    message(2, 7, {}, false);
    // MPI has given the first receive the message of rank 2, which is long: it tells of it later.
    mpi.deliver(2, 7);
    mpi.find(first)->complete = false;
    mpi.deliver(1, 7);
    mpi.at_look(20, [&] { mpi.find(first)->complete = true; });
    wait(second);
    const auto matched = port.logged<MatchedRecord>();
    ASSERT_GE(matched.size(), 1U);
    EXPECT_EQ(matched[0].order, 0U);
    EXPECT_EQ(matched[0].source, 2);
    EXPECT_TRUE(port.arrived(2, 0).taken);
    EXPECT_TRUE(port.arrived(1, 0).taken);
    EXPECT_FALSE(port.arrived(1, 1).taken);
    wait(first);
}

TEST_F(Matching, AnEarlierWildcardThatWasCancelledIsDropped) {
    MPI_Request first = start_receive(MPI_ANY_SOURCE, 7);
    MPI_Request second = start_receive(1, 7);
    mpi.cancel(first);  // as MPI sees it; the program has not been told
    message(1, 7);
    wait(second);
    EXPECT_EQ(port.logged<DroppedRecord>().size(), 1U);
    EXPECT_TRUE(port.shown().empty());
}

TEST_F(Matching, WhatACollectionOfCompletedReceivesTakesFollowsTheOrderOfPosting) {
    MPI_Request first = start_receive(MPI_ANY_SOURCE, 7);
    MPI_Request second = start_receive(MPI_ANY_SOURCE, 7);
    message(1, 7);
    message(1, 7);
    mpi.find(first)->complete = false;
    resolve_completed(layer());
    EXPECT_TRUE(matched_orders().empty()) << "the second cannot be resolved before the first";
    mpi.find(first)->complete = true;
    resolve_completed(layer());
    EXPECT_EQ(matched_orders(), (std::vector<std::uint64_t>{0, 1}));
    EXPECT_FALSE(knows(own, 0)) << "the program has not been told";
    wait(first);
    wait(second);
    EXPECT_TRUE(knows(own, 0));
    EXPECT_TRUE(knows(own, 1));
}

TEST_F(Matching, OneThatWasAskedTooEarlyIsAskedAgain) {
    MPI_Request first = start_receive(MPI_ANY_SOURCE, 7);
    MPI_Request second = start_receive(MPI_ANY_SOURCE, 7);
    message(1, 7);
    message(1, 7);
    mpi.find(first)->complete = false;
    mpi.at_look(2, [&] { mpi.find(first)->complete = true; });
    resolve_completed(layer());
    EXPECT_EQ(matched_orders(), (std::vector<std::uint64_t>{0, 1}));
    EXPECT_NE(second, MPI_REQUEST_NULL);
}

TEST_F(Matching, AtTheEndTheProgramCountsAsToldOfWhatHasCompleted) {
    MPI_Request completed = start_receive(MPI_ANY_SOURCE, 7);
    MPI_Request pending = start_receive(MPI_ANY_SOURCE, 8);
    message(1, 7);
    resolve_at_end(layer());
    EXPECT_EQ(matched_orders(), (std::vector<std::uint64_t>{0}));
    EXPECT_EQ(port.shown().size(), 1U);
    EXPECT_NE(completed, pending);
}

// ---- senders that wait ------------------------------------------------------------------------------------

TEST_F(Matching, ASynchronousSenderIsToldWhatTheMatchKnew) {
    layer();
    const auto position = port.arrive(1, {.tag = 7, .synchronous = true});
    mpi.deliver(1, 7);
    receive(MPI_ANY_SOURCE, 7);
    ASSERT_TRUE(port.arrived(1, position).acknowledged.has_value());
    EXPECT_TRUE(port.clock(*port.arrived(1, position).acknowledged).vector.knows(own, 0));
    EXPECT_FALSE(port.is_awaited());
}

TEST_F(Matching, ASynchronousSenderIsToldBeforeTheProgramIs) {
    MPI_Request request = start_receive(1, 7);
    const auto position = port.arrive(1, {.tag = 7, .clock = port.published(knowing({{1, 0}})), .synchronous = true});
    mpi.deliver(1, 7);
    MPI_Send(nullptr, 0, MPI_INT, 2, 0, MPI_COMM_WORLD);  // any call looks which receives have matched
    EXPECT_TRUE(port.arrived(1, position).acknowledged.has_value());
    EXPECT_FALSE(knows(1, 0));
    wait(request);
    EXPECT_TRUE(knows(1, 0));
    EXPECT_EQ(port.logged<ReceivePostedRecord>().size(), 1U) << "what is posted meanwhile depends on it";
    EXPECT_EQ(port.logged<MatchedRecord>().size(), 1U);
}

TEST_F(Matching, AMatchedProbeHoldsTheMessageAndTheReceiveReleasesIt) {
    layer();
    const auto position = port.arrive(1, {.tag = 7, .synchronous = true});
    Call call("MPI_Mprobe");
    const Posting posting = post(layer(), call, world(), 1, 7, EpochKind::matched_probe);
    const TakenMessage taken = resolve_matched_probe(layer(), call, world(), posting, 1, 7);
    EXPECT_TRUE(port.arrived(1, position).held);
    EXPECT_FALSE(port.arrived(1, position).acknowledged.has_value());
    release_held(layer(), taken, {});
    EXPECT_FALSE(port.arrived(1, position).held);
    EXPECT_TRUE(port.arrived(1, position).acknowledged.has_value());
}

// ---- messages on their way --------------------------------------------------------------------------------

class Promised : public Matching {
protected:
    std::optional<TakenMessage> take(int source, int tag) {
        Call call("MPI_Recv");
        const Posting posting = post(layer(), call, world(), source, tag, EpochKind::receive);
        return take_promised(layer(), posting);
    }
};

TEST_F(Promised, APromisedMessageIsTakenBeforeItHasCome) {
    layer();
    const auto position = port.arrive(1, {.tag = 7, .promised = true});
    EXPECT_TRUE(take(1, 7).has_value());
    EXPECT_TRUE(port.arrived(1, position).taken);
}

TEST_F(Promised, AMessageThatIsNotPromisedIsNot) {
    layer();
    port.arrive(1, {.tag = 7});
    EXPECT_FALSE(take(1, 7).has_value());
}

TEST_F(Promised, AWildcardWaitsForMpi) {
    layer();
    port.arrive(1, {.tag = 7, .promised = true});
    EXPECT_FALSE(take(MPI_ANY_SOURCE, 7).has_value());
}

TEST_F(Promised, NothingIsTakenThatAPendingReceiveMayHaveTaken) {
    MPI_Request pending = start_receive(MPI_ANY_SOURCE, 7);
    port.arrive(1, {.tag = 7, .promised = true});
    EXPECT_FALSE(take(1, 7).has_value());
    EXPECT_NE(pending, MPI_REQUEST_NULL);
}

TEST_F(Promised, NothingIsTakenWhereTheOrderOfReceivesIsNotKnown) {
    layer();
    port.arrive(1, {.tag = 7, .promised = true});
    layer().unmodelled_calls = true;
    EXPECT_FALSE(take(1, 7).has_value());
    layer().unmodelled_calls = false;
    layer().multithreaded = true;
    EXPECT_FALSE(take(1, 7).has_value());
}

// ---- probes -----------------------------------------------------------------------------------------------

TEST_F(Matching, AProbeLeavesTheMessageAndTheProgramLearns) {
    const auto position = message(1, 7, knowing({{1, 0}}));
    {
        Call call("MPI_Probe");
        const Posting posting = post(layer(), call, world(), MPI_ANY_SOURCE, 7, EpochKind::probe);
        resolve_probe(layer(), call, world(), posting, 1, 7);
    }
    EXPECT_FALSE(port.arrived(1, position).taken);
    EXPECT_TRUE(knows(1, 0));
    EXPECT_TRUE(knows(own, 0));
    EXPECT_EQ(port.logged<MatchedRecord>().size(), 1U);
    EXPECT_EQ(port.board().messages_received, 0U);
}

// ---- choices ----------------------------------------------------------------------------------------------

TEST_F(Matching, AChoiceIsAnEpochThatTheProgramKnowsOfWhenItHasChosen) {
    Call call("MPI_Waitany");
    const Choice choice = post_choice(layer(), call, EpochKind::wait_any);
    EXPECT_EQ(choice.index, 0U);
    EXPECT_EQ(choice.decision, nullptr);
    EXPECT_FALSE(knows(own, 0));
    choose(layer(), choice, {2}, {clocks::Snapshot(knowing({{3, 1}})), nullptr});
    EXPECT_TRUE(knows(own, 0));
    EXPECT_TRUE(knows(3, 1));
    const auto chosen = port.logged<transport::ChosenRecord>();
    ASSERT_EQ(chosen.size(), 1U);
    EXPECT_EQ(chosen[0].completed, (std::vector<std::uint32_t>{2}));
    EXPECT_FALSE(port.clock(chosen[0].past_clock).vector.knows(own, 0));
}

TEST_F(Matching, AnAnswerOfAPollingProbeStandsForTheEpochOfItsStretch) {
    Call call("MPI_Iprobe");
    const Choice choice = post_polling_probe(layer(), call, world(), MPI_ANY_SOURCE, 7, EpochKind::polling_probe);
    layer().clocks.learn(knowing({{2, 4}}));
    const ProgramThread thread;
    PollingStretch polling{.open = true, .choice = choice, .false_answers = 3, .thread = &thread};
    polling.polls.push_back(
        {.key = {.kind = EpochKind::polling_probe, .spec = {.comm = world().id, .source = base::any_source, .tag = 7}},
         .probe = choice.probe});
    const Posting answer = post_answer(layer(), polling);
    EXPECT_EQ(answer.posted.epoch, choice.index);
    const auto answers = port.logged<transport::AnsweringRecord>();
    ASSERT_EQ(answers.size(), 1U);
    EXPECT_EQ(answers[0].false_answers, 3U);
    EXPECT_TRUE(port.clock(answers[0].posted_clock).vector.knows(2, 4)) << "what it knew when it answered";
    EXPECT_EQ(port.logged<EpochPostedRecord>().size(), 1U);
}

// ---- marks ------------------------------------------------------------------------------------------------

class Types : public Matching {
protected:
    /// A receive of four MPI_INTs takes a message of such data.
    std::size_t differences(const transport::TypedData& sent) {
        MPI_Request request = MPI_REQUEST_NULL;
        EXPECT_EQ(MPI_Irecv(room_, 4, MPI_INT, 1, 7, MPI_COMM_WORLD, &request), MPI_SUCCESS);
        port.arrive(1, {.tag = 7, .data = sent});
        mpi.deliver(1, 7);
        wait(request);
        return port.logged<transport::DifferingTypesRecord>().size();
    }

    transport::TypeTable sender_;
    transport::TypeNumber integer_ =
        sender_.add({.maker = transport::TypeMaker::named,
                     .name = "MPI_INT",
                     .items = {transport::make_item(transport::ItemKind::signed_integer, 4)},
                     .parts = {}});
    transport::TypeNumber real_ = sender_.add({.maker = transport::TypeMaker::named,
                                               .name = "MPI_FLOAT",
                                               .items = {transport::make_item(transport::ItemKind::floating, 4)},
                                               .parts = {}});

private:
    int room_[4] = {};
};

TEST_F(Types, WhatSurelyAgreesIsNotWrittenDown) {
    layer();
    EXPECT_EQ(differences(sender_.data(integer_, 4)), 0U);
    EXPECT_EQ(differences(sender_.data(integer_, 3)), 0U) << "shorter";
    EXPECT_EQ(differences({}), 0U) << "nothing is known of it";
    EXPECT_EQ(port.logged<transport::TypeRecord>().size(), 1U) << "what the receives ask for, once";
}

TEST_F(Types, WhatMayDifferIsWrittenDownOnce) {
    layer();
    EXPECT_EQ(differences(sender_.data(real_, 4)), 1U);
    EXPECT_EQ(port.logged<transport::DifferingTypesRecord>()[0].source, 1);
    EXPECT_EQ(port.logged<transport::DifferingTypesRecord>()[0].sent.type, real_);
    EXPECT_EQ(differences(sender_.data(real_, 2)), 2U) << "shorter, but not so";
    EXPECT_EQ(differences(sender_.data(integer_, 5)), 3U) << "longer: the outside knows";
}

class ReadySends : public Matching {
protected:
    ReadySends() { port.terms_to_be().marks = transport::mark_postings; }

    void receive_ready(const clocks::Clock& clock) {
        MPI_Request request = start_receive(1, 7);
        port.arrive(1, {.tag = 7, .clock = port.published(clock), .ready = true});
        mpi.deliver(1, 7);
        wait(request);
    }
};

TEST_F(ReadySends, AReadySenderThatDidNotKnowOfTheReceiveIsWrittenDown) {
    layer();
    receive_ready({});
    const auto unsure = port.logged<UnsureReadyRecord>();
    ASSERT_EQ(unsure.size(), 1U);
    EXPECT_EQ(unsure[0].source, 1);
    EXPECT_EQ(unsure[0].tag, 7);
}

TEST_F(ReadySends, OneThatKnewIsNot) {
    layer();
    clocks::Clock knew;
    knew.vector.add(clocks::postings_of(own), 0);
    receive_ready(knew);
    EXPECT_TRUE(port.logged<UnsureReadyRecord>().empty());
}

TEST_F(ReadySends, WhereThereMayBeOrdersThatNobodyFollowsNothingIsSaidForSure) {
    port.terms_to_be().marks = transport::mark_postings | transport::marks_doubtful;
    layer();
    receive_ready({});
    EXPECT_TRUE(port.logged<UnsureReadyRecord>().empty());
    EXPECT_EQ(not_modelled("ready sends: is the receive posted"), 1U);
}

TEST_F(Matching, WhoReceivesABufferedMessageKnowsThatItHasLeftTheBuffer) {
    port.terms_to_be().marks = transport::mark_buffered;
    layer();
    port.arrive(1, {.tag = 7, .buffered = 1 + 4});
    mpi.deliver(1, 7);
    receive(1, 7);
    EXPECT_TRUE(layer().clocks.now()->clock.vector.knows(clocks::buffered_of(1), 4));
    EXPECT_FALSE(layer().clocks.now()->clock.vector.knows(clocks::buffered_of(1), 3));
}

// ---- with a library that says which message it was --------------------------------------------------------

/// A patched library whose values are what the test writes.
class WithValues : public Matching {
protected:
    WithValues() {
        library_values_detail::library.value = [](std::uint64_t) {};
        library_values_detail::library.bind = [](MPI_Request handle, dampi_mpich_values* values) {
            bound_[handle] = values;
        };
    }
    ~WithValues() override {
        library_values_detail::library = {};
        bound_.clear();
    }

    static void write(MPI_Request handle, base::Rank source, std::uint64_t position) {
        bound_.at(handle)->message = value_of(Named{.rank = source, .number = position});
    }

    static inline std::map<MPI_Request, dampi_mpich_values*> bound_;
};

TEST_F(WithValues, WhatTheLibraryHasWrittenIsEnoughToResolveAReceive) {
    MPI_Request request = start_receive(MPI_ANY_SOURCE, MPI_ANY_TAG);
    const auto position = message(2, 7, {}, false);
    write(request, 2, position);
    resolve_told(layer());
    const auto matched = port.logged<MatchedRecord>();
    ASSERT_EQ(matched.size(), 1U);
    EXPECT_EQ(matched[0].source, 2);
    EXPECT_EQ(matched[0].tag, 7);
    EXPECT_TRUE(port.arrived(2, position).taken);
    EXPECT_EQ(mpi.calls("PMPI_Request_get_status"), 0U);
}

TEST_F(WithValues, WithoutAValueNothingIsAskedOfMpi) {
    MPI_Request request = start_receive(MPI_ANY_SOURCE, MPI_ANY_TAG);
    message(2, 7);
    resolve_told(layer());
    EXPECT_TRUE(port.logged<MatchedRecord>().empty());
    EXPECT_NE(request, MPI_REQUEST_NULL);
}

TEST_F(WithValues, WhereTheLayerDoesNotSeeAllReceivesTheValueSaysWhichMessageItWas) {
    MPI_Request request = start_receive(1, 7);
    const auto of_another = message(1, 7, {}, false);  // taken by a receive that nobody has seen
    const auto own_message = message(1, 7);
    layer().unmodelled_calls = true;
    write(request, 1, own_message);
    wait(request);
    EXPECT_FALSE(port.arrived(1, of_another).taken);
    EXPECT_TRUE(port.arrived(1, own_message).taken);
}

}  // namespace
}  // namespace dampi::piggyback::distributed
