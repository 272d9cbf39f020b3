// What ranks did differently, call by call.
#include "scheduler/report/call_difference.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace dampi::scheduler {
namespace {

using replay::CallEvent;
using replay::CallKind;
using replay::CallName;
using replay::Rank;

CallEvent call(Rank rank, std::uint32_t index, CallKind kind, const char* function, int line,
               std::optional<CallName> match = {}) {
    CallEvent made;
    made.name = {rank, index};
    made.kind = kind;
    made.function = function;
    made.where = {"/app", 0x40, "main", "app.c", line};
    made.issue = 1;
    made.match = match;
    return made;
}

std::vector<CallEvent> calls(Rank source, bool goes_on) {
    std::vector<CallEvent> all{call(0, 0, CallKind::collective, "MPI_Barrier", 3),
                               call(0, 1, CallKind::receive, "MPI_Recv", 5, CallName{source, 0})};
    if (goes_on) {
        all.push_back(call(0, 2, CallKind::finalize, "MPI_Finalize", 9));
    }
    for (const Rank rank : {1, 2}) {
        all.push_back(call(rank, 0, CallKind::send, "MPI_Send", 7,
                           rank == source ? std::optional(CallName{0, 1}) : std::nullopt));
    }
    return all;
}

TEST(CallDifferences, FromTheFirstCallOnThatHasComeToSomethingElse) {
    const auto found = call_differences(calls(2, false), calls(1, true));
    ASSERT_EQ(found.size(), 1U) << "who takes what ranks 1 and 2 send is not their doing";
    EXPECT_EQ(found[0].rank, 0);
    EXPECT_EQ(found[0].same, 1U);
    EXPECT_EQ(found[0].failing, (std::vector<std::uint32_t>{1}));
    EXPECT_EQ(found[0].passing, (std::vector<std::uint32_t>{1, 2}));
}

TEST(CallDifferences, AMessageIsTheSameWhateverItsSenderDidBefore) {
    const auto run = [](std::uint32_t sent_first, std::uint32_t got_first) {
        std::vector<CallEvent> all{call(0, 0, CallKind::receive, "MPI_Recv", 5, CallName{1, got_first})};
        for (std::uint32_t i = 0; i < 3; ++i) {
            all.push_back(call(1, i, CallKind::send, "MPI_Send", 7));
            all.back().peer = i == sent_first ? 0 : 2;
        }
        return all;
    };
    const auto is_listed = [](const std::vector<CallEvent>& failing, const std::vector<CallEvent>& passing) {
        const auto found = call_differences(failing, passing);
        return std::any_of(found.begin(), found.end(), [](const auto& each) { return each.rank == 0; });
    };
    EXPECT_FALSE(is_listed(run(0, 0), run(2, 2)));
    std::vector<CallEvent> second = run(0, 2);
    second.back().peer = 0;
    EXPECT_TRUE(is_listed(run(0, 0), second)) << "it is the second of its kind";
}

TEST(CallDifferences, NothingWhereAllIsTheSame) {
    EXPECT_TRUE(call_differences(calls(1, true), calls(1, true)).empty());
    EXPECT_TRUE(call_differences({}, {}).empty());
}

TEST(CallDifferences, ACallThatDidNotReturnIsAnotherOne) {
    std::vector<CallEvent> failing = calls(1, true);
    failing[2].issue.reset();
    const auto found = call_differences(failing, calls(1, true));
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].same, 2U);
}

TEST(CallDifferences, AWaitThatReportedAnotherRequestIsAnotherOne) {
    std::vector<CallEvent> failing{call(0, 0, CallKind::completion, "MPI_Waitany", 4)};
    failing[0].completed = {2};
    std::vector<CallEvent> passing = failing;
    EXPECT_TRUE(call_differences(failing, passing).empty());
    passing[0].completed = {3};
    EXPECT_EQ(call_differences(failing, passing).size(), 1U);
}

TEST(CallDifferences, ARankThatIsOnlyInOneOfThem) {
    const std::vector<CallEvent> failing{call(1, 0, CallKind::abort, "MPI_Abort", 4)};
    const auto found = call_differences(failing, {});
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].failing.size(), 1U);
    EXPECT_TRUE(found[0].passing.empty());
}

TEST(CallDifferences, WhoBeganToDifferComesFirst) {
    std::vector<CallEvent> failing = calls(2, false);
    failing.back().kind = CallKind::abort;
    failing.back().order = 4;
    failing[1].order = 7;
    const auto found = call_differences(failing, calls(1, true));
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found[0].rank, 2);
    EXPECT_EQ(found[1].rank, 0);
}

TEST(CallDifferences, TheOthersComeByRank) {
    std::vector<CallEvent> failing;
    for (Rank rank = 0; rank < 4; ++rank) {
        failing.push_back(call(rank, 0, CallKind::send, "MPI_Send", 7));
        failing.back().order = rank == 2 ? 1 : 10 - static_cast<std::uint64_t>(rank);
    }
    std::vector<Rank> ranks;
    for (const CallDifference& each : call_differences(failing, {})) {
        ranks.push_back(each.rank);
    }
    EXPECT_EQ(ranks, (std::vector<Rank>{2, 0, 1, 3})) << "whatever the order in which they came there";
}

TEST(CallDifferences, WhoWasOnlyKeptFromGoingOnComesLast) {
    const auto with_end = [](Rank source, bool returns) {
        std::vector<CallEvent> all = calls(source, true);
        all[1].order = 7;
        all.insert(all.begin() + 4, call(1, 1, CallKind::finalize, "MPI_Finalize", 9));
        all[4].order = 3;
        all[4].issue = returns ? std::optional<std::uint64_t>(1) : std::nullopt;
        return all;
    };
    const auto found = call_differences(with_end(2, false), with_end(1, true));
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found[0].rank, 0);
    EXPECT_EQ(found[1].rank, 1);
}

TEST(CallDifferences, AWaitThatDidNotReturnOnlyKeptItsRankFromGoingOn) {
    CallEvent wait = call(0, 0, CallKind::completion, "MPI_Wait", 4);
    wait.requests = {7};
    std::vector<CallEvent> failing{wait, call(1, 0, CallKind::receive, "MPI_Recv", 5, CallName{2, 0})};
    failing[0].issue.reset();
    failing[1].order = 9;
    wait.completed = {7};
    const auto found = call_differences(failing, {wait, call(1, 0, CallKind::receive, "MPI_Recv", 5, CallName{3, 0})});
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found[0].rank, 1);
    EXPECT_EQ(found[1].rank, 0);
}

TEST(CallDifferences, NotAllIsListed) {
    std::vector<CallEvent> failing;
    for (std::uint32_t i = 0; i < most_different_calls + 5; ++i) {
        failing.push_back(call(0, i, CallKind::send, "MPI_Send", 7));
    }
    const auto found = call_differences(failing, {});
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].failing.size(), most_different_calls);
    EXPECT_EQ(found[0].failing_omitted, 5U);
}

}  // namespace
}  // namespace dampi::scheduler
