// Whether a run that looks for loads and stores is worth while, and which of its findings become the sweep's.
#include "scheduler/sweep/touches.hpp"

#include <gtest/gtest.h>

namespace dampi::scheduler {
namespace {

using replay::ViolationKind;
using ShownBy = Finding::ShownBy;

replay::CodePlace at(int line) {
    return {.module = "/app", .offset = static_cast<std::uint64_t>(line), .function = "f", .file = "a.c", .line = line};
}

/// Of an operation begun in line `begun`; noticed by a call, or done by an instruction, in line `line`.
Finding modified(const std::string& call, int line, int begun) {
    Finding finding;
    finding.violation = {
        .kind = ViolationKind::buffer_modified,
        .message = call + " changed",
        .ranks = {0},
        .situations = {
            {.rank = 0, .call = call, .detail = "", .where = at(line)},
            {.rank = 0, .call = "MPI_Isend", .detail = "pending: send buffer of 4 bytes", .where = at(begun)}}};
    return finding;
}

Finding of_kind(ViolationKind kind) {
    Finding finding;
    finding.violation = {.kind = kind, .message = "m", .ranks = {0}, .situations = {}};
    return finding;
}

TEST(Touches, OnlyProgramsThatLeaveSomethingPendingHaveThem) {
    launch::Program program;
    program.mpi_functions = {"MPI_Init", "MPI_Isend_c", "MPI_Finalize"};
    EXPECT_TRUE(may_leave_pending(program));
    program.mpi_functions = {"MPI_Startall"};
    EXPECT_TRUE(may_leave_pending(program));
    program.mpi_functions = {"MPI_Win_create"};
    EXPECT_TRUE(may_leave_pending(program)) << "others have its memory";
    program.mpi_functions = {"MPI_Init",        "MPI_Iprobe", "MPI_Ibarrier",
                             "MPI_Info_create", "MPI_Send",   "MPI_Is_thread_main"};
    EXPECT_FALSE(may_leave_pending(program));
}

TEST(Touches, ATenthOfTheTimeOrTwoSeconds) {
    SweepResult result;
    EXPECT_EQ(time_for_touches(result).count(), 0) << "nothing was run";
    result.explored = 10;
    result.seconds = 1;
    EXPECT_EQ(time_for_touches(result).count(), 2000);
    result.seconds = 100;
    EXPECT_EQ(time_for_touches(result).count(), 0) << "one takes as long";
    result.explored = 100;
    EXPECT_EQ(time_for_touches(result).count(), 10'000);
    result.explored = 2;
    result.seconds = 20;
    EXPECT_EQ(time_for_touches(result).count(), 0);
    result.interleavings = {{.seconds = 0.1}, {.seconds = 0.2}};
    EXPECT_EQ(time_for_touches(result).count(), 2000) << "the rest is not theirs";
}

TEST(Touches, OnlyWhatTouchesBuffersIsTaken) {
    SweepResult result;
    take_in_touches({of_kind(ViolationKind::deadlock), of_kind(ViolationKind::buffer_read),
                     of_kind(ViolationKind::buffer_modified)},
                    result);
    ASSERT_EQ(result.findings.size(), 2U);
    for (const Finding& finding : result.findings) {
        EXPECT_EQ(finding.shown_by, ShownBy::touches);
        EXPECT_EQ(finding.count, 0U);
        EXPECT_TRUE(finding.reproducer.trial);
    }
}

TEST(Touches, RacesWithLoadsAndStoresAreTaken) {
    Finding calls = of_kind(ViolationKind::rma_race);
    calls.violation.situations = {{.rank = 0, .call = "MPI_Put", .detail = "", .where = at(1)},
                                  {.rank = 1, .call = "MPI_Get", .detail = "", .where = at(2)}};
    Finding own = calls;
    own.violation.situations.back().call = "store";
    SweepResult result;
    take_in_touches({calls, own}, result);
    ASSERT_EQ(result.findings.size(), 1U);
    EXPECT_EQ(result.findings[0].violation.situations.back().call, "store");
}

TEST(Touches, WhatTheSweepHasNoticedGetsItsPlace) {
    SweepResult result;
    result.findings = {modified("MPI_Wait", 30, 10)};
    Finding other = modified("", 40, 11);
    other.violation.situations.back().detail = "pending: of another size";
    take_in_touches({modified("", 20, 10), other}, result);
    ASSERT_EQ(result.findings.size(), 2U);
    EXPECT_EQ(result.findings[0].shown_by, ShownBy::sweep);
    EXPECT_EQ(result.findings[0].violation.situations.front().detail, "changed at a.c:20");
    EXPECT_EQ(result.findings[1].violation.situations.front().where.line, 40);
}

TEST(Touches, AStoreIntoWhatTwoOperationsUseIsOneFinding) {
    SweepResult result;
    result.findings = {modified("MPI_Waitall", 30, 11), modified("MPI_Waitall", 30, 12)};
    take_in_touches({modified("", 20, 12), modified("", 21, 10)}, result);
    ASSERT_EQ(result.findings.size(), 2U);
    EXPECT_EQ(result.findings[1].violation.situations.front().detail, "changed at a.c:20") << "the same operation";
    EXPECT_EQ(result.findings[0].violation.situations.front().detail, "changed at a.c:21") << "one like it";
}

TEST(Touches, StoresThatNoOtherRunNoticedAreEachAFinding) {
    SweepResult result;
    take_in_touches({modified("", 20, 10), modified("", 40, 11)}, result);
    EXPECT_EQ(result.findings.size(), 2U);
}

TEST(Touches, WhatSeveralRanksDoIsNoticedInAnyOfThem) {
    SweepResult result;
    result.findings = {modified("MPI_Wait", 30, 10)};
    replay::Violation other_rank = result.findings[0].violation;
    for (replay::RankSituation& each : other_rank.situations) {
        each.rank = 1;
        result.findings[0].violation.situations.push_back(each);
    }
    Finding touch = modified("", 20, 10);
    for (replay::RankSituation& each : touch.violation.situations) {
        each.rank = 1;
    }
    take_in_touches({touch}, result);
    EXPECT_EQ(result.findings.size(), 1U);
}

TEST(Touches, ARunThatEndsOtherwiseThanTheSweepsIsNoEvidence) {
    SweepResult result;
    result.findings = {of_kind(ViolationKind::leak_request)};
    EXPECT_FALSE(
        went_otherwise({of_kind(ViolationKind::buffer_modified), of_kind(ViolationKind::leak_request)}, result));
    EXPECT_TRUE(went_otherwise({of_kind(ViolationKind::crash)}, result));
}

TEST(Touches, WhatIsKnownAlreadyIsNotTakenTwice) {
    SweepResult result;
    take_in_touches({of_kind(ViolationKind::buffer_read)}, result);
    take_in_touches({of_kind(ViolationKind::buffer_read)}, result);
    EXPECT_EQ(result.findings.size(), 1U);
}

}  // namespace
}  // namespace dampi::scheduler
