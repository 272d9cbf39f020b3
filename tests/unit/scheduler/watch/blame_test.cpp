#include "scheduler/watch/blame.hpp"
#include "scheduler/watch/mpi_frames.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace dampi::scheduler::watch {
namespace {

Evidence of_looks(const std::vector<Look>& looks) {
    Evidence evidence;
    for (const Look& look : looks) {
        std::vector<StackLook> all;
        for (const RankLook& rank : look) {
            all.push_back({rank, {}});
        }
        evidence.looks.push_back(std::move(all));
    }
    return evidence;
}

HangReport blame(const Evidence& evidence) {
    launch::SourceLines lines;
    HangReport report;
    assign_blame(evidence, lines, report);
    return report;
}

RankLook rank(int number, Whereabouts where, const std::string& function = "MPI_Recv") {
    return {.rank = number, .process = 10 + number, .where = where, .function = function};
}

TEST(MpiFrames, KnowsTheNamesOfCAndFortran) {
    EXPECT_EQ(mpi_function_named("MPI_Recv"), "MPI_Recv");
    EXPECT_EQ(mpi_function_named("PMPI_Recv"), "MPI_Recv");
    EXPECT_EQ(mpi_function_named("mpi_recv_"), "MPI_Recv");
    EXPECT_EQ(mpi_function_named("pmpi_allreduce__"), "MPI_Allreduce");
    EXPECT_EQ(mpi_function_named("mpi_recv_f08_"), "MPI_Recv");
    EXPECT_EQ(mpi_function_named("MPI_Recv_all_my_things"), "");
    EXPECT_EQ(mpi_function_named("mpi_solver_"), "");
    EXPECT_EQ(mpi_function_named("MPI_RECV"), "");
    EXPECT_EQ(mpi_function_named("main"), "");
    EXPECT_EQ(mpi_function_named(""), "");
}

TEST(MpiFrames, FindsTheOutermostCall) {
    const auto frame = [](const char* symbol) { return launch::ObservedFrame{.symbol = symbol}; };
    const auto call = find_mpi_call(
        {frame("poll"), frame("PMPI_Send"), frame("MPIR_Bcast"), frame("PMPI_Bcast"), frame("solve"), frame("main")});
    ASSERT_TRUE(call);
    EXPECT_EQ(call->function, "MPI_Bcast");
    EXPECT_EQ(call->caller, 4U);
    EXPECT_FALSE(find_mpi_call({frame("solve"), frame("main")}));
}

TEST(Blame, WhoIsOutsideInAllLooksIsToBlame) {
    const HangReport report =
        blame(of_looks({{rank(0, Whereabouts::outside), rank(1, Whereabouts::inside), rank(2, Whereabouts::outside)},
                        {rank(0, Whereabouts::polling), rank(1, Whereabouts::inside), rank(2, Whereabouts::outside)}}));
    EXPECT_EQ(report.kind, HangKind::computation);
    EXPECT_EQ(report.blamed, (std::vector<int>{2}));
    EXPECT_TRUE(report.groups.front().is_blamed);
    EXPECT_EQ(report.groups.front().ranks, (std::vector<int>{2}));
}

TEST(Blame, NobodyIsWhereAllAreInMpi) {
    const HangReport report = blame(of_looks({{rank(0, Whereabouts::inside), rank(1, Whereabouts::polling)}}));
    EXPECT_EQ(report.kind, HangKind::communication);
    EXPECT_TRUE(report.blamed.empty());
    EXPECT_EQ(report.groups.size(), 2U);
}

TEST(Blame, WhoIsStoppedComesFirst) {
    RankLook stopped = rank(1, Whereabouts::inside);
    stopped.stopped = true;
    const HangReport report = blame(of_looks({{rank(0, Whereabouts::outside), stopped}}));
    EXPECT_EQ(report.kind, HangKind::stopped);
    EXPECT_EQ(report.blamed, (std::vector<int>{1}));
}

/// Both ranks need each other.
Conclusion circle() {
    Conclusion conclusion;
    conclusion.stuck = {true, true};
    conclusion.graph.shape = replay::WaitForGraph::Core::cycle;
    conclusion.graph.core = {0, 1};
    for (const int rank : {0, 1}) {
        conclusion.graph.nodes.push_back({rank, false, true, {{1 - rank, 0, "send a message with tag 3"}}, 0});
    }
    return conclusion;
}

TEST(Blame, ADeadlockByFactsIsOneWhateverTheOthersDo) {
    Evidence evidence =
        of_looks({{rank(0, Whereabouts::inside), rank(1, Whereabouts::inside), rank(2, Whereabouts::outside)}});
    evidence.surely = circle();
    const HangReport report = blame(evidence);
    EXPECT_EQ(report.kind, HangKind::deadlock);
    EXPECT_TRUE(report.from_facts);
    EXPECT_EQ(report.blamed, (std::vector<int>{0, 1}));
    const std::string text = make_hang_text(report);
    EXPECT_NE(text.find("decided from facts"), std::string::npos) << text;
    EXPECT_NE(text.find("rank 0 needs rank 1 to send a message with tag 3"), std::string::npos) << text;
}

TEST(Blame, AStandstillIsADeadlockWhereMpiHasNoRoom) {
    Evidence evidence = of_looks({{rank(0, Whereabouts::inside), rank(1, Whereabouts::inside)}});
    evidence.without_room = circle();
    HangReport report = blame(evidence);
    EXPECT_EQ(report.kind, HangKind::deadlock);
    EXPECT_FALSE(report.from_facts);
    EXPECT_NE(make_hang_text(report).find("unless MPI finds room"), std::string::npos);
    evidence.looks[0][1].rank.where = Whereabouts::outside;
    report = blame(evidence);
    EXPECT_EQ(report.kind, HangKind::computation);
}

const HangGroup& group_of(const HangReport& report, int rank) {
    static const HangGroup nothing;
    for (const HangGroup& group : report.groups) {
        if (std::find(group.ranks.begin(), group.ranks.end(), rank) != group.ranks.end()) {
            return group;
        }
    }
    return nothing;
}

bool says(const HangReport& report, const std::string& words) {
    return make_hang_text(report).find(words) != std::string::npos;
}

TEST(Blame, WhoIsNotBlamedIsInNoGroupThatIs) {
    Evidence evidence =
        of_looks({{rank(0, Whereabouts::inside), rank(1, Whereabouts::inside), rank(2, Whereabouts::inside)}});
    evidence.surely = circle();
    evidence.surely.stuck.push_back(true);  // it waits for the two, and nobody for it
    const HangReport report = blame(evidence);
    EXPECT_EQ(group_of(report, 0).ranks, (std::vector<int>{0, 1}));
    EXPECT_TRUE(group_of(report, 0).is_blamed);
    EXPECT_EQ(group_of(report, 2).ranks, (std::vector<int>{2}));
    EXPECT_FALSE(group_of(report, 2).is_blamed);
}

/// A rank that has been so often round a loop of one call.
RankHistory rounds(int number, std::uint64_t times, const std::string& function = "MPI_Recv", std::uint64_t key = 7) {
    RankHistory history{.rank = number, .process = 10 + number};
    history.states.push_back({.key = key, .function = function, .entries = times});
    history.transitions.push_back({0, 0, times - 1});
    return history;
}

TEST(Blame, WhoGoesOnIsNotBehind) {
    Evidence evidence =
        of_looks({{rank(0, Whereabouts::inside), rank(1, Whereabouts::inside), rank(2, Whereabouts::outside)}});
    evidence.histories = {rounds(0, 8), rounds(1, 9), rounds(2, 5)};
    evidence.surely = circle();
    evidence.surely.stuck.push_back(false);
    EXPECT_EQ(blame(evidence).least_progressed, (std::vector<int>{0}));
    evidence.surely = {};
    EXPECT_EQ(blame(evidence).least_progressed, (std::vector<int>{2}));
}

TEST(Blame, WhoIsNotKnownToBeBehindThoseToBlameIsNotSaidToBeBehind) {
    // A master that computes, and workers that have got more of its tasks or fewer.
    Evidence evidence =
        of_looks({{rank(0, Whereabouts::outside), rank(1, Whereabouts::inside), rank(2, Whereabouts::inside)}});
    evidence.histories = {rounds(0, 30, "MPI_Recv", 8), rounds(1, 9), rounds(2, 21)};
    const HangReport report = blame(evidence);
    EXPECT_EQ(report.blamed, (std::vector<int>{0}));
    EXPECT_TRUE(report.least_progressed.empty());
}

TEST(Blame, WhoSleepsDoesNotCompute) {
    Evidence evidence = of_looks({{rank(0, Whereabouts::outside), rank(1, Whereabouts::inside)},
                                  {rank(0, Whereabouts::outside), rank(1, Whereabouts::inside)}});
    for (auto& look : evidence.looks) {
        look[0].work = {.state = 'S', .ticks = 40};
    }
    HangReport report = blame(evidence);
    EXPECT_EQ(report.kind, HangKind::computation);
    EXPECT_TRUE(says(report, "rank 0 sleeps or is blocked outside MPI without end")) << make_hang_text(report);
    EXPECT_FALSE(says(report, "computes"));
    evidence.looks[1][0].work.ticks = 70;
    report = blame(evidence);
    EXPECT_TRUE(says(report, "rank 0 computes without end")) << make_hang_text(report);
}

TEST(Blame, WhoHasDiedIsToBlameForThoseThatWaitForIt) {
    RankLook dead = rank(1, Whereabouts::ended);
    dead.died = true;
    Evidence evidence = of_looks({{rank(0, Whereabouts::inside), dead}});
    HangReport report = blame(evidence);
    EXPECT_EQ(report.blamed, (std::vector<int>{1}));
    EXPECT_TRUE(says(report, "rank 1 has ended without MPI_Finalize, and none of the others gets on"))
        << make_hang_text(report);
    evidence.surely.stuck = {true, false};
    evidence.surely.graph.core = {0};
    evidence.surely.graph.nodes.push_back({0, false, true, {{1, 0, "send a message with tag 3"}}, 0});
    report = blame(evidence);
    EXPECT_EQ(report.kind, HangKind::deadlock);
    EXPECT_EQ(report.blamed, (std::vector<int>{1}));
    EXPECT_TRUE(says(report, "rank 1 has ended without MPI_Finalize, so rank 0 can never go on"))
        << make_hang_text(report);
    evidence.looks[0][1].rank.died = false;  // it has called MPI_Finalize: then it is rank 0 that asks for too much
    EXPECT_EQ(blame(evidence).blamed, (std::vector<int>{0}));
}

/// Two looks at ranks in MPI. Of each of `busy` a thread in the program has used the processor between them.
Evidence with_busy_threads(int ranks, const std::vector<int>& busy) {
    Look look;
    for (int number = 0; number < ranks; ++number) {
        look.push_back(rank(number, Whereabouts::inside));
    }
    Evidence evidence = of_looks({look, look});
    for (const int number : busy) {
        for (const std::uint64_t ticks : {100, 200}) {
            auto& seen = evidence.looks[ticks / 100 - 1][static_cast<std::size_t>(number)];
            seen.threads.push_back({.thread = 50, .ticks = ticks, .is_in_program = true, .stack = {}});
            seen.threads.push_back({.thread = 51, .ticks = 100, .is_in_program = true, .stack = {}});
        }
    }
    return evidence;
}

TEST(Blame, AThreadThatComputesCountsWhileAnotherOneWaits) {
    const HangReport report = blame(with_busy_threads(3, {2}));
    EXPECT_EQ(report.kind, HangKind::computation);
    EXPECT_EQ(report.blamed, (std::vector<int>{2}));
    EXPECT_TRUE(says(report, "a thread of rank 2 uses the processor outside MPI without end"))
        << make_hang_text(report);
    EXPECT_TRUE(group_of(report, 2).is_other_thread);
}

TEST(Blame, ThreadsThatAllRanksHaveTellNothing) {
    const HangReport report = blame(with_busy_threads(2, {0, 1}));
    EXPECT_EQ(report.kind, HangKind::communication);
    EXPECT_TRUE(report.blamed.empty());
}

/// A rank whose main calls in a loop, at two places, a function that calls MPI, and in every fifth round MPI itself; or
/// at one place a function that calls MPI twice.
RankHistory steps(int number, int times, bool at_one_place = false) {
    const auto at = [](std::uint64_t offset) { return replay::CodePlace{.module = "/none", .offset = offset}; };
    RankHistory history{.rank = number, .process = 10 + number};
    history.states = {{.key = 1, .function = "MPI_Sendrecv", .stack = {at(0x10), at(0x100)}},
                      {.key = 2, .function = "MPI_Sendrecv", .stack = {at(0x10), at(0x200)}},
                      {.key = 3, .function = "MPI_Allreduce", .stack = {at(0x300)}}};
    if (at_one_place) {
        history.states[1].stack = {at(0x20), at(0x100)};
    }
    std::map<std::pair<std::size_t, std::size_t>, std::uint64_t> counts;
    std::optional<std::size_t> last;
    const auto go = [&](std::size_t state) {
        ++history.states[state].entries;
        if (last) {
            ++counts[{*last, state}];
        }
        last = state;
    };
    for (int i = 1; i <= times; ++i) {
        go(0);
        go(1);
        if (i % 5 == 0) {
            go(2);
        }
    }
    for (const auto& [edge, count] : counts) {
        history.transitions.push_back({edge.first, edge.second, count});
    }
    history.now = *last;
    return history;
}

TEST(Blame, OneLoopOfTheProgramIsOne) {
    Evidence evidence =
        of_looks({{rank(0, Whereabouts::inside, "MPI_Sendrecv"), rank(1, Whereabouts::inside, "MPI_Allreduce")}});
    evidence.histories = {steps(0, 14), steps(1, 15)};
    const HangReport report = blame(evidence);
    for (const int number : {0, 1}) {
        const auto& iterations = group_of(report, number).iterations;
        ASSERT_EQ(iterations.size(), 1U);
        EXPECT_EQ(iterations[0].number, number == 0 ? 14U : 15U);
        EXPECT_EQ(iterations[0].loop.offset, 0x100U);
        EXPECT_TRUE(iterations[0].is_there);
        EXPECT_FALSE(iterations[0].in_all);
    }
    EXPECT_EQ(report.least_progressed, (std::vector<int>{0}));
}

TEST(Blame, WhatMayBeOneLoopIsNotToldAsTwo) {
    Evidence evidence =
        of_looks({{rank(0, Whereabouts::inside, "MPI_Sendrecv"), rank(1, Whereabouts::inside, "MPI_Allreduce")}});
    evidence.histories = {steps(0, 14, true), steps(1, 15, true)};
    const HangReport report = blame(evidence);
    for (const int number : {0, 1}) {
        const auto& iterations = group_of(report, number).iterations;
        ASSERT_EQ(iterations.size(), 2U);
        EXPECT_EQ(iterations[0].call, "MPI_Allreduce");
        EXPECT_EQ(iterations[0].number, number == 0 ? 2U : 3U);
        EXPECT_EQ(iterations[1].call, "");
        EXPECT_EQ(iterations[1].number, number == 0 ? 14U : 15U);
        EXPECT_EQ(iterations[1].loop.offset, 0x10U);
        EXPECT_FALSE(iterations[1].is_there);
        EXPECT_TRUE(iterations[1].in_all);
    }
    EXPECT_TRUE(says(report, "has called MPI_Allreduce 2 times at none+0x300")) << make_hang_text(report);
    EXPECT_EQ(report.least_progressed, (std::vector<int>{0}));
}

TEST(Blame, ALoopMayStandInACallerOfTheFunctionWithTheCalls) {
    Evidence evidence = of_looks({{rank(0, Whereabouts::inside)}});
    evidence.histories = {rounds(0, 9)};
    evidence.histories[0].states[0].stack = {{.module = "/none", .offset = 0x10}, {.module = "/none", .offset = 0x100}};
    const HangReport report = blame(evidence);
    ASSERT_EQ(group_of(report, 0).iterations.size(), 1U);
    EXPECT_FALSE(group_of(report, 0).iterations[0].is_there);
    EXPECT_TRUE(says(report, "iteration 9 of the loop in or around none+0x10")) << make_hang_text(report);
}

TEST(HangReport, NamesRangesOfRanks) {
    EXPECT_EQ(rank_ranges({3, 1, 2, 7}), "1-3, 7");
    EXPECT_EQ(rank_ranges({0, 1}), "0, 1");
    EXPECT_EQ(rank_ranges({5}), "5");
    EXPECT_EQ(rank_ranges({}), "");
    EXPECT_EQ(rank_ranges({4, 4, 5, 6}), "4-6");
}

}  // namespace
}  // namespace dampi::scheduler::watch
