// The centralized engine's list of calls: what ranks hand over and the machine matches, told to both in turns as the
// conversation does it.
#include "scheduler/engines/central/call_listing.hpp"

#include <limits>
#include <memory>

#include <gtest/gtest.h>

namespace dampi::scheduler::central {
namespace {

using namespace transport::requests;
using replay::CallEvent;
using replay::CallKind;
using replay::CallName;

class OneRun {
public:
    explicit OneRun(int processes, std::size_t most = std::numeric_limits<std::size_t>::max(), bool false_polls = false)
        : machine(
              {.processes = processes, .waits_from = std::numeric_limits<std::uint64_t>::max(), .list_matches = true},
              std::make_shared<const std::vector<replay::Decision>>()),
          listing(machine, processes, most, false_polls) {}

    template <typename Call>
    void take(Rank rank, const Call& call) {
        ASSERT_TRUE(listing.take(rank, call));
        ASSERT_TRUE(machine.take(rank, call));
        hand_out();
    }
    void hand_out() {
        listing.matched(machine.take_matches());
        for (const Machine::Reply& reply : machine.take_replies()) {
            listing.answered(reply.rank, reply.answer);
        }
    }
    void choose() {
        ASSERT_TRUE(machine.choose() || machine.release_poll());
        hand_out();
    }

    void send(Rank rank, Rank to, const char* function = "MPI_Send") {
        SendCall call;
        call.operation = ++next;
        call.comm = base::world_comm;
        call.destination = to;
        call.tag = 3;
        call.function = function;
        take(rank, call);
    }
    Operation receive(Rank rank, Rank from, const char* function) {
        ReceiveCall call;
        call.operation = ++next;
        call.comm = base::world_comm;
        call.source = from;
        call.tag = 3;
        call.situation.function = function;
        take(rank, call);
        return call.operation;
    }
    void wait(Rank rank, WaitMode mode, std::vector<Operation> operations, const char* function) {
        WaitCall call;
        call.mode = mode;
        call.operations = std::move(operations);
        call.situation.function = function;
        take(rank, call);
    }
    [[nodiscard]] std::vector<CallEvent> calls() const {
        return listing.lists().calls([](Rank, std::uint64_t) { return replay::CodePlace{}; },
                                     [this](CommId comm) { return machine.everyone(comm); });
    }

