// Clocks that ranks publish for each other: what is read is what was published, an empty clock costs nothing, each
// snapshot is published once, and dampi-run believes no name that makes no sense.
#include "transport/memory/clock_store.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <initializer_list>
#include <limits>
#include <utility>

namespace dampi::transport::memory {
namespace {

using clocks::Clock;
using clocks::Protocol;
using clocks::Snapshot;

Clock vector_clock(std::initializer_list<std::pair<base::Rank, std::uint32_t>> epochs) {
    Clock clock;
    for (const auto& [rank, index] : epochs) {
        clock.vector.add(rank, index);
    }
    return clock;
}

Snapshot snapshot(Clock clock) { return Snapshot(std::move(clock)); }

struct ClockStoreTest : testing::Test {
    Area area = Area::create(3, {});
    Slab slab{area, 1};

    ClockName publish(const Snapshot& what) { return publish_clock(area, slab, what); }
    /// What dampi-run reads; fails the test where it refuses the name.
    Clock read_outside(ClockName name) {
        Clock clock = vector_clock({{0, 99}});  // must not be left over
        EXPECT_TRUE(read_published_clock(area, name, clock));
        return clock;
    }
    [[nodiscard]] bool refused(ClockName name) const {
        Clock clock;
        return !read_published_clock(area, name, clock);
    }
};

TEST_F(ClockStoreTest, WhatIsReadIsWhatWasPublished) {
    const Clock small = vector_clock({{2, 0}});
    const Clock large = vector_clock({{0, 0}, {0, 1}, {0, 7}, {1, 3}, {2, 5}, {2, 6}, {2, 1'000'000}});
    const ClockName first = publish(snapshot(small));
    const ClockName second = publish(snapshot(large));
    EXPECT_NE(first, 0U);
    EXPECT_NE(first, second);
    EXPECT_EQ(published_clock(area, first), small);
    EXPECT_EQ(published_clock(area, second), large);
    EXPECT_EQ(read_outside(first), small);
    EXPECT_EQ(read_outside(second), large);
}

TEST_F(ClockStoreTest, TheEmptyClockHasNoPlace) {
    const Offset before = slab.allocate(64);
    EXPECT_EQ(publish(snapshot({})), 0U);
    EXPECT_EQ(slab.allocate(64), before + 64);
    EXPECT_EQ(published_clock(area, 0), Clock{});
    EXPECT_EQ(read_outside(0), Clock{});
}

TEST_F(ClockStoreTest, EachSnapshotIsPublishedOnce) {
    const Snapshot what = snapshot(vector_clock({{1, 0}}));
    const ClockName name = publish(what);
    EXPECT_EQ(publish(what), name);
    // One that was read from another rank keeps the name that it has there.
    Slab others(area, 2);
    const Snapshot read = published_snapshot(area, name);
    EXPECT_EQ(read->clock, what->clock);
    EXPECT_EQ(publish_clock(area, others, read), name);
}

TEST_F(ClockStoreTest, ALamportClockIsItsOwnName) {
    area = Area::create(2, {}, Protocol::lamport);
    const Snapshot what = snapshot({.lamport = {42}, .vector = {}});
    EXPECT_EQ(publish(what), 42U);
    EXPECT_EQ(published_clock(area, 42), what->clock);
    EXPECT_EQ(published_snapshot(area, 42)->clock, what->clock);
    EXPECT_EQ(read_outside(42), what->clock);
}

TEST_F(ClockStoreTest, WhatIsKnownNeedNotBeRead) {
    const ClockName name = publish(snapshot(vector_clock({{0, 0}, {0, 1}, {2, 4}})));
    EXPECT_TRUE(is_published_known(area, 0, {}));
    EXPECT_FALSE(is_published_known(area, name, {}));
    EXPECT_FALSE(is_published_known(area, name, vector_clock({{0, 0}, {0, 1}, {2, 3}})));
    EXPECT_TRUE(is_published_known(area, name, vector_clock({{0, 0}, {0, 1}, {0, 2}, {1, 0}, {2, 4}})));
    area = Area::create(2, {}, Protocol::lamport);
    EXPECT_TRUE(is_published_known(area, 3, {.lamport = {3}, .vector = {}}));
    EXPECT_FALSE(is_published_known(area, 4, {.lamport = {3}, .vector = {}}));
}

TEST_F(ClockStoreTest, TheLastClockOfEachRankIsRemembered) {
    PublishedClocks remembered(3);
    const Clock a = vector_clock({{0, 0}});
    const Clock b = vector_clock({{1, 0}});
    const ClockName first = publish(snapshot(a));
    const ClockName second = publish(snapshot(b));
    EXPECT_EQ(remembered.read(area, 1, 0), Clock{});
    for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(remembered.read(area, 1, first), a);
        EXPECT_EQ(remembered.read(area, 1, first), a);
        EXPECT_EQ(remembered.read(area, 1, second), b);
        EXPECT_EQ(remembered.read(area, 2, first), a);
    }
    EXPECT_EQ(remembered.read(area, 1, 0), Clock{});
}

TEST_F(ClockStoreTest, NamesThatMakeNoSenseAreRefused) {
    const ClockName name = publish(snapshot(vector_clock({{0, 3}, {0, 5}})));
    EXPECT_TRUE(refused(1));
    EXPECT_TRUE(refused(name + 4));                // not aligned
    EXPECT_TRUE(refused(area.slab_begin(0) - 8));  // in the log
    EXPECT_TRUE(refused(area.slab_end(2)));        // behind everything
    EXPECT_TRUE(refused(std::numeric_limits<ClockName>::max()));
    auto& published = area.at<PublishedClock>(name);
    for (const std::uint64_t count :
         {std::uint64_t{1} << 60, std::numeric_limits<std::uint64_t>::max(), slab_capacity / 4}) {
        published.intervals = count;
        EXPECT_TRUE(refused(name)) << count;
    }
    published.intervals = 2;
    EXPECT_FALSE(refused(name));
    std::memset(reinterpret_cast<std::uint8_t*>(&published + 1), 0xff, 2 * sizeof(clocks::VectorClock::Interval));
    EXPECT_TRUE(refused(name));
    // The last word of a slab cannot be followed by anything.
    area.at<PublishedClock>(area.slab_end(1) - sizeof(PublishedClock)).intervals = 1;
    EXPECT_TRUE(refused(area.slab_end(1) - sizeof(PublishedClock)));
}

}  // namespace
}  // namespace dampi::transport::memory
