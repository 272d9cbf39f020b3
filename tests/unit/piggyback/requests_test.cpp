// Which handles of requests the program still has: MPI hands out the same ones again, also for requests that the layer
// does not follow.
#include "piggyback/rank/requests.hpp"

#include <gtest/gtest.h>

#include <memory>

namespace dampi::piggyback {
namespace {

constexpr MPI_Request first = static_cast<MPI_Request>(0x98000001);
constexpr MPI_Request second = static_cast<MPI_Request>(0x98000002);
constexpr MPI_Request shared = 0x6c000001;  // of all operations that completed at once

void follow(Requests& requests, MPI_Request handle) {
    requests.add(handle, std::make_unique<Request>());
    requests.handed_out(handle);
}

TEST(Requests, AreUsedUpWhenTheyAreRemoved) {
    Requests requests;
    follow(requests, first);
    EXPECT_FALSE(requests.is_used_up(first));
    EXPECT_NE(requests.remove(first), nullptr);
    EXPECT_TRUE(requests.is_used_up(first));
    EXPECT_EQ(requests.find(first), nullptr);
    EXPECT_EQ(requests.remove(first), nullptr);
    EXPECT_FALSE(requests.is_used_up(second)) << "nobody knows it";
    follow(requests, first);
    EXPECT_FALSE(requests.is_used_up(first));
}

TEST(Requests, AHandleThatComesBackUnfollowedIsNotUsedUp) {
    Requests requests;
    follow(requests, first);
    EXPECT_NE(requests.remove(first), nullptr);
    requests.handed_out(first);
    EXPECT_FALSE(requests.is_used_up(first));
    follow(requests, first);
    EXPECT_NE(requests.remove(first), nullptr);
    EXPECT_TRUE(requests.is_used_up(first));
}

TEST(Requests, ASharedHandleIsUsedUpWithTheLastOfThem) {
    Requests requests;
    follow(requests, shared);
    follow(requests, shared);
    EXPECT_NE(requests.remove(shared), nullptr);
    EXPECT_FALSE(requests.is_used_up(shared));
    EXPECT_NE(requests.remove(shared), nullptr);
    EXPECT_TRUE(requests.is_used_up(shared));
}

TEST(Requests, ASharedHandleThatSomethingUnfollowedHasMayAlwaysBeThere) {
    Requests requests;
    follow(requests, shared);
    requests.handed_out(shared);  // another one, while the first is there
    EXPECT_NE(requests.remove(shared), nullptr);
    EXPECT_FALSE(requests.is_used_up(shared));
}

TEST(Requests, OneThatIsFreedWhileMpiStillHasItIsUsedUp) {
    Requests requests;
    follow(requests, first);
    requests.find(first)->freed = true;
    EXPECT_TRUE(requests.is_used_up(first));
}

TEST(Requests, VisitsOnlyThoseThatAreThere) {
    Requests requests;
    follow(requests, first);
    follow(requests, second);
    EXPECT_NE(requests.remove(first), nullptr);
    int visited = 0;
    requests.for_each([&](const Request& request) {
        EXPECT_EQ(request.handle, second);
        ++visited;
    });
    EXPECT_EQ(visited, 1);
}

}  // namespace
}  // namespace dampi::piggyback
