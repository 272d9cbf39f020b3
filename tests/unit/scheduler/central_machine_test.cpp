#include "scheduler/engines/central/machine.hpp"

#include "replay/pinned_outcomes.hpp"
#include "scheduler/judgement/stuck_ranks.hpp"
#include "transport/collective_operation.hpp"

#include <limits>
#include <memory>

#include <gtest/gtest.h>

namespace dampi::scheduler::central {
namespace {

using namespace transport::requests;
using transport::Collective;
using transport::CollectiveForm;

constexpr auto everything_is_buffered = std::numeric_limits<std::uint64_t>::max();

/// A machine, and calls in short.
class Ranks {
public:
    explicit Ranks(int processes, std::uint64_t waits_from = everything_is_buffered,
                   std::vector<replay::Decision> decisions = {})
        : machine({.processes = processes, .waits_from = waits_from, .compares_states = true},
                  std::make_shared<const std::vector<replay::Decision>>(std::move(decisions))) {}

    Operation send(Rank rank, Rank to, Tag tag, SendMode mode = SendMode::standard) {
        SendCall call;
        call.operation = ++next;
        call.comm = base::world_comm;
        call.destination = to;
        call.tag = tag;
        call.mode = mode;
        call.bytes = 4;
        EXPECT_TRUE(machine.take(rank, call));
        return call.operation;
    }
    Operation receive(Rank rank, Rank from, Tag tag) {
        ReceiveCall call;
        call.operation = ++next;
        call.comm = base::world_comm;
        call.source = from;
        call.tag = tag;
        EXPECT_TRUE(machine.take(rank, call));
        return call.operation;
    }
    Operation collective(Rank rank, Collective which, Sources sources, Rank root = -1) {
        CollectiveCall call;
        call.operation = ++next;
        call.comm = base::world_comm;
        call.collective = operation_number(which, CollectiveForm::blocking);
        call.root = root;
        call.sources = sources;
        EXPECT_TRUE(machine.take(rank, call));
        return call.operation;
    }
    void cancel(Rank rank, Operation operation) {
        CancelCall call;
        call.operation = operation;
        call.situation.function = "MPI_Cancel";
        EXPECT_TRUE(machine.take(rank, call));
    }
    void wait(Rank rank, WaitMode mode, std::vector<Operation> operations) {
        WaitCall call;
        call.mode = mode;
        call.operations = std::move(operations);
        call.situation.function = "MPI_Wait";
        EXPECT_TRUE(machine.take(rank, call));
    }
    /// The rank's answer; it must be there.
    Answer answer(Rank rank) {
        for (Machine::Reply& reply : machine.take_replies()) {
            replies.push_back(std::move(reply));
        }
        for (std::size_t i = 0; i < replies.size(); ++i) {
            if (replies[i].rank == rank) {
                Answer found = std::move(replies[i].answer);
                replies.erase(replies.begin() + static_cast<std::ptrdiff_t>(i));
                return found;
            }
        }
        ADD_FAILURE() << "rank " << rank << " still waits";
        return {};
    }

