// Where calls stand in a space-time diagram.
#include "scheduler/report/call_places.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace dampi::scheduler {
namespace {

using replay::CallEvent;
using replay::CallKind;
using replay::Rank;

/// Calls in the order of issue, each of which comes to something at once unless a test says otherwise.
class OneRun {
public:
    CallEvent& add(Rank rank, CallKind kind, const char* function) {
        CallEvent call;
        call.name = {rank, next_[static_cast<std::size_t>(rank)]++};
        call.kind = kind;
        call.function = function;
        call.order = calls_.size() + 1;
        call.issue = call.order;
        return calls_.emplace_back(call);
    }
    static void match(CallEvent& send, CallEvent& receive) {
        send.match = receive.name;
        receive.match = send.name;
    }

    /// Sorted by name, as lists of calls are.
    [[nodiscard]] std::vector<CallEvent> calls() const {
        std::vector<CallEvent> sorted = calls_;
        std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
        return sorted;
    }
    CallEvent& at(std::size_t i) { return calls_[i]; }

    [[nodiscard]] std::vector<std::uint32_t> depths() const {
        std::vector<std::uint32_t> depths;
        for (const CallPlace& place : call_places(calls())) {
            depths.push_back(place.depth);
        }
        return depths;
    }

private:
    std::vector<CallEvent> calls_;
    std::uint32_t next_[4] = {};
};

TEST(CallPlaces, AReceiveStandsRightOfItsSend) {
    OneRun run;
    run.add(0, CallKind::send, "MPI_Send");
    run.add(0, CallKind::send, "MPI_Send");
    run.add(1, CallKind::receive, "MPI_Recv");
    OneRun::match(run.at(1), run.at(2));
    EXPECT_EQ(run.depths(), (std::vector<std::uint32_t>{1, 2, 3}));
    EXPECT_EQ(call_places(run.calls())[2].arrives, 2U);
}

TEST(CallPlaces, ANonblockingReceiveHasItsMessageAfterTheCallThatWaitsForIt) {
    OneRun run;
    run.add(0, CallKind::receive, "MPI_Irecv");
    run.add(0, CallKind::send, "MPI_Send");
    run.add(1, CallKind::receive, "MPI_Recv");
    run.add(1, CallKind::send, "MPI_Send");
    run.add(0, CallKind::completion, "MPI_Wait").completed = {0};
    OneRun::match(run.at(1), run.at(2));
    OneRun::match(run.at(3), run.at(0));
    const auto places = call_places(run.calls());
    EXPECT_EQ(run.depths(), (std::vector<std::uint32_t>{1, 2, 5, 3, 4})) << "posted before its message was sent";
    EXPECT_EQ(places[0].arrives, 2U);
}

TEST(CallPlaces, OneThatNobodyWaitsForHasItNowhere) {
    OneRun run;
    run.add(0, CallKind::receive, "MPI_Irecv");
    run.add(1, CallKind::send, "MPI_Send");
    OneRun::match(run.at(1), run.at(0));
    EXPECT_FALSE(call_places(run.calls())[0].arrives);
    EXPECT_EQ(run.depths(), (std::vector<std::uint32_t>{1, 1}));
}

TEST(CallPlaces, ThoseWhoMeetStandAboveOneAnother) {
    OneRun run;
    run.add(0, CallKind::send, "MPI_Send");
    run.add(0, CallKind::collective, "MPI_Barrier");
    run.add(1, CallKind::collective, "MPI_Barrier");
    run.add(1, CallKind::collective, "MPI_Barrier").issue.reset();
    const auto places = call_places(run.calls());
    EXPECT_EQ(run.depths(), (std::vector<std::uint32_t>{1, 2, 2, 3}));
    EXPECT_EQ(places[1].meeting, places[2].meeting);
    EXPECT_NE(places[3].meeting, places[2].meeting);
    EXPECT_EQ(places[3].by_outcome, 3U) << "what never came to anything is last";
}

TEST(CallPlaces, ABroadcastThatItsRootLeftEarlyIsNoCycle) {
    OneRun run;
    run.add(0, CallKind::collective, "MPI_Bcast");
    run.add(0, CallKind::send, "MPI_Send");
    run.add(1, CallKind::receive, "MPI_Recv");
    run.add(1, CallKind::collective, "MPI_Bcast");
    OneRun::match(run.at(1), run.at(2));
    EXPECT_EQ(run.depths(), (std::vector<std::uint32_t>{1, 2, 3, 4}));
}

TEST(CallPlaces, BothHalvesOfExchangesThatMeetEachOtherHavePlaces) {
    OneRun run;
    for (const Rank rank : {0, 1}) {
        run.add(rank, CallKind::receive, "MPI_Sendrecv");
        run.add(rank, CallKind::send, "MPI_Sendrecv");
    }
    OneRun::match(run.at(1), run.at(2));
    OneRun::match(run.at(3), run.at(0));
    const auto depths = run.depths();
    EXPECT_EQ(std::count(depths.begin(), depths.end(), 0U), 0);
    EXPECT_LT(depths[0], depths[1]);
    EXPECT_LT(depths[2], depths[3]);
}

TEST(CallPlaces, WhoWaitsForANonblockingCollectiveComesAfterAllWhoEnteredIt) {
    OneRun run;
    run.add(0, CallKind::collective, "MPI_Ibarrier");
    run.add(0, CallKind::completion, "MPI_Wait").completed = {0};
    run.add(1, CallKind::send, "MPI_Send");
    run.add(1, CallKind::collective, "MPI_Ibarrier");
    EXPECT_EQ(run.depths(), (std::vector<std::uint32_t>{1, 3, 1, 2}));
}

TEST(CallPlaces, OfNoCallsThereAreNone) { EXPECT_TRUE(call_places({}).empty()); }

}  // namespace
}  // namespace dampi::scheduler
