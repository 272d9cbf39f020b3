// What is one cause: kinds, calls and places count, ranks and how often do not.
#include "replay/cause.hpp"

#include <gtest/gtest.h>

namespace dampi::replay {
namespace {

RankSituation at_line(Rank rank, const std::string& call, int line, std::uint64_t offset = 0x40) {
    return {.rank = rank, .call = call, .detail = "", .where = {"/app", offset, "main", "app.c", line}};
}

Violation of(ViolationKind kind, std::vector<RankSituation> situations, std::string message = "m") {
    Violation made{.kind = kind, .message = std::move(message), .ranks = {}, .situations = std::move(situations)};
    for (const RankSituation& each : made.situations) {
        made.ranks.push_back(each.rank);
    }
    return made;
}

TEST(Cause, IsTheSameWhoeverDoesItAndHoweverOften) {
    const auto kind = ViolationKind::deadlock;
    const Violation first = of(kind, {at_line(0, "MPI_Recv", 10), at_line(1, "MPI_Barrier", 20)});
    EXPECT_EQ(cause_of(first), cause_of(of(kind, {at_line(1, "MPI_Recv", 10), at_line(0, "MPI_Barrier", 20)})));
    EXPECT_EQ(cause_of(first), cause_of(of(kind, {at_line(2, "MPI_Barrier", 20), at_line(0, "MPI_Recv", 10),
                                                  at_line(1, "MPI_Barrier", 20, 0x99)})))
        << "a copy that the compiler made of the line is the same place";
    EXPECT_EQ(cause_of(first), cause_of(of(kind, first.situations, "another message")));
}

TEST(Cause, IsAnotherWithAnotherKindCallOrPlace) {
    const Violation first = of(ViolationKind::deadlock, {at_line(0, "MPI_Recv", 10), at_line(1, "MPI_Barrier", 20)});
    for (const Violation& other :
         {of(ViolationKind::livelock, first.situations), of(ViolationKind::deadlock, {at_line(0, "MPI_Recv", 10)}),
          of(ViolationKind::deadlock, {at_line(0, "MPI_Recv", 11), at_line(1, "MPI_Barrier", 20)}),
          of(ViolationKind::deadlock, {at_line(0, "MPI_Probe", 10), at_line(1, "MPI_Barrier", 20)})}) {
        EXPECT_NE(cause_of(first), cause_of(other));
    }
    EXPECT_NE(cause_of(of(ViolationKind::crash, {at_line(0, "", 0, 0x40)})),
              cause_of(of(ViolationKind::crash, {at_line(0, "", 0, 0x50)})))
        << "without lines the address tells";
}

/// Rank 0 in line 10 and rank 1 in line 20 wait for each other; rank 2, in line `line`, waits for `third`.
Violation cycle_and_a_third(int line, Rank third) {
    Violation made = of(ViolationKind::deadlock,
                        {at_line(0, "MPI_Recv", 10), at_line(1, "MPI_Barrier", 20), at_line(2, "MPI_Send", line)});
    const auto waits = [](Rank rank, Rank to) {
        return WaitForGraph::Node{.rank = rank, .in_core = rank < 2, .edges = {{.to = to, .wait = 0, .reason = "r"}}};
    };
    made.wait_for = WaitForGraph{
        .nodes = {waits(0, 1), waits(1, 0), waits(2, third)}, .shape = WaitForGraph::Core::cycle, .core = {0, 1}};
    return made;
}

TEST(Cause, WhoIsBlockedOnlyBecauseOthersAreIsNoPartOfADeadlocks) {
    const std::string cause = cause_of(cycle_and_a_third(30, 0));
    EXPECT_EQ(cause, cause_of(cycle_and_a_third(31, 1)));
    EXPECT_EQ(cause, cause_of(of(ViolationKind::deadlock, {at_line(0, "MPI_Recv", 10), at_line(1, "MPI_Barrier", 20)})))
        << "where the third one is not blocked at all";
    EXPECT_NE(cause, cause_of(cycle_and_a_third(30, 2))) << "it waits for itself: another fault in the same run";
    Violation other = cycle_and_a_third(30, 0);
    other.situations.front().where.line = 11;
    EXPECT_NE(cause, cause_of(other));
}

TEST(Cause, WhoWaitsForOneThatDoesNotComeBackIsNoPartOfAHang) {
    const auto hang = [](int line, int waiting) {
        Violation made = of(ViolationKind::hang, {at_line(1, "", line), at_line(0, "MPI_Barrier", waiting)});
        made.ranks = {1};
        return made;
    };
    EXPECT_EQ(cause_of(hang(10, 20)), cause_of(hang(10, 30)));
    EXPECT_NE(cause_of(hang(10, 20)), cause_of(hang(11, 20)));
}

TEST(Cause, SignalsAndWhatAnExitCameWithoutTellApart) {
    const auto crash = [](const std::string& message) {
        return cause_of(of(ViolationKind::crash, {at_line(0, "", 10)}, message));
    };
    EXPECT_EQ(crash("rank 0 was ended by signal SIGSEGV"), crash("ranks 1 and 2 were ended by signal SIGSEGV"));
    EXPECT_NE(crash("rank 0 was ended by signal SIGSEGV"), crash("rank 0 was ended by signal SIGFPE"));
    const auto exit = [](const std::string& message) {
        return cause_of(of(ViolationKind::exit, {at_line(0, "return", 10)}, message));
    };
    EXPECT_EQ(exit("rank 0 exited with status 3"), exit("ranks 1 and 2 exited with statuses 4, 5"));
    EXPECT_NE(exit("rank 0 exited with status 3"), exit("rank 0 exited with status 3 without calling MPI_Finalize"));
}

TEST(Cause, WithoutAPlaceTheMessageTells) {
    EXPECT_NE(cause_of(of(ViolationKind::exit, {}, "status 3")), cause_of(of(ViolationKind::exit, {}, "status 4")));
    EXPECT_EQ(cause_of(of(ViolationKind::divergence, {}, "operation 3")),
              cause_of(of(ViolationKind::divergence, {}, "operation 4")));
}

TEST(Cause, TakingInLosesNothing) {
    Violation merged = of(ViolationKind::argument_rank, {at_line(1, "MPI_Send", 10)}, "rank 7 does not exist");
    take_in(merged, of(ViolationKind::argument_rank, {at_line(0, "MPI_Send", 10)}, "rank 8 does not exist"));
    take_in(merged, of(ViolationKind::argument_rank, {at_line(1, "MPI_Send", 10)}, "rank 7 does not exist"));
    EXPECT_EQ(merged.ranks, (std::vector<Rank>{0, 1}));
    ASSERT_EQ(merged.situations.size(), 2U) << "the same again says nothing";
    EXPECT_EQ(merged.message, "rank 7 does not exist");
    EXPECT_EQ(merged.situations[1].detail, "rank 8 does not exist");
}

}  // namespace
}  // namespace dampi::replay
