// The buffers of pending operations: what meets them, and for how long.
#include "piggyback/rank/buffers/pending.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace dampi::piggyback {
namespace {

BufferUse use(BufferRole role, std::int64_t begin, std::int64_t end) {
    return {.region = {.begin = begin, .end = end}, .role = role};
}

int meeting(PendingBuffers& pending, const BufferUse& with) {
    int number = 0;
    EXPECT_FALSE(pending.any_meeting(with, [&](const PendingUse&) {
        ++number;
        return false;
    }));
    EXPECT_TRUE(number == 0 || !pending.meets_none(with));
    return number;
}

TEST(PendingBuffers, ASendMeetsReceivesAndAReceiveBoth) {
    PendingBuffers pending;
    HeldBuffers held;
    held.add(pending, use(BufferRole::send, 0, 10));
    held.add(pending, use(BufferRole::receive, 20, 30));
    EXPECT_EQ(meeting(pending, use(BufferRole::send, 0, 100)), 1);
    EXPECT_EQ(meeting(pending, use(BufferRole::receive, 0, 100)), 2);
    EXPECT_EQ(meeting(pending, use(BufferRole::send, 0, 10)), 0);
    EXPECT_EQ(meeting(pending, use(BufferRole::receive, 9, 10)), 1);
    EXPECT_TRUE(pending.meets_none(use(BufferRole::send, 0, 20)));
    EXPECT_TRUE(pending.meets_none(use(BufferRole::receive, 10, 20)));
}

TEST(PendingBuffers, AreVisitedOnceMoreWhenTheyAreReleased) {
    PendingBuffers pending;
    HeldBuffers call;
    call.add(pending, use(BufferRole::send, 0, 10), "MPI_Isend", 5).sum = 7;
    call.add(pending, use(BufferRole::receive, 20, 30));
    HeldBuffers request;
    request.take(call);
    call.release([](const PendingUse&) { ADD_FAILURE() << "the request has them"; });
    int all = 0;
    pending.for_each([&](const PendingUse&) { ++all; });
    EXPECT_EQ(all, 2);
    std::uint64_t sums = 0;
    int released = 0;
    request.release([&](const PendingUse& each) {
        ++released;
        sums += each.sum;
        EXPECT_EQ(each.site, each.use.role == BufferRole::send ? 5U : 0U);
    });
    EXPECT_EQ(released, 2);
    EXPECT_EQ(sums, 7U);
    EXPECT_EQ(pending.size(), 0U);
    pending.for_each([](const PendingUse&) { ADD_FAILURE() << "none is left"; });
}

TEST(PendingBuffers, AreThereUntilTheirOperationLetsGo) {
    PendingBuffers pending;
    {
        HeldBuffers first;
        HeldBuffers second;
        for (std::int64_t i = 0; i < 100; ++i) {
            first.add(pending, use(BufferRole::receive, i, i + 1));
            second.add(pending, use(BufferRole::receive, i, i + 1));
        }
        EXPECT_EQ(meeting(pending, use(BufferRole::send, 50, 51)), 2);
        first.release();
        EXPECT_EQ(meeting(pending, use(BufferRole::send, 50, 51)), 1);
        first.release();
        first.add(pending, use(BufferRole::receive, 50, 51));
        EXPECT_EQ(meeting(pending, use(BufferRole::send, 50, 51)), 2);
    }
    EXPECT_EQ(pending.size(), 0U);
    EXPECT_EQ(meeting(pending, use(BufferRole::receive, 0, 1000)), 0);
}

TEST(PendingBuffers, ManyComeAndGoWhileOneStays) {
    PendingBuffers pending;
    HeldBuffers stays;
    stays.add(pending, use(BufferRole::receive, 0, 10));
    for (std::int64_t i = 0; i < 1000; ++i) {
        HeldBuffers passes;
        passes.add(pending, use(BufferRole::send, 100, 110));
        passes.add(pending, use(BufferRole::receive, i, i + 5));
        EXPECT_EQ(pending.size(), 3U);
        EXPECT_EQ(meeting(pending, use(BufferRole::send, i, i + 5)), i < 10 ? 2 : 1);
        EXPECT_EQ(meeting(pending, use(BufferRole::send, 0, 1)), i == 0 ? 2 : 1);
    }
    EXPECT_EQ(pending.size(), 1U);
    EXPECT_EQ(meeting(pending, use(BufferRole::send, 0, 2000)), 1);
}

}  // namespace
}  // namespace dampi::piggyback
