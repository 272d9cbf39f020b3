// Where operations stand in a space-time diagram: right of all that happened before them.
#include "scheduler/report/causal_depth.hpp"

#include <gtest/gtest.h>

namespace dampi::scheduler {
namespace {

using Intervals = std::vector<clocks::VectorClock::Interval>;

clocks::Clock known(const Intervals& intervals) {
    return {.lamport = {}, .vector = clocks::VectorClock::from_intervals(intervals)};
}

replay::Epoch receive(replay::EpochId id, replay::Rank source, const Intervals& past) {
    replay::Epoch epoch;
    epoch.id = id;
    epoch.outcome = replay::Outcome{.source = source, .tag = 0};
    epoch.posted = epoch.past = known(past);
    return epoch;
}

std::vector<std::uint32_t> depths(const std::vector<DiagramPlace>& places) {
    std::vector<std::uint32_t> all;
    for (const DiagramPlace& place : places) {
        all.push_back(place.depth);
    }
    return all;
}

TEST(DiagramPlaces, OfNothingThereAreNone) { EXPECT_TRUE(diagram_places({}).empty()); }

TEST(DiagramPlaces, ConcurrentOperationsHaveTheSameDepth) {
    EXPECT_EQ(depths(diagram_places({receive({0, 0}, 2, {}), receive({1, 0}, 2, {})})),
              (std::vector<std::uint32_t>{1, 1}));
}

TEST(DiagramPlaces, OperationsOfARankFollowOneAnother) {
    // A nonblocking receive that nobody has seen come to its end when the next one did.
    EXPECT_EQ(depths(diagram_places({receive({0, 0}, 1, {}), receive({0, 1}, 1, {})})),
              (std::vector<std::uint32_t>{1, 2}));
}

TEST(DiagramPlaces, AMessageCarriesTheDepthOfItsSender) {
    const std::vector<DiagramPlace> places = diagram_places(
        {receive({0, 0}, 2, {}), receive({0, 1}, 2, {{0, 0, 1}}), receive({1, 0}, 0, {{0, 0, 2}}),
         receive({2, 0}, 1, {{0, 0, 2}, {1, 0, 1}}), receive({2, 1}, 3, {{0, 0, 2}, {1, 0, 1}, {2, 0, 1}})});
    EXPECT_EQ(depths(places), (std::vector<std::uint32_t>{1, 2, 3, 4, 5}));
    EXPECT_EQ(places[0].sent_after, 0U) << "rank 2 has had no operation before";
    EXPECT_EQ(places[2].sent_after, 2U);
    EXPECT_EQ(places[3].sent_after, 3U);
    EXPECT_EQ(places[4].sent_after, 0U) << "rank 3 has had none";
}

TEST(DiagramPlaces, WhatIsKnownWithAGapCounts) {
    // Rank 1 has seen the first and the third receive of rank 0 come to an end, and then only the third.
    const std::vector<replay::Epoch> of_zero{receive({0, 0}, 1, {}), receive({0, 1}, 1, {{0, 0, 1}}),
                                             receive({0, 2}, 1, {{0, 0, 1}})};
    for (const Intervals& past : {Intervals{{0, 0, 1}, {0, 2, 3}}, Intervals{{0, 2, 3}, {2, 0, 1}}}) {
        std::vector<replay::Epoch> epochs = of_zero;
        epochs.push_back(receive({1, 0}, 0, past));
        const std::vector<DiagramPlace> places = diagram_places(epochs);
        EXPECT_EQ(depths(places), (std::vector<std::uint32_t>{1, 2, 3, 4}));
        EXPECT_EQ(places[3].sent_after, 3U);
    }
}

TEST(DiagramPlaces, TheTwoOrders) {
    // Issued together, but the first one's message came only when the second one's had.
    replay::Epoch first = receive({0, 0}, 1, {{0, 1, 2}});
    first.posted = known({});
    const std::vector<DiagramPlace> places = diagram_places({first, receive({0, 1}, 2, {})});
    EXPECT_EQ(places[0].by_issue, 0U);
    EXPECT_EQ(places[1].by_issue, 1U);
    EXPECT_EQ(places[0].by_outcome, 1U);
    EXPECT_EQ(places[1].by_outcome, 0U);
    EXPECT_EQ(depths(places), (std::vector<std::uint32_t>{2, 1}));
}

TEST(DiagramPlaces, WhatNeverCameToAnOutcomeStandsWhereItWasIssued) {
    replay::Epoch open = receive({1, 0}, 0, {});
    open.outcome.reset();
    open.posted = known({{0, 0, 1}});
    const std::vector<DiagramPlace> places = diagram_places({receive({0, 0}, 1, {}), open});
    EXPECT_EQ(depths(places), (std::vector<std::uint32_t>{1, 2}));
    EXPECT_EQ(places[1].sent_after, 0U);
}

TEST(DiagramPlaces, LamportClocksOrderThem) {
    const auto at = [](replay::EpochId id, std::uint64_t time) {
        replay::Epoch epoch = receive(id, 2, {});
        epoch.posted.lamport.value = epoch.past.lamport.value = time;
        return epoch;
    };
    EXPECT_EQ(depths(diagram_places({at({0, 0}, 1), at({0, 1}, 7), at({1, 0}, 1), at({1, 1}, 3)})),
              (std::vector<std::uint32_t>{1, 3, 1, 2}));
}

}  // namespace
}  // namespace dampi::scheduler