    Machine machine;
    Operation next = 0;
    std::vector<Machine::Reply> replies;
};

TEST(CentralMachine, AMessageGoesToTheFirstReceiveThatFits) {
    Ranks ranks(2);
    const Operation first = ranks.receive(0, 1, 7);
    const Operation second = ranks.receive(0, 1, base::any_tag);
    ranks.send(1, 0, 3);
    ranks.send(1, 0, 7);
    ranks.wait(0, WaitMode::all, {first, second});
    const Answer answer = ranks.answer(0);
    ASSERT_EQ(answer.completions.size(), 2U);
    EXPECT_EQ(answer.completions[0].tag, 7);
    EXPECT_EQ(answer.completions[1].tag, 3);
    EXPECT_EQ(answer.completions[1].source, 1);
}

TEST(CentralMachine, AWildcardIsMatchedWhenItIsChosen) {
    Ranks ranks(3);
    const Operation any = ranks.receive(0, base::any_source, 0);
    const Operation named = ranks.receive(0, 1, 0);
    ranks.send(1, 0, 0);
    ranks.wait(0, WaitMode::all, {any});
    EXPECT_TRUE(ranks.machine.waits(0));
    EXPECT_FALSE(ranks.machine.all_at_fences());
    ranks.send(2, 0, 0);
    ranks.machine.end(1);
    ranks.machine.end(2);
    ASSERT_TRUE(ranks.machine.all_at_fences());
    ASSERT_TRUE(ranks.machine.choose());
    EXPECT_EQ(ranks.answer(0).completions.at(0).source, 1);
    // The other one from rank 1 does not come.
    ranks.wait(0, WaitMode::all, {named});
    EXPECT_FALSE(ranks.machine.choose());
    EXPECT_FALSE(ranks.machine.release_poll());
    EXPECT_TRUE(stuck_ranks(ranks.machine.states(), Polling::waits)[0]);
    const auto epochs = ranks.machine.finish();
    ASSERT_EQ(epochs[0].size(), 1U);
    ASSERT_EQ(epochs[0][0].epoch.potential_matches.size(), 1U);
    EXPECT_EQ(epochs[0][0].epoch.potential_matches[0].source, 2);
}

TEST(CentralMachine, ADecisionIsObeyed) {
    replay::Decision decision;
    decision.epoch = {0, 0};
    decision.comm = base::world_comm;
    decision.tag = 0;
    decision.outcome.source = 2;
    Ranks ranks(3, everything_is_buffered, {decision});
    const Operation any = ranks.receive(0, base::any_source, 0);
    ranks.send(1, 0, 0);
    ranks.wait(0, WaitMode::all, {any});
    EXPECT_TRUE(ranks.machine.take_replies().empty());
    ranks.send(2, 0, 0);
    EXPECT_EQ(ranks.answer(0).completions.at(0).source, 2);
}

replay::Decision cancelled_too_late(std::uint32_t index) {
    replay::Decision decision;
    decision.epoch = {0, index};
    decision.kind = replay::EpochKind::cancel;
    decision.outcome.completed = {0};
    return decision;
}

TEST(CentralMachine, ACancelledReceiveLeavesItsMessageToOthers) {
    Ranks ranks(2);
    const Operation cancelled = ranks.receive(0, 1, 0);
    ranks.send(1, 0, 0);
    ranks.send(1, 0, 0);
    ranks.cancel(0, cancelled);
    ranks.wait(0, WaitMode::all, {cancelled});
    EXPECT_EQ(ranks.answer(0).completions.at(0).cancelled, 1U);
    ranks.wait(0, WaitMode::all, {ranks.receive(0, 1, 0)});
    EXPECT_EQ(ranks.answer(0).completions.at(0).source, 1);
    EXPECT_EQ(ranks.machine.open_messages().size(), 1U);
    EXPECT_EQ(ranks.machine.open_messages().at(0).number, 1U) << "the first one is received";
    EXPECT_EQ(ranks.machine.raced_cancels(), 0U) << "what else could have come is explored";
    const auto epochs = ranks.machine.finish();
    ASSERT_EQ(epochs[0].size(), 1U);
    EXPECT_TRUE(epochs[0][0].epoch.outcome->completed.empty());
    EXPECT_EQ(epochs[0][0].epoch.completable.size(), 1U) << "it could have come too late";
}

TEST(CentralMachine, ACancelMayHaveToComeTooLate) {
    Ranks ranks(2, everything_is_buffered, {cancelled_too_late(0)});
    const Operation late = ranks.receive(0, 1, 0);
    ranks.cancel(0, late);
    ranks.wait(0, WaitMode::all, {late});
    EXPECT_TRUE(ranks.machine.take_replies().empty());
    ranks.send(1, 0, 0);
    EXPECT_EQ(ranks.answer(0).completions.at(0).cancelled, 0U);
    EXPECT_EQ(ranks.machine.raced_cancels(), 0U);
    const auto epochs = ranks.machine.finish();
    EXPECT_EQ(epochs[0].at(0).epoch.outcome->completed, (std::vector<std::uint32_t>{0}));
}

TEST(CentralMachine, WhatKnowsOfACancelHasNotRacedWithIt) {
    Ranks ranks(2);
    const Operation cancelled = ranks.receive(0, 1, 0);
    ranks.cancel(0, cancelled);
    ranks.send(0, 1, 1);
    ranks.wait(1, WaitMode::all, {ranks.receive(1, 0, 1)});
    ranks.answer(1);
    ranks.send(1, 0, 0);
    EXPECT_EQ(ranks.machine.raced_cancels(), 0U);
    EXPECT_TRUE(ranks.machine.finish()[0].at(0).epoch.completable.empty());
}

TEST(CentralMachine, WhatElseBecomesOfACancelIsNotAlwaysKnown) {
    const auto raced = [](auto post_another, SendMode mode) {
        Ranks ranks(2);
        const Operation receive = ranks.receive(0, 1, 0);
        post_another(ranks);
        ranks.send(1, 0, 0, mode);
        ranks.cancel(0, receive);
        (void)ranks.machine.finish();
        return ranks.machine.raced_cancels();
    };
    EXPECT_EQ(raced([](Ranks&) {}, SendMode::standard), 0U);
    EXPECT_EQ(raced([](Ranks& ranks) { ranks.receive(0, 1, 5); }, SendMode::standard), 0U);
    EXPECT_EQ(raced([](Ranks& ranks) { ranks.receive(0, 1, base::any_tag); }, SendMode::standard), 1U)
        << "that one could take the message";
    EXPECT_EQ(raced([](Ranks& ranks) { ranks.receive(0, base::any_source, 0); }, SendMode::standard), 1U);
    EXPECT_EQ(raced([](Ranks&) {}, SendMode::synchronous), 1U) << "the sender has heard of the match";
}

TEST(CentralMachine, WithoutBuffersTwoSendsWaitForEachOther) {
    Ranks ranks(2, 0);
    ranks.wait(0, WaitMode::all, {ranks.send(0, 1, 0)});
    ranks.wait(1, WaitMode::all, {ranks.send(1, 0, 0)});
    EXPECT_TRUE(ranks.machine.all_at_fences());
    EXPECT_FALSE(ranks.machine.choose());
    const auto states = ranks.machine.states();
    EXPECT_EQ(stuck_ranks(states, Polling::goes_on), (std::vector{true, true}));
    EXPECT_EQ(states[0].waits.at(0).peer, 1);
    EXPECT_EQ(ranks.machine.open_messages().size(), 2U);
}

TEST(CentralMachine, APollAnswersFalseOnlyWhenItIsReleased) {
    Ranks ranks(2);
    const Operation receive = ranks.receive(0, 1, 0);
    ranks.wait(0, WaitMode::test, {receive});
    EXPECT_TRUE(ranks.machine.polls(0));
    ASSERT_TRUE(ranks.machine.release_poll());
    EXPECT_EQ(ranks.answer(0).flag, 0U);
    ranks.wait(0, WaitMode::test, {receive});
    ranks.send(1, 0, 0);
    EXPECT_EQ(ranks.answer(0).flag, 1U);
    const auto epochs = ranks.machine.finish();
    ASSERT_EQ(epochs[0].size(), 1U);
    EXPECT_EQ(epochs[0][0].epoch.outcome->false_answers, 1U);
}

TEST(CentralMachine, ARankLeavesACollectiveWhenItsSourcesHaveEntered) {
    Ranks ranks(3);
    const Operation root = ranks.collective(0, Collective::bcast, Sources::none, 0);
    ranks.wait(0, WaitMode::all, {root});
    EXPECT_TRUE(ranks.answer(0).completions.at(0).parts.empty());
    const Operation barrier = ranks.collective(0, Collective::barrier, Sources::everyone);
    ranks.wait(0, WaitMode::all, {barrier});
    for (Rank rank = 1; rank < 3; ++rank) {
        CollectiveCall call;
        call.operation = ++ranks.next;
        call.comm = base::world_comm;
        call.collective = operation_number(Collective::bcast, CollectiveForm::blocking);
        call.root = 0;
        call.sources = Sources::listed;
        call.listed = {0};
        ASSERT_TRUE(ranks.machine.take(rank, call));
        ranks.wait(rank, WaitMode::all, {call.operation});
        EXPECT_EQ(ranks.answer(rank).completions.at(0).parts.size(), 1U);
        ranks.wait(rank, WaitMode::all, {ranks.collective(rank, Collective::barrier, Sources::everyone)});
    }
    EXPECT_EQ(ranks.answer(0).completions.at(0).parts.size(), 2U);
    EXPECT_TRUE(ranks.machine.mismatches().empty());
}

TEST(CentralMachine, NobodyComesOutOfACollectiveInWhichRanksContradictEachOther) {
    Ranks ranks(2);
    ranks.wait(0, WaitMode::all, {ranks.collective(0, Collective::barrier, Sources::everyone)});
    ranks.wait(1, WaitMode::all, {ranks.collective(1, Collective::allreduce, Sources::everyone)});
    EXPECT_TRUE(ranks.machine.take_replies().empty());
    ASSERT_EQ(ranks.machine.mismatches().size(), 1U);
    EXPECT_EQ(ranks.machine.parts(base::world_comm, 0).size(), 2U);
    EXPECT_EQ(stuck_ranks(ranks.machine.states(), Polling::waits), (std::vector{true, true}));
}

/// A machine in which each rank has room for two of the messages that Ranks sends.
Ranks with_room_for_two(int processes) {
    Ranks ranks(processes);
    ranks.machine =
        Machine({.processes = processes, .room = 8}, std::make_shared<const std::vector<replay::Decision>>());
    return ranks;
}

TEST(CentralMachine, ASendWaitsUntilThereIsRoom) {
    Ranks ranks = with_room_for_two(3);
    const Operation sends[] = {ranks.send(0, 1, 0), ranks.send(0, 1, 0), ranks.send(0, 2, 0)};
    ranks.wait(0, WaitMode::all, {sends[0], sends[1]});
    EXPECT_EQ(ranks.answer(0).completions.size(), 2U) << "these two fit";
    ranks.wait(0, WaitMode::all, {sends[2]});
    const Operation unlike = ranks.receive(1, 0, 7);
    EXPECT_TRUE(ranks.machine.waits(0));
    ranks.wait(1, WaitMode::all, {unlike});
    ranks.machine.end(2);
    EXPECT_EQ(stuck_ranks(ranks.machine.states(), Polling::waits), (std::vector{true, true, false}));
}

TEST(CentralMachine, AChoiceThatIsToComeMayMakeRoom) {
    Ranks ranks = with_room_for_two(2);
    ranks.receive(0, base::any_source, 0);
    ranks.send(1, 0, 0);
    ranks.send(1, 0, 1);
    const Operation third = ranks.send(1, 0, 2);
    ranks.wait(1, WaitMode::all, {third});
    const Operation never_received = ranks.send(0, 1, 0, SendMode::synchronous);
    ranks.wait(0, WaitMode::all, {never_received});
    EXPECT_EQ(stuck_ranks(ranks.machine.states(), Polling::waits), (std::vector{false, false}));
    ASSERT_TRUE(ranks.machine.choose());
    ranks.answer(1);
}

TEST(CentralMachine, RoomIsMadeByAnyReceiveOfAnEarlierMessage) {
    Ranks ranks = with_room_for_two(3);
    ranks.send(0, 1, 0);
    ranks.send(0, 1, 1);
    const Operation third = ranks.send(0, 2, 0);
    ranks.wait(0, WaitMode::all, {third});
    ASSERT_TRUE(ranks.machine.waits(0));
    EXPECT_EQ(ranks.machine.states()[0].waits.front().providers, (std::vector<Rank>{1, 2}));
    ranks.receive(1, 0, 1);
    EXPECT_EQ(ranks.answer(0).completions.size(), 1U);
}

TEST(CentralMachine, AMessageThatNeverFitsWaitsForItsReceiveAndKeepsNoOtherBack) {
    Ranks ranks = with_room_for_two(2);
    SendCall large;
    large.operation = 100;
    large.comm = base::world_comm;
    large.destination = 1;
    large.tag = 5;
    large.bytes = 9;
    ASSERT_TRUE(ranks.machine.take(0, large));
    const Operation small = ranks.send(0, 1, 0);
    ranks.wait(0, WaitMode::all, {small});
    EXPECT_EQ(ranks.answer(0).completions.size(), 1U);
    ranks.wait(0, WaitMode::all, {100});
    EXPECT_TRUE(ranks.machine.waits(0));
    ranks.receive(1, 0, 5);
    EXPECT_EQ(ranks.answer(0).completions.size(), 1U);
}

TEST(CentralMachine, MessagesInOtherModesTakeNoRoom) {
    Ranks ranks = with_room_for_two(2);
    ranks.send(0, 1, 0, SendMode::buffered);
    ranks.send(0, 1, 0, SendMode::synchronous);
    const Operation sends[] = {ranks.send(0, 1, 0), ranks.send(0, 1, 0)};
    ranks.wait(0, WaitMode::all, {sends[0], sends[1]});
    EXPECT_EQ(ranks.answer(0).completions.size(), 2U);
}

TEST(CentralMachine, APairIsCompleteWhenBothAre) {
    Ranks ranks(2, 0);  // nothing is buffered
    PairCall pair;
    pair.send = ranks.send(0, 1, 0);
    pair.receive = ranks.receive(0, 1, 0);
    pair.operation = ++ranks.next;
    ASSERT_TRUE(ranks.machine.take(0, pair));
    ranks.wait(0, WaitMode::all, {pair.operation});
    ranks.send(1, 0, 0);
    EXPECT_TRUE(ranks.machine.waits(0)) << "nobody has received what it sends";
    EXPECT_EQ(ranks.machine.states()[0].waits.size(), 1U);
    ranks.receive(1, 0, 0);
    const Answer answer = ranks.answer(0);
    ASSERT_EQ(answer.completions.size(), 1U);
    EXPECT_EQ(answer.completions[0].operation, pair.operation);
    EXPECT_EQ(answer.completions[0].source, 1) << "what is said of it is said of the receive";
}

TEST(CentralMachine, NobodyWaitsForAPartOfAPair) {
    Ranks ranks(2);
    PairCall pair;
    pair.send = ranks.send(0, 1, 0);
    pair.receive = ranks.receive(0, 1, 0);
    pair.operation = ++ranks.next;
    PairCall crossed = pair;
    std::swap(crossed.send, crossed.receive);
    EXPECT_FALSE(ranks.machine.take(0, crossed));
    ASSERT_TRUE(ranks.machine.take(0, pair));
    EXPECT_FALSE(ranks.machine.take(0, pair));
    WaitCall wait;
    wait.operations = {pair.receive};
    EXPECT_FALSE(ranks.machine.take(0, wait));
}

TEST(CentralMachine, AFreedPairGoesOn) {
    Ranks ranks(2);
    PairCall pair;
    pair.send = ranks.send(0, 1, 0);
    pair.receive = ranks.receive(0, 1, 0);
    pair.operation = ++ranks.next;
    ASSERT_TRUE(ranks.machine.take(0, pair));
    ASSERT_TRUE(ranks.machine.take(0, FreeCall{pair.operation}));
    ranks.send(1, 0, 0);
    const Operation other = ranks.receive(0, 1, 9);
    ranks.send(1, 0, 9);
    ranks.wait(0, WaitMode::all, {other});
    const Answer answer = ranks.answer(0);
    ASSERT_EQ(answer.completions.size(), 2U);
    EXPECT_EQ(answer.completions[1].operation, pair.receive);
    EXPECT_EQ(answer.completions[1].freed, 1U);
}

TEST(CentralMachine, ACommunicatorThatAllHaveFreedIsForgotten) {
    Ranks ranks(2);
    CommunicatorCall made;
    made.comm = 77;
    made.members = {0, 1};
    for (const Rank rank : {0, 1}) {
        ASSERT_TRUE(ranks.machine.take(rank, made));
    }
    SendCall send;
    send.operation = 1;
    send.comm = 77;
    send.destination = 1;
    ASSERT_TRUE(ranks.machine.take(0, send));
    const CommunicatorFreedCall freed{.comm = 77};
    ASSERT_TRUE(ranks.machine.take(0, freed));
    EXPECT_NE(ranks.machine.members(77), nullptr);
    ASSERT_TRUE(ranks.machine.take(1, freed));
    EXPECT_NE(ranks.machine.members(77), nullptr) << "a message is still to be received";
    made.comm = send.comm = 78;
    for (const Rank rank : {0, 1}) {
        ASSERT_TRUE(ranks.machine.take(rank, made));
    }
    for (const Rank rank : {1, 0}) {
        ASSERT_TRUE(ranks.machine.take(rank, CommunicatorFreedCall{.comm = 78}));
    }
    EXPECT_EQ(ranks.machine.members(78), nullptr);
    EXPECT_FALSE(ranks.machine.take(0, send)) << "nothing begins there any more";
    EXPECT_FALSE(ranks.machine.take(0, CommunicatorFreedCall{.comm = base::world_comm}));
}

TEST(CentralMachine, DetachingWaitsOnlyForLargeMessages) {
    Ranks ranks(2);
    ranks.machine = Machine({.processes = 2, .waits_from = 100, .detach_waits_from = 100},
                            std::make_shared<const std::vector<replay::Decision>>());
    ranks.send(0, 1, 0, SendMode::buffered);
    ASSERT_TRUE(ranks.machine.take(0, DetachCall{}));
    EXPECT_TRUE(ranks.answer(0).completions.empty());
    SendCall large;
    large.comm = base::world_comm;
    large.destination = 1;
    large.tag = 5;
    large.mode = SendMode::buffered;
    large.bytes = 100;
    ASSERT_TRUE(ranks.machine.take(0, large));
    ASSERT_TRUE(ranks.machine.take(0, DetachCall{}));
    EXPECT_TRUE(ranks.machine.waits(0));
    ranks.receive(1, 0, 5);
    EXPECT_FALSE(ranks.machine.waits(0));
}

TEST(CentralMachine, CallsThatMakeNoSenseAreRefused) {
    Ranks ranks(2);
    SendCall send;
    send.operation = 1;
    send.comm = base::world_comm;
    send.destination = 2;
    EXPECT_FALSE(ranks.machine.take(0, send));
    send.destination = 1;
    send.comm = 77;
    EXPECT_FALSE(ranks.machine.take(0, send));
    WaitCall wait;
    wait.operations = {5};
    EXPECT_FALSE(ranks.machine.take(0, wait));
    CommunicatorCall made;
    made.comm = 99;
    made.members = {0, 0};
    EXPECT_FALSE(ranks.machine.take(0, made));
    made.members = {1};
    EXPECT_FALSE(ranks.machine.take(0, made));
}

TEST(CentralMachine, ACopyGoesOnForItself) {
    Ranks ranks(3);
    const Operation any = ranks.receive(0, base::any_source, 0);
    ranks.send(1, 0, 0);
    ranks.send(2, 0, 0);
    ranks.wait(0, WaitMode::all, {any});
    Machine copy = ranks.machine;
    ASSERT_TRUE(ranks.machine.choose());
    EXPECT_EQ(ranks.answer(0).completions.size(), 1U);
    EXPECT_TRUE(copy.waits(0));
    EXPECT_TRUE(copy.take_replies().empty());
    ASSERT_TRUE(copy.choose());
    EXPECT_EQ(copy.take_replies().size(), 1U);
}

/// Rank 0's first epoch, a wildcard receive, comes to the first message from this rank.
std::vector<replay::Decision> first_from(Rank source) {
    replay::Decision decision;
    decision.epoch = {0, 0};
    decision.comm = base::world_comm;
    decision.tag = 0;
    decision.outcome.source = source;
    return {decision};
}

TEST(CentralMachine, AnotherRunMayDecideWhatIsOpen) {
    Ranks ranks(3);
    const Operation any = ranks.receive(0, base::any_source, 0);
    const Operation named = ranks.receive(0, 1, 0);
    ranks.send(1, 0, 0);
    ranks.send(2, 0, 0);
    ranks.wait(0, WaitMode::all, {any, named});
    ranks.machine.end(1);
    ranks.machine.end(2);
    ASSERT_TRUE(ranks.machine.may_choose());
    EXPECT_TRUE(ranks.machine.agrees({}));
    EXPECT_TRUE(ranks.machine.agrees(first_from(1)));
    EXPECT_TRUE(ranks.machine.agrees(first_from(2)));
    EXPECT_FALSE(ranks.machine.agrees(first_from(3))) << "there is no such rank";
    auto other_tag = first_from(2);
    other_tag[0].tag = 1;
    EXPECT_FALSE(ranks.machine.agrees(other_tag));

    // The wildcard takes the message of rank 2, so that of rank 1 goes to the other one.
    Machine other = ranks.machine;
    other.decide(std::make_shared<const std::vector<replay::Decision>>(first_from(2)), 0);
    EXPECT_FALSE(other.may_choose());
    const auto replies = other.take_replies();
    ASSERT_EQ(replies.size(), 1U);
    ASSERT_EQ(replies[0].answer.completions.size(), 2U);
    EXPECT_EQ(replies[0].answer.completions[0].source, 2);
    EXPECT_EQ(replies[0].answer.completions[1].source, 1);
    const auto epochs = other.finish();
    EXPECT_TRUE(epochs[0].at(0).epoch.forced);

    // The first run goes on as if nothing had been.
    ASSERT_TRUE(ranks.machine.choose());
    EXPECT_FALSE(ranks.machine.finish()[0].at(0).epoch.forced);
}

TEST(CentralMachine, AnotherRunMustDecideWhatHasBeenChosen) {
    Ranks ranks(3);
    const Operation any = ranks.receive(0, base::any_source, 0);
    const Operation other = ranks.receive(0, base::any_source, 1);
    ranks.send(1, 0, 0);
    ranks.send(2, 0, 0);
    ranks.wait(0, WaitMode::all, {other});
    ranks.machine.end(2);
    ASSERT_TRUE(ranks.machine.choose());
    // It has matched, but the program and the clocks do not know.
    ranks.wait(1, WaitMode::all, {ranks.receive(1, 0, 0)});
    EXPECT_FALSE(ranks.machine.agrees({}));
    EXPECT_TRUE(ranks.machine.agrees(first_from(1)));
    EXPECT_FALSE(ranks.machine.agrees(first_from(2)));
    auto second_message = first_from(1);
    second_message[0].outcome.number = 1;
    EXPECT_FALSE(ranks.machine.agrees(second_message));
    auto open = first_from(1);
    open[0].open = true;
    EXPECT_FALSE(ranks.machine.agrees(open));
    (void)any;
}

TEST(CentralMachine, AnotherRunMayAskAPollMoreOften) {
    Ranks ranks(2);
    const Operation receive = ranks.receive(0, 1, 0);
    ranks.wait(0, WaitMode::test, {receive});
    ASSERT_TRUE(ranks.machine.release_poll());
    EXPECT_EQ(ranks.answer(0).flag, 0U);
    ranks.wait(0, WaitMode::test, {receive});
    ranks.wait(1, WaitMode::all, {ranks.receive(1, 0, 0)});
    replay::Decision decision;
    decision.epoch = {0, 0};
    decision.kind = replay::EpochKind::test;
    decision.tag = base::any_tag;
    decision.outcome.completed = {0};
    EXPECT_FALSE(ranks.machine.agrees({decision})) << "it has been answered once";
    decision.outcome.false_answers = 1;
    EXPECT_TRUE(ranks.machine.agrees({decision}));
    decision.outcome.completed = {3};
    EXPECT_FALSE(ranks.machine.agrees({decision})) << "there is no such request";
    decision.outcome.completed = {};
    EXPECT_FALSE(ranks.machine.agrees({decision})) << "it asks again";
    decision.outcome.false_answers = 2;
    EXPECT_TRUE(ranks.machine.agrees({decision}));
    ranks.machine.decide(std::make_shared<const std::vector<replay::Decision>>(std::vector{decision}), 0);
    EXPECT_EQ(ranks.answer(0).flag, 0U);
    EXPECT_FALSE(ranks.machine.waits(0));
}

TEST(CentralMachine, ARunThatIsToAnswerAPollSoKeepsItWaiting) {
    replay::Decision decision;
    decision.epoch = {0, 0};
    decision.kind = replay::EpochKind::test;
    decision.tag = base::any_tag;
    decision.outcome.completed = {0};
    decision.outcome.false_answers = 2;
    Ranks ranks(2, everything_is_buffered, {decision});
    const Operation receive = ranks.receive(0, 1, 0);
    ranks.send(1, 0, 0);
    for (unsigned answered = 1; answered <= 2; ++answered) {
        ranks.wait(0, WaitMode::test, {receive});
        EXPECT_EQ(ranks.answer(0).flag, 0U) << answered;
        EXPECT_EQ(ranks.machine.kept_waiting(), answered);
    }
    ranks.wait(0, WaitMode::test, {receive});
    EXPECT_EQ(ranks.answer(0).flag, 1U);
    const Operation other = ranks.receive(0, 1, 0);
    ranks.wait(0, WaitMode::test, {other});
    ASSERT_TRUE(ranks.machine.release_poll());
    EXPECT_EQ(ranks.machine.kept_waiting(), 2U) << "nothing is there";
}

// Who polls in vain for long need not ask each time, and all his answers count.
TEST(CentralMachine, AfterManyFalseAnswersOthersComeUnasked) {
    Ranks ranks(2);
    const Operation receive = ranks.receive(0, 1, 0);
    const auto ask = [&] { ranks.wait(0, WaitMode::test, {receive}); };
    std::uint32_t false_answers = 0;
    std::uint32_t unasked = 0;
    for (; unasked == 0; ++false_answers) {
        ASSERT_LT(false_answers, 200U);
        ask();
        ASSERT_TRUE(ranks.machine.release_poll(0, 8));
        unasked = ranks.answer(0).unasked;
    }
    EXPECT_EQ(unasked, 7U);
    EXPECT_FALSE(ranks.machine.take(0, UnaskedCall{.false_answers = unasked + 1})) << "that was not said";
    EXPECT_TRUE(ranks.machine.take(0, UnaskedCall{.false_answers = 5}));
    EXPECT_FALSE(ranks.machine.take(0, UnaskedCall{.false_answers = 1})) << "it has told already";
    ask();
    EXPECT_FALSE(ranks.machine.take(0, UnaskedCall{.false_answers = 1})) << "it waits";
    ASSERT_TRUE(ranks.machine.release_poll(0, 8));
    EXPECT_EQ(ranks.answer(0).unasked, 7U);
    ranks.wait(0, WaitMode::all, {receive});
    const auto& outcome = ranks.machine.record(0).epochs().at(0).epoch.outcome;
    ASSERT_TRUE(outcome.has_value());
    EXPECT_EQ(outcome->false_answers, false_answers + 6);
    EXPECT_FALSE(ranks.machine.take(0, UnaskedCall{.false_answers = 1})) << "it polls no more";
}

TEST(CentralMachine, WhetherAStretchIsRepeatedIsTriedWhereNothingIsDecided) {
    replay::Decision decision;
    decision.epoch = {0, 0};
    decision.kind = replay::EpochKind::test;
    decision.outcome.completed = {0};
    Ranks ranks(2, everything_is_buffered, {decision});
    const auto ask = [&](Operation operation) {
        WaitCall call;
        call.mode = WaitMode::test;
        call.operations = {operation};
        call.turn = {.begins = 1, .may_be_tried = 1};
        EXPECT_TRUE(ranks.machine.take(0, call));
    };
    EXPECT_FALSE(ranks.machine.take(0, RepetitionCall{})) << "nobody has asked";
    const Operation first = ranks.receive(0, 1, 0);
    ranks.send(1, 0, 0);
    ask(first);
    EXPECT_EQ(ranks.answer(0).what, Answer::What::result) << "it is decided";

    const Operation second = ranks.receive(0, 1, 0);
    ask(second);
    EXPECT_EQ(ranks.answer(0).what, Answer::What::repetition);
    EXPECT_FALSE(ranks.machine.waits(0));
    EXPECT_FALSE(ranks.machine.all_at_fences());
    EXPECT_TRUE(ranks.machine.take(
        0, RepetitionCall{.repetition = static_cast<std::uint32_t>(replay::Repetition::unchanged), .round = 1}));
    EXPECT_TRUE(ranks.machine.waits(0));
    ASSERT_EQ(ranks.machine.record(0).epochs().size(), 2U);
    EXPECT_EQ(ranks.machine.record(0).epochs()[0].epoch.repetition, replay::Repetition::not_tried);
    EXPECT_EQ(ranks.machine.record(0).epochs()[1].epoch.repetition, replay::Repetition::unchanged);
    ASSERT_TRUE(ranks.machine.release_poll(0, 1));
    EXPECT_EQ(ranks.answer(0).flag, 0U);
}

TEST(CentralMachine, AStretchThatSettlesAnswersNothingYetUntilItRepeatsItself) {
    Ranks ranks(2, everything_is_buffered);
    const Operation operation = ranks.receive(0, 1, 0);
    ranks.send(1, 0, 0);
    const auto ask = [&](const PollingTurn& turn) {
        WaitCall call;
        call.mode = WaitMode::test;
        call.operations = {operation};
        call.turn = turn;
        EXPECT_TRUE(ranks.machine.take(0, call));
    };
    const RepetitionCall settles{
        .repetition = static_cast<std::uint32_t>(replay::Repetition::settles), .turns_after = 2, .round = 1};
    ask({.begins = 1, .may_be_tried = 1});
    EXPECT_EQ(ranks.answer(0).what, Answer::What::repetition);
    EXPECT_TRUE(ranks.machine.take(0, settles));
    for (int answers = 0; answers < 2; ++answers) {
        EXPECT_EQ(ranks.answer(0).flag, 0U) << "though the message is there";
        ask({});
    }
    EXPECT_EQ(ranks.answer(0).flag, 1U);
    const replay::Epoch& epoch = ranks.machine.record(0).epochs().at(0).epoch;
    EXPECT_EQ(epoch.repetition, replay::Repetition::settles);
    EXPECT_EQ(epoch.turns_after, 2U);
    EXPECT_EQ(epoch.outcome->false_answers, 2U);
}

TEST(CentralMachine, ARankThatSaysNonsenseOfItsPollsIsNotBelieved) {
    for (const RepetitionCall& nonsense :
         {RepetitionCall{.repetition = static_cast<std::uint32_t>(replay::Repetition::settles), .round = 1},
          RepetitionCall{.repetition = static_cast<std::uint32_t>(replay::Repetition::gives_up)},
          RepetitionCall{.repetition = static_cast<std::uint32_t>(replay::Repetition::unchanged), .round = 1000},
          RepetitionCall{.repetition = 77, .turns_after = 1}}) {
        Ranks ranks(2, everything_is_buffered);
        WaitCall call;
        call.mode = WaitMode::test;
        call.operations = {ranks.receive(0, 1, 0)};
        call.turn = {.begins = 1, .may_be_tried = 1};
        EXPECT_TRUE(ranks.machine.take(0, call));
        EXPECT_TRUE(ranks.machine.take(0, nonsense));
        EXPECT_EQ(ranks.machine.record(0).epochs().at(0).epoch.repetition, replay::Repetition::undecided);
    }
}

TEST(CentralMachine, APollAfterWhichTheProgramAlwaysLooksAtAClockIsNotTriedAgain) {
    constexpr std::uint64_t clock_site = 1;
    constexpr std::uint64_t mixed_site = 2;
    const auto ask = [](Ranks& ranks, Rank rank, std::uint64_t site) {
        WaitCall call;
        call.mode = WaitMode::test;
        call.operations = {ranks.receive(rank, 1 - rank, 0)};
        call.turn = {.begins = 1, .may_be_tried = 1};
        call.situation.site = site;
        EXPECT_TRUE(ranks.machine.take(rank, call));
        return ranks.machine.is_trying(rank);
    };
    const auto tried = [](Ranks& ranks, Rank rank, replay::Repetition repetition, bool timed) {
        EXPECT_TRUE(ranks.machine.take(
            rank, RepetitionCall{.repetition = static_cast<std::uint32_t>(repetition), .timed = timed ? 1U : 0U}));
        EXPECT_TRUE(ranks.machine.release_poll(rank, 1));
    };
    Ranks first(2, everything_is_buffered);
    ASSERT_TRUE(ask(first, 0, clock_site));
    tried(first, 0, replay::Repetition::undecided, true);
    ASSERT_TRUE(ask(first, 0, mixed_site));
    tried(first, 0, replay::Repetition::undecided, true);
    ASSERT_TRUE(ask(first, 0, mixed_site));
    tried(first, 0, replay::Repetition::unchanged, false);
    const ClockSites::Sites sites = first.machine.clock_sites();
    EXPECT_EQ(sites, (ClockSites::Sites{{0, clock_site}}));

    Ranks second(2, everything_is_buffered);
    second.machine.know_clock_sites(std::make_shared<const ClockSites::Sites>(sites));
    EXPECT_FALSE(ask(second, 0, clock_site));
    EXPECT_TRUE(second.machine.waits(0));
    EXPECT_EQ(second.machine.record(0).epochs()[0].epoch.repetition, replay::Repetition::undecided);
    EXPECT_TRUE(ask(second, 1, clock_site)) << "another rank may do something else there";
    tried(second, 1, replay::Repetition::unchanged, false);
    EXPECT_TRUE(second.machine.release_poll(0, 1));
    EXPECT_TRUE(ask(second, 0, mixed_site));
}

// On a machine so busy that never all ranks wait at once nothing would ever be chosen.
TEST(CentralMachine, APollIsNotKeptForEverFromWhatIsThere) {
    Ranks ranks(2);
    const Operation receive = ranks.receive(0, base::any_source, 0);
    ranks.wait(0, WaitMode::test, {receive});
    ASSERT_TRUE(ranks.machine.lose_patience_with_poll(0));
    EXPECT_EQ(ranks.answer(0).flag, 0U);
    EXPECT_EQ(ranks.machine.kept_waiting(), 0U) << "nothing is there";
    ranks.send(1, 0, 0);
    std::uint64_t kept = 0;
    for (bool told = false; !told; ++kept) {
        ASSERT_LT(kept, 100U);
        EXPECT_EQ(ranks.machine.kept_waiting(), kept) << "no livelock";
        ranks.wait(0, WaitMode::test, {receive});
        ASSERT_TRUE(ranks.machine.lose_patience_with_poll(0));
        told = ranks.answer(0).flag == 1;
    }
    EXPECT_GT(kept, 10U);
}

TEST(CentralMachine, TimeHasPassedOnlyWithPollsThatWereReleased) {
    Ranks ranks(2);
    const Operation receive = ranks.receive(0, 1, 0);
    ranks.wait(0, WaitMode::test, {receive});
    EXPECT_FALSE(ranks.machine.holds_poll(0));
    ASSERT_TRUE(ranks.machine.release_poll(0, 1));
    EXPECT_EQ(ranks.answer(0).flag, 0U);
    EXPECT_FALSE(ranks.machine.lose_patience_with_poll(0)) << "it does not poll";
    ranks.wait(0, WaitMode::test, {receive});
    ASSERT_TRUE(ranks.machine.lose_patience_with_poll(0));
    EXPECT_EQ(ranks.answer(0).flag, 0U);
    ranks.wait(0, WaitMode::all, {receive});
    ASSERT_FALSE(ranks.machine.record(0).epochs().empty());
    const auto& outcome = ranks.machine.record(0).epochs()[0].epoch.outcome;
    ASSERT_TRUE(outcome.has_value());
    EXPECT_EQ(outcome->false_answers, 2U);
    EXPECT_EQ(outcome->released, 1U);
}

constexpr transport::VirtualTime second = 1'000'000'000;

TEST(CentralMachine, AfterAdditionalFalseAnswersOthersPassTimeLikeThem) {
    replay::Decision more;
    more.epoch = {0, 0};
    more.kind = replay::EpochKind::test;
    more.outcome.false_answers = 3;
    more.open = true;
    more.additional = 2;
    more.at_least = 3;
    Machine machine({.processes = 2, .waits_from = everything_is_buffered, .virtual_time = true},
                    std::make_shared<const std::vector<replay::Decision>>(std::vector{more}));
    ReceiveCall receive;
    receive.operation = 1;
    receive.comm = base::world_comm;
    receive.source = 1;
    ASSERT_TRUE(machine.take(0, receive));
    using Kind = replay::AnswerInTime::Kind;
    std::vector<std::pair<Kind, std::uint32_t>> answers;
    for (int i = 0; i < 5; ++i) {
        WaitCall wait;
        wait.mode = WaitMode::test;
        wait.operations = {1};
        wait.turn.begins = i == 0 ? 1 : 0;
        ASSERT_TRUE(machine.take(0, wait));
        if (i == 3) {
            ASSERT_TRUE(machine.release_poll(0, 1));
        } else if (i == 4) {
            ASSERT_TRUE(machine.lose_patience_with_poll(0));
        }
        const auto replies = machine.take_replies();
        ASSERT_EQ(replies.size(), 1U);
        answers.emplace_back(replies[0].answer.in_time.kind, replies[0].answer.in_time.number);
    }
    EXPECT_EQ(answers[0].first, Kind::timeless);
    for (std::uint32_t i = 1; i < 5; ++i) {
        EXPECT_EQ(answers[i], std::pair(Kind::additional, i - 1));
    }
    machine.end(0);  // it has given up
    const auto& outcome = machine.record(0).epochs().at(0).epoch.outcome;
    ASSERT_TRUE(outcome.has_value());
    EXPECT_EQ(outcome->released, 0U);
    EXPECT_EQ(replay::additional_of(more, *outcome), 4U) << "so a repetition has them in the same order";
}

TEST(CentralMachine, WhoHearsOfSomebodyHearsOfHisTime) {
    Ranks ranks(3);
    ranks.machine.note_time(1, 5 * second, false);
    ranks.send(1, 0, 0);
    ranks.machine.note_time(1, 7 * second, false);
    ranks.send(1, 0, 1);
    const Operation first = ranks.receive(0, 1, 0);
    const Operation second_one = ranks.receive(0, 1, 1);
    ranks.wait(0, WaitMode::all, {first});
    EXPECT_EQ(ranks.answer(0).passed, 5 * second) << "it has not been told of the other one";
    ranks.wait(0, WaitMode::all, {second_one});
    EXPECT_EQ(ranks.answer(0).passed, 7 * second);

    // Of a collective those hear that get data.
    ranks.machine.note_time(2, 9 * second, false);
    const Operation root = ranks.collective(2, Collective::bcast, Sources::none, 2);
    ranks.wait(2, WaitMode::all, {root});
    EXPECT_EQ(ranks.answer(2).passed, 0U);
    ranks.wait(0, WaitMode::all, {ranks.collective(0, Collective::bcast, Sources::everyone, 2)});
    ranks.wait(1, WaitMode::all, {ranks.collective(1, Collective::bcast, Sources::everyone, 2)});
    EXPECT_EQ(ranks.answer(0).passed, 9 * second);
}

TEST(CentralMachine, WhoSendsSynchronouslyHearsWhenTheReceiveWasPosted) {
    Ranks ranks(2);
    ranks.machine.note_time(1, 3 * second, false);
    const Operation receive = ranks.receive(1, 0, 0);
    ranks.machine.note_time(1, 8 * second, false);
    ranks.wait(0, WaitMode::all, {ranks.send(0, 1, 0, SendMode::synchronous)});
    ranks.wait(1, WaitMode::all, {receive});
    EXPECT_EQ(ranks.answer(0).passed, 3 * second);
}

TEST(CentralMachine, ATestOfWhatIsSurelyCompleteIsNeverFalse) {
    Ranks ranks(2);
    const Operation pending = ranks.receive(0, 1, 0);
    const auto nobody = [&] {
        const ImmediateCall call{.operation = ++ranks.next};
        EXPECT_TRUE(ranks.machine.take(0, call));
        return call.operation;
    };
    ranks.wait(0, WaitMode::test, {nobody()});
    EXPECT_EQ(ranks.answer(0).flag, 1U);
    ranks.wait(0, WaitMode::test_all, {nobody(), nobody()});
    EXPECT_EQ(ranks.answer(0).flag, 1U);
    EXPECT_TRUE(ranks.machine.record(0).epochs().empty()) << "there is nothing to explore";
    ranks.wait(0, WaitMode::test_any, {pending, nobody()});
    EXPECT_FALSE(ranks.machine.polls(0));
    EXPECT_FALSE(ranks.machine.release_poll(0, 1));
    EXPECT_TRUE(ranks.machine.choose());
    const Answer answer = ranks.answer(0);
    ASSERT_EQ(answer.completions.size(), 1U);
    EXPECT_EQ(answer.completions[0].position, 1U);
    ASSERT_EQ(ranks.machine.record(0).epochs().size(), 1U);
    EXPECT_FALSE(replay::is_polling(ranks.machine.record(0).epochs()[0].epoch.kind));
}

std::vector<Rank> ranks_of(const std::vector<replay::Sent>& sources) {
    std::vector<Rank> ranks;
    for (const replay::Sent& each : sources) {
        ranks.push_back(each.source);
    }
    return ranks;
}

TEST(CentralMachine, APastIsOpenForWhoMaySendWithoutHavingHeardOfIt) {
    Ranks ranks(4);
    const Operation any = ranks.receive(0, base::any_source, 0);
    ranks.wait(0, WaitMode::all, {any});
    ranks.send(1, 0, 0);
    ranks.wait(1, WaitMode::all, {ranks.receive(1, 0, 1)});
    const Operation other = ranks.receive(2, base::any_source, 0);
    ranks.wait(2, WaitMode::all, {other});
    ranks.send(3, 2, 0);
    ranks.wait(3, WaitMode::all, {ranks.receive(3, 2, 1)});
    ASSERT_TRUE(ranks.machine.open_past());
    EXPECT_TRUE(ranks.machine.open_past()->is_closed()) << "there is none yet";
    ASSERT_TRUE(ranks.machine.choose());
    EXPECT_EQ(ranks.answer(0).completions.front().source, 1);
    ranks.wait(0, WaitMode::all, {ranks.receive(0, 1, 5)});
    const std::optional<OpenPast> past = ranks.machine.open_past();
    ASSERT_TRUE(past);
    ASSERT_EQ(past->epochs.size(), 1U);
    EXPECT_EQ(past->epochs[0].epoch, (replay::EpochId{0, 0}));
    EXPECT_EQ(ranks_of(past->epochs[0].sources), (std::vector<Rank>{2, 3})) << "rank 1 waits for a rank that knows";
    EXPECT_EQ(past->exact.size(), 1U);
    // The last rank hears of what the third one has received, and of nothing else.
    ASSERT_TRUE(ranks.machine.choose());
    EXPECT_EQ(ranks.answer(2).completions.front().source, 3);
    ranks.send(2, 3, 1);
    ranks.answer(3);
    ranks.send(3, 0, 0);
    const auto unaware = ranks.machine.unaware();
    ASSERT_TRUE(unaware);
    ASSERT_EQ(unaware->front().epoch, (replay::EpochId{0, 0}));
    EXPECT_EQ(ranks_of(unaware->front().sources), (std::vector<Rank>{1, 3}));
}

TEST(CentralMachine, APastIsClosedWhereAllWaitForWhoKnowsOfIt) {
    Ranks ranks(3);
    const Operation any = ranks.receive(0, base::any_source, 0);
    ranks.wait(0, WaitMode::all, {any});
    for (const Rank rank : {1, 2}) {
        ranks.send(rank, 0, 0);
        ranks.wait(rank, WaitMode::all, {ranks.receive(rank, 0, 1)});
    }
    ASSERT_TRUE(ranks.machine.choose());
    ranks.answer(0);
    const Operation more = ranks.receive(0, base::any_source, 0);
    ranks.wait(0, WaitMode::all, {more});
    const std::optional<OpenPast> past = ranks.machine.open_past();
    ASSERT_TRUE(past);
    EXPECT_TRUE(past->is_closed());
    EXPECT_EQ(ranks.machine.candidates(), 0U);
}

}  // namespace
}  // namespace dampi::scheduler::central
