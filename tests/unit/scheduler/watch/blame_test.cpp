#include "scheduler/watch/blame.hpp"
#include "scheduler/watch/mpi_frames.hpp"

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

TEST(HangReport, NamesRangesOfRanks) {
    EXPECT_EQ(rank_ranges({3, 1, 2, 7}), "1-3, 7");
    EXPECT_EQ(rank_ranges({0, 1}), "0, 1");
    EXPECT_EQ(rank_ranges({5}), "5");
    EXPECT_EQ(rank_ranges({}), "");
    EXPECT_EQ(rank_ranges({4, 4, 5, 6}), "4-6");
}

}  // namespace
}  // namespace dampi::scheduler::watch
