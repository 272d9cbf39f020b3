#include "scheduler/watch/blame.hpp"
#include "scheduler/watch/mpi_frames.hpp"

#include <gtest/gtest.h>

namespace dampi::scheduler::watch {
namespace {

constexpr std::uint64_t world = 0xdead000044000000;  // what stands in the upper half of a register means nothing

Evidence of_looks(const std::vector<Look>& looks) {
    Evidence evidence;
    for (const Look& look : looks) {
        std::vector<StackLook> all;
        for (const RankLook& rank : look) {
            all.push_back({rank, {}});
        }
        evidence.looks.push_back(std::move(all));
    }
    evidence.place_of = [](pid_t, std::uint64_t) { return replay::CodePlace{}; };
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

TEST(Blame, ReadsWhomACallWaitsFor) {
    EXPECT_EQ(awaited_rank("MPI_Recv", {0, 1, 2, 0xffffffff00000005, 4, world}), 5);
    EXPECT_EQ(awaited_rank("MPI_Recv", {0, 1, 2, 0xfffffffe, 4, world}), std::nullopt);  // from anybody
    EXPECT_EQ(awaited_rank("MPI_Recv", {0, 1, 2, 5, 4, 0x84000001}), std::nullopt);      // another communicator
    EXPECT_EQ(awaited_rank("MPI_Probe", {3, 1, world, 0, 0, 0}), 3);
    EXPECT_EQ(awaited_rank("MPI_Allreduce", {3, 1, world, 3, 0, world}), std::nullopt);
    EXPECT_EQ(awaited_rank("MPI_Recv", {}), std::nullopt);
}

TEST(Blame, FindsACircle) {
    EXPECT_TRUE(find_circle({{0, 1, "r"}, {1, 2, "r"}}, {}).empty());
    const auto circle = find_circle({{5, 0, "r"}, {0, 1, "r"}, {1, 0, "r"}}, {});
    ASSERT_EQ(circle.size(), 2U);
    EXPECT_EQ(circle[0].rank, 0);
    EXPECT_EQ(circle[1].rank, 1);
    ASSERT_EQ(find_circle({{0, 2, "r"}}, {2}).size(), 1U);
    EXPECT_EQ(find_circle({{3, 3, "r"}}, {}).size(), 1U);
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

TEST(Blame, ACircleIsADeadlock) {
    Evidence evidence = of_looks({{rank(0, Whereabouts::inside), rank(1, Whereabouts::inside)}});
    evidence.arguments[0] = {0, 1, 2, 1, 4, world};
    evidence.arguments[1] = {0, 1, 2, 0, 4, world};
    const HangReport report = blame(evidence);
    EXPECT_EQ(report.kind, HangKind::deadlock);
    EXPECT_EQ(report.waits.size(), 2U);
    const std::string text = make_hang_text(report);
    EXPECT_NE(text.find("rank 0 waits for rank 1 in MPI_Recv"), std::string::npos) << text;
}

TEST(Blame, WhoEndedIsNotWaitedForInVain) {
    Evidence evidence = of_looks({{rank(0, Whereabouts::inside), rank(1, Whereabouts::ended)}});
    evidence.arguments[0] = {0, 1, 2, 1, 4, world};
    EXPECT_EQ(blame(evidence).kind, HangKind::deadlock);
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
