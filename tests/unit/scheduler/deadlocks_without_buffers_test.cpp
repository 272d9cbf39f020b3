// A deadlock that stops more ranks where nothing is buffered is one finding with the one that it is with buffers.
#include "scheduler/sweep/deadlocks_without_buffers.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>

namespace dampi::scheduler {
namespace {

using replay::Buffering;
using replay::RankSituation;
using replay::WaitForGraph;

struct Stuck {
    base::Rank rank = 0;
    std::string call;
    int line = 0;
    std::vector<base::Rank> waits_for;
    bool any = false;  ///< of them
};

/// What is between `core` and the others is seen in `count` interleavings with this buffering.
Finding deadlock(Buffering buffering, std::vector<base::Rank> core, const std::vector<Stuck>& all,
                 std::uint64_t count = 1, std::uint64_t first = 1) {
    Finding finding;
    finding.violation.kind = replay::ViolationKind::deadlock;
    finding.count = count;
    finding.first_interleaving = first;
    finding.buffering = {buffering};
    WaitForGraph graph;
    graph.core = std::move(core);
    for (const Stuck& each : all) {
        RankSituation situation{.rank = each.rank, .call = each.call, .detail = "waits"};
        situation.where = {"/app", 0x40, "main", "app.c", each.line};
        finding.violation.situations.push_back(std::move(situation));
        finding.all_ranks.push_back(each.rank);
        WaitForGraph::Node node{.rank = each.rank, .any = each.any};
        for (const base::Rank to : each.waits_for) {
            node.edges.push_back({.to = to, .wait = static_cast<unsigned>(node.edges.size())});
        }
        graph.nodes.push_back(std::move(node));
    }
    finding.violation.wait_for = std::move(graph);
    return finding;
}

/// Rank 0 waits for what rank 1 never sends, and rank 1, behind its send to rank 2, for the end.
Finding with_buffers() {
    return deadlock(Buffering::native, {0, 1},
                    {{0, "MPI_Recv", 10, {1}}, {1, "MPI_Finalize", 90, {0}}, {2, "MPI_Finalize", 90, {0}}}, 2, 3);
}

std::size_t number_of(std::vector<Finding> findings) {
    join_deadlocks_without_buffers(findings);
    return findings.size();
}

TEST(DeadlocksWithoutBuffers, SendsToTheStuckRankAreTheSameDeadlock) {
    std::vector<Finding> all{
        with_buffers(), deadlock(Buffering::zero, {0, 1},
                                 {{0, "MPI_Recv", 10, {1}}, {1, "MPI_Send", 20, {0}}, {2, "MPI_Send", 30, {1}}}, 3, 7)};
    join_deadlocks_without_buffers(all);
    ASSERT_EQ(all.size(), 1U);
    EXPECT_EQ(all.front().count, 5U);
    EXPECT_EQ(all.front().first_interleaving, 3U);
    EXPECT_EQ(all.front().buffering, (std::vector<Buffering>{Buffering::native, Buffering::zero}));
    EXPECT_EQ(all.front().violation.situations[1].call, "MPI_Finalize");
}

TEST(DeadlocksWithoutBuffers, OneThatTheOthersHaveWithoutItIsAnother) {
    const Finding sends = deadlock(Buffering::zero, {1, 2},
                                   {{0, "MPI_Recv", 10, {1}}, {1, "MPI_Send", 20, {2}}, {2, "MPI_Send", 30, {1}}});
    EXPECT_EQ(number_of({with_buffers(), sends}), 2U);
    // One of both would be enough for rank 1, and rank 0 does it.
    const Finding either =
        deadlock(Buffering::zero, {0, 1},
                 {{0, "MPI_Recv", 10, {1}}, {1, "MPI_Waitany", 20, {2, 0}, true}, {2, "MPI_Send", 30, {1}}});
    EXPECT_EQ(number_of({with_buffers(), either}), 1U);
}

TEST(DeadlocksWithoutBuffers, OneThatStandsElsewhereIsAnother) {
    const auto sends_from = [](int line, const std::string& call) {
        return deadlock(Buffering::zero, {0, 1},
                        {{0, call, line, {1}}, {1, "MPI_Send", 20, {0}}, {2, "MPI_Send", 30, {1}}});
    };
    EXPECT_EQ(number_of({with_buffers(), sends_from(10, "MPI_Recv")}), 1U);
    EXPECT_EQ(number_of({with_buffers(), sends_from(11, "MPI_Recv")}), 2U);
    EXPECT_EQ(number_of({with_buffers(), sends_from(10, "MPI_Probe")}), 2U);
}

TEST(DeadlocksWithoutBuffers, OneThatBuffersDoNotMendIsNoneOfThem) {
    Finding same_mode = deadlock(Buffering::native, {0, 1},
                                 {{0, "MPI_Recv", 10, {1}}, {1, "MPI_Send", 20, {0}}, {2, "MPI_Send", 30, {1}}});
    EXPECT_EQ(number_of({with_buffers(), same_mode}), 2U);
    Finding other_kind = with_buffers();
    other_kind.buffering = {Buffering::zero};
    other_kind.violation.kind = replay::ViolationKind::abort;
    EXPECT_EQ(number_of({with_buffers(), other_kind}), 2U);
}

TEST(DeadlocksWithoutBuffers, NumbersOfOutcomesAreAddedUp) {
    Finding one = with_buffers();
    Finding other = deadlock(Buffering::zero, {0, 1},
                             {{0, "MPI_Recv", 10, {1}}, {1, "MPI_Send", 20, {0}}, {2, "MPI_Send", 30, {1}}});
    one.buffering.push_back(Buffering::zero);
    one.outcomes = {{.buffering = Buffering::native, .outcomes = "7", .chance = 0.5},
                    {.buffering = Buffering::zero, .outcomes = "99999999999999999999999", .chance = 0.25}};
    other.outcomes = {{.buffering = Buffering::zero, .outcomes = "1", .chance = 0.125}};
    std::vector<Finding> all{one, other};
    join_deadlocks_without_buffers(all);
    ASSERT_EQ(all.size(), 1U);
    EXPECT_EQ(all.front().outcomes[0].outcomes, "7");
    EXPECT_EQ(all.front().outcomes[1].outcomes, "100000000000000000000000");
    EXPECT_EQ(all.front().outcomes[1].chance, 0.375);
}

replay::UnmatchedOperation unmatched(bool send, base::Rank rank, base::Rank peer, int line) {
    return {.send = send,
            .rank = rank,
            .peer = peer,
            .tag = 7,
            .communicator = "MPI_COMM_WORLD",
            .where = {"/app", 0x40, "main", "app.c", line}};
}

/// Rank 0 waits for a message of rank 1, which has sent another one, and is in a barrier; without buffers in its send.
std::vector<Finding> of_one_wrong_tag() {
    Finding native = deadlock(Buffering::native, {0, 1}, {{0, "MPI_Recv", 10, {1}}, {1, "MPI_Barrier", 40, {0}}});
    Finding zero = deadlock(Buffering::zero, {0, 1}, {{0, "MPI_Recv", 10, {1}}, {1, "MPI_Send", 20, {0}}});
    zero.violation.message = "they wait";
    for (Finding* each : {&native, &zero}) {
        each->violation.unmatched = {unmatched(true, 1, 0, 20), unmatched(false, 0, 1, 10)};
    }
    return {native, zero};
}

TEST(DeadlocksWithoutBuffers, TheSameReceivesWithoutAMessageAreOneInTwoForms) {
    std::vector<Finding> all = of_one_wrong_tag();
    join_deadlocks_without_buffers(all);
    ASSERT_EQ(all.size(), 1U);
    EXPECT_EQ(all.front().buffering, (std::vector<Buffering>{Buffering::native, Buffering::zero}));
    ASSERT_EQ(all.front().other_forms.size(), 1U);
    const OtherForm& form = all.front().other_forms.front();
    EXPECT_EQ(form.kind, replay::ViolationKind::deadlock);
    EXPECT_EQ(form.message, "they wait");
    EXPECT_EQ(form.where.line, 20);
    EXPECT_EQ(form.buffering, std::vector{Buffering::zero});
    EXPECT_TRUE(all.front().violation.consequences.empty());
}

TEST(DeadlocksWithoutBuffers, OtherReceivesOrNoneAreAnotherDeadlock) {
    std::vector<Finding> other_line = of_one_wrong_tag();
    other_line[1].violation.unmatched[1].where.line = 11;
    EXPECT_EQ(number_of(other_line), 2U);
    std::vector<Finding> no_receive = of_one_wrong_tag();
    for (Finding& each : no_receive) {
        each.violation.unmatched.pop_back();
    }
    EXPECT_EQ(number_of(no_receive), 2U);
    std::vector<Finding> receiver_elsewhere = of_one_wrong_tag();
    receiver_elsewhere[1].violation.situations[0].where.line = 12;
    EXPECT_EQ(number_of(receiver_elsewhere), 2U);
    std::vector<Finding> for_another = of_one_wrong_tag();
    for_another[1].violation.wait_for->nodes[1].edges[0].to = 5;
    EXPECT_EQ(number_of(for_another), 2U) << "rank 1 waits for what nobody can do";
}

/// Rank 1's message is never received; without buffers it waits for that, and rank 0 in MPI_Finalize for it.
std::vector<Finding> of_one_lost_message() {
    Finding leak;
    leak.violation.kind = replay::ViolationKind::leak_message;
    leak.violation.situations = {
        {.rank = 1, .call = "message sent", .detail = "to rank 0", .where = {"/app", 0x40, "main", "app.c", 20}}};
    leak.count = 1;
    leak.first_interleaving = 1;
    leak.buffering = {Buffering::native};
    leak.all_ranks = {1};
    Finding zero = deadlock(Buffering::zero, {0, 1}, {{0, "MPI_Finalize", 90, {1}}, {1, "MPI_Wait", 21, {0}}}, 1, 2);
    zero.violation.unmatched = {unmatched(true, 1, 0, 20)};
    zero.violation.wait_for->nodes[1].edges[0].reason = "receive the message with tag 7 on MPI_COMM_WORLD";
    return {leak, zero};
}

TEST(DeadlocksWithoutBuffers, AMessageThatNobodyReceivesIsOneFindingWithItsWaitingSend) {
    std::vector<Finding> all = of_one_lost_message();
    join_deadlocks_without_buffers(all);
    ASSERT_EQ(all.size(), 1U);
    EXPECT_EQ(all.front().violation.kind, replay::ViolationKind::leak_message);
    EXPECT_EQ(all.front().count, 2U);
    EXPECT_EQ(all.front().violation.consequences, std::vector{replay::ViolationKind::deadlock})
        << "so it is not suppressed with the leak";
    ASSERT_EQ(all.front().other_forms.size(), 1U);
    EXPECT_EQ(all.front().other_forms.front().where.line, 21);
}

TEST(DeadlocksWithoutBuffers, AnotherDeadlockBesideALostMessageStays) {
    std::vector<Finding> other_send = of_one_lost_message();
    other_send[1].violation.unmatched[0].where.line = 22;
    EXPECT_EQ(number_of(other_send), 2U);
    std::vector<Finding> lacks_a_message = of_one_lost_message();
    lacks_a_message[1].violation.unmatched.push_back(unmatched(false, 0, 1, 10));
    EXPECT_EQ(number_of(lacks_a_message), 2U);
    std::vector<Finding> not_in_the_send = of_one_lost_message();
    not_in_the_send[1].violation.wait_for->nodes[1].edges[0].reason = "enter MPI_Barrier on MPI_COMM_WORLD";
    EXPECT_EQ(number_of(not_in_the_send), 2U);
    std::vector<Finding> only_without = of_one_lost_message();
    only_without[0].buffering = {Buffering::zero};
    EXPECT_EQ(number_of(only_without), 2U);
}

}  // namespace
}  // namespace dampi::scheduler