    Machine machine;
    CallListing listing;
    Operation next = 0;
};

TEST(CentralCallListing, ABlockingReceiveIsOneCall) {
    OneRun run(2);
    run.send(0, 1);
    const Operation receive = run.receive(1, base::any_source, "MPI_Recv");
    run.wait(1, WaitMode::all, {receive}, "MPI_Recv");
    FinalizeCall finalize;
    finalize.situation.function = "MPI_Finalize";
    run.take(0, finalize);
    EXPECT_FALSE(run.calls().back().match);
    run.choose();
    const auto calls = run.calls();
    ASSERT_EQ(calls.size(), 3U);
    EXPECT_EQ(calls[0].function, "MPI_Send");
    EXPECT_EQ(calls[0].match, (CallName{1, 0}));
    EXPECT_EQ(calls[1].kind, CallKind::finalize);
    EXPECT_FALSE(calls[1].issue);
    EXPECT_EQ(calls[2].function, "MPI_Recv");
    EXPECT_EQ(calls[2].peer, base::any_source);
    EXPECT_EQ(calls[2].match, (CallName{0, 0}));
    EXPECT_EQ(calls[2].epoch, 0U);
    EXPECT_FALSE(calls[0].epoch);
}

TEST(CentralCallListing, WhatChoseAmongRequestsNamesItsChoice) {
    OneRun run(2);
    run.send(0, 1);
    run.send(0, 1);
    std::vector<Operation> receives;
    for (int i = 0; i < 2; ++i) {
        receives.push_back(run.receive(1, 0, "MPI_Irecv"));
    }
    run.wait(1, WaitMode::any, receives, "MPI_Waitany");
    if (run.machine.waits(1)) {
        run.choose();
    }
    const auto calls = run.calls();
    ASSERT_EQ(calls.size(), 5U);
    EXPECT_EQ(calls[4].function, "MPI_Waitany");
    EXPECT_EQ(calls[4].epoch, 0U);
    EXPECT_EQ(calls[4].requests, (std::vector<std::uint32_t>{0, 1}));
    EXPECT_EQ(calls[4].completed.size(), 1U);
    EXPECT_FALSE(calls[2].epoch) << "it names its source";
}

TEST(CentralCallListing, ThereIsNoListOfTooManyCalls) {
    OneRun run(2, 2);
    run.send(0, 1);
    run.send(0, 1);
    EXPECT_FALSE(run.listing.too_many());
    run.send(0, 1);
    EXPECT_TRUE(run.listing.too_many());
    const Operation receive = run.receive(1, 0, "MPI_Recv");
    run.wait(1, WaitMode::all, {receive}, "MPI_Recv");
    EXPECT_TRUE(run.listing.too_many()) << "and the run goes on all the same";
    EXPECT_FALSE(run.machine.waits(1));
}

TEST(CentralCallListing, WaitsNameWhatTheyWaitForAndReturn) {
    OneRun run(2);
    const Operation receive = run.receive(1, 0, "MPI_Irecv");
    run.wait(1, WaitMode::all, {receive}, "MPI_Wait");
    EXPECT_FALSE(run.calls()[1].issue);
    run.send(0, 1, "MPI_Isend");
    const auto calls = run.calls();
    ASSERT_EQ(calls.size(), 3U);
    EXPECT_EQ(calls[2].kind, CallKind::completion);
    EXPECT_EQ(calls[2].requests, std::vector<std::uint32_t>{0});
    EXPECT_TRUE(calls[2].issue);
    EXPECT_LT(calls[1].issue, calls[2].issue);
}

TEST(CentralCallListing, TestsAreListedWhenTheyAnswerTrue) {
    OneRun run(2);
    const Operation receive = run.receive(1, 0, "MPI_Irecv");
    run.wait(1, WaitMode::test, {receive}, "MPI_Test");
    FinalizeCall finalize;
    finalize.situation.function = "MPI_Finalize";
    run.take(0, finalize);
    run.choose();  // "nothing yet"
    EXPECT_EQ(run.calls().size(), 2U);
    OneRun other(2);
    const Operation here = other.receive(1, 0, "MPI_Irecv");
    other.send(0, 1);
    other.wait(1, WaitMode::test, {here}, "MPI_Test");
    other.take(0, finalize);
    if (other.machine.polls(1)) {
        other.choose();
    }
    const auto calls = other.calls();
    ASSERT_EQ(calls.size(), 4U);
    EXPECT_EQ(calls[3].function, "MPI_Test");
    EXPECT_TRUE(calls[3].issue);
}

/// Call `number` of a stretch.
ProbeCall polling_probe(Tag tag, std::uint32_t number) {
    ProbeCall probe;
    probe.polling = 1;
    probe.comm = base::world_comm;
    probe.source = base::any_source;
    probe.tag = tag;
    probe.turn.poll = number;
    probe.situation.function = "MPI_Iprobe";
    return probe;
}

TEST(CentralCallListing, OfPollsThatAnswerFalseTheLastOfEachKindAreListedWhereTheyAreWanted) {
    for (const bool wanted : {false, true}) {
        OneRun run(2, std::numeric_limits<std::size_t>::max(), wanted);
        FinalizeCall finalize;
        finalize.situation.function = "MPI_Finalize";
        run.take(0, finalize);
        for (const Tag tag : {1, 2, 1, 2, 1}) {
            run.take(1, polling_probe(tag, tag == 1 ? 0 : 1));
            run.choose();  // "nothing yet"
        }
        if (!wanted) {
            EXPECT_EQ(run.calls().size(), 1U);
            continue;
        }
        auto calls = run.calls();
        ASSERT_EQ(calls.size(), 3U);
        EXPECT_EQ(calls[1].tag, 2);
        EXPECT_EQ(calls[2].tag, 1) << "as it was made last";
        EXPECT_TRUE(calls[2].issue) << "it has returned";
        EXPECT_FALSE(calls[2].match);
        EXPECT_LT(calls[1].issue, calls[2].issue);
        run.take(1, finalize);
        calls = run.calls();
        ASSERT_EQ(calls.size(), 4U);
        EXPECT_EQ(calls[3].kind, CallKind::finalize);
        EXPECT_EQ(calls[3].name, (CallName{1, 2}));
        EXPECT_LT(calls[2].order, calls[3].order);
    }
}

TEST(CentralCallListing, AProbeThatFindsSomethingComesAfterThoseThatDidNot) {
    OneRun run(2, std::numeric_limits<std::size_t>::max(), true);
    FinalizeCall finalize;
    finalize.situation.function = "MPI_Finalize";
    run.send(0, 1);
    run.take(0, finalize);
    for (const Tag tag : {1, 3}) {
        run.take(1, polling_probe(tag, tag == 1 ? 0 : 1));
        if (run.machine.polls(1)) {
            run.choose();
        }
    }
    const auto calls = run.calls();
    ASSERT_EQ(calls.size(), 4U);
    EXPECT_EQ(calls[2].tag, 1);
    EXPECT_FALSE(calls[2].match);
    EXPECT_EQ(calls[3].tag, 3);
    EXPECT_EQ(calls[3].match, (CallName{0, 0}));
}

TEST(CentralCallListing, RequestsStandAtTheirPlacesInTheCall) {
    OneRun run(2);
    run.send(0, 1);
    const Operation first = run.receive(1, 0, "MPI_Irecv");
    const Operation second = run.receive(1, 0, "MPI_Irecv");
    WaitCall wait;
    wait.mode = WaitMode::any;
    wait.operations = {second, first};
    wait.positions = {1, 3};
    wait.situation.function = "MPI_Waitany";
    run.take(1, wait);
    if (run.machine.waits(1)) {
        run.choose();
    }
    const auto calls = run.calls();
    ASSERT_EQ(calls.size(), 4U);
    EXPECT_EQ(calls[3].requests, (std::vector<std::uint32_t>{replay::not_listed, 1, replay::not_listed, 0}));
    EXPECT_EQ(calls[3].completed, std::vector<std::uint32_t>{0});
}

TEST(CentralCallListing, ProbesHaveTheirSend) {
    OneRun run(2);
    for (const std::uint32_t polling : {0U, 1U}) {
        run.send(0, 1);
        ProbeCall probe;
        probe.polling = polling;
        probe.comm = base::world_comm;
        probe.source = 0;
        probe.tag = 3;
        probe.situation.function = polling != 0 ? "MPI_Iprobe" : "MPI_Probe";
        run.take(1, probe);
        if (run.machine.waits(1)) {
            run.choose();
        }
        const Operation receive = run.receive(1, 0, "MPI_Recv");
        run.wait(1, WaitMode::all, {receive}, "MPI_Recv");
    }
    const auto calls = run.calls();
    ASSERT_EQ(calls.size(), 6U);
    EXPECT_EQ(calls[2].kind, CallKind::probe);
    EXPECT_EQ(calls[2].match, (CallName{0, 0}));
    EXPECT_EQ(calls[4].function, "MPI_Iprobe");
    EXPECT_EQ(calls[4].match, (CallName{0, 1}));
    EXPECT_EQ(calls[0].match, (CallName{1, 1}));
    EXPECT_EQ(calls[1].match, (CallName{1, 3}));
}

TEST(CentralCallListing, CollectivesAreListedWithTheirFunction) {
    OneRun run(2);
    for (const Rank rank : {0, 1}) {
        CollectiveCall call;
        call.operation = ++run.next;
        call.comm = base::world_comm;
        call.sources = Sources::everyone;
        call.function = "MPI_Barrier";
        run.take(rank, call);
        run.wait(rank, WaitMode::all, {call.operation}, "MPI_Barrier");
    }
    const auto calls = run.calls();
    ASSERT_EQ(calls.size(), 2U);
    EXPECT_EQ(calls[0].function, "MPI_Barrier");
    EXPECT_TRUE(calls[0].issue);
    EXPECT_TRUE(calls[1].issue);
}

}  // namespace
}  // namespace dampi::scheduler::central
