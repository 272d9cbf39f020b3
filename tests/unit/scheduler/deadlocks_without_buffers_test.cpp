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

}  // namespace
}  // namespace dampi::scheduler
