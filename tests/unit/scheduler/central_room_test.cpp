#include "scheduler/engines/central/room.hpp"

#include <gtest/gtest.h>

namespace dampi::scheduler::central {
namespace {

using clocks::Clock;
using clocks::Snapshot;

constexpr std::uint64_t size = 8;

Clock knows(std::initializer_list<std::pair<base::Rank, std::uint32_t>> epochs) {
    Clock clock;
    for (const auto& [rank, index] : epochs) {
        clock.vector.add(rank, index);
    }
    return clock;
}

Snapshot told(std::initializer_list<std::pair<base::Rank, std::uint32_t>> epochs) { return Snapshot(knows(epochs)); }

TEST(CentralRoom, IsGivenInTheOrderOfSending) {
    Room room;
    const RoomUse first = room.take(4, 1, size, {});
    EXPECT_TRUE(room.fits_anyway(size));
    const RoomUse second = room.take(6, 2, size, {});
    EXPECT_FALSE(room.fits_anyway(size));
    const RoomUse third = room.take(1, 3, size, {});
    EXPECT_FALSE(room.fits(room.up_to(second), size));
    EXPECT_FALSE(room.fits(room.up_to(third), size)) << "it stands behind the second";
    EXPECT_EQ(room.receivers(room.up_to(third)), (std::vector<base::Rank>{1, 2, 3}));
    room.free(first, told({}));
    EXPECT_TRUE(room.fits(room.up_to(second), size));
    EXPECT_TRUE(room.fits(room.up_to(third), size));
    EXPECT_EQ(room.receivers(room.up_to(second)), (std::vector<base::Rank>{2}));
}

TEST(CentralRoom, WhatWasReceivedGoesOnThoughTheRoomIsTaken) {
    Room room;
    room.take(8, 1, size, {});
    const RoomUse second = room.take(8, 2, size, {});
    room.free(second, told({{2, 0}}));
    EXPECT_TRUE(room.fits(room.up_to(second), size)) << "it needs none any more";
    const Room::Way way = room.way(room.up_to(second), size, {});
    EXPECT_EQ(way.used, RoomUses{second});
    ASSERT_TRUE(way.told);
    EXPECT_EQ(way.told->clock, knows({{2, 0}}));
    EXPECT_EQ(room.could_differ(size), 0U);
}

TEST(CentralRoom, TellsWhatFollowsFromTheReceivesThatMadeIt) {
    Room room;
    const RoomUse first = room.take(4, 1, size, {});
    room.take(4, 2, size, {});
    const RoomUse third = room.take(4, 3, size, {});
    room.free(first, told({{1, 0}}));
    const Room::Way way = room.way(room.up_to(third), size, {});
    EXPECT_EQ(way.used, RoomUses{first});
    ASSERT_TRUE(way.told);
    EXPECT_EQ(way.told->clock, knows({{1, 0}}));
    EXPECT_EQ(room.could_differ(size), 0U) << "nobody else has received anything";
    room.learn(way.used);
    EXPECT_EQ(room.up_to(third).size(), 2U);
    EXPECT_EQ(room.up_to(first), RoomUses{first}) << "known to be received";
    EXPECT_TRUE(room.fits(room.up_to(first), size));
    EXPECT_TRUE(room.way(room.up_to(first), size, {}).used.empty());
}

TEST(CentralRoom, NothingIsToldWhereTheProgramKnowsOrNobodyChose) {
    Room room;
    const RoomUse first = room.take(8, 1, size, {});
    room.free(first, told({{1, 0}}));
    const RoomUse second = room.take(8, 1, size, {});
    EXPECT_FALSE(room.way(room.up_to(second), size, knows({{1, 0}})).told);
    room.learn({first});
    room.free(second, told({}));
    const RoomUse third = room.take(8, 1, size, {});
    EXPECT_FALSE(room.way(room.up_to(third), size, {}).told);
    EXPECT_EQ(room.could_differ(size), 0U);
}

TEST(CentralRoom, SaysThatAnotherReceiveCouldHaveMadeIt) {
    Room room;
    const RoomUse first = room.take(4, 1, size, {});
    const RoomUse second = room.take(4, 2, size, {});
    const RoomUse third = room.take(4, 3, size, {});
    room.free(first, told({{1, 0}}));
    (void)room.way(room.up_to(third), size, {});
    EXPECT_EQ(room.could_differ(size), 0U);
    room.free(second, told({{2, 0}}));
    EXPECT_EQ(room.could_differ(size), 1U);
}

TEST(CentralRoom, NoOtherWayThatTellsAtLeastAsMuch) {
    Room room;
    const RoomUse first = room.take(4, 1, size, {});
    room.take(4, 1, size, {});
    const RoomUse third = room.take(4, 1, size, {});
    room.free(first, told({{1, 0}}));
    (void)room.way(room.up_to(third), size, {});
    room.free(third, told({{1, 0}, {1, 1}}));  // received after the first
    EXPECT_EQ(room.could_differ(size), 0U);
}

TEST(CentralRoom, ACopyGoesOnForItself) {
    Room room;
    const RoomUse first = room.take(8, 1, size, {});
    const RoomUse second = room.take(8, 1, size, {});
    Room copy = room;
    room.free(first, told({}));
    EXPECT_TRUE(room.fits(room.up_to(second), size));
    EXPECT_FALSE(copy.fits(copy.up_to(second), size));
}

}  // namespace
}  // namespace dampi::scheduler::central
