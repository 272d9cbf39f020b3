// How long a polling call waits before it says "nothing yet".
#include "replay/polling_patience.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>

namespace dampi::replay {
namespace {

using namespace std::chrono_literals;

TEST(PollingPatience, HalvesFromCallToCall) {
    EXPECT_EQ(polling_patience(0, 0us, 0, 100us), 100ms);
    EXPECT_EQ(polling_patience(1, 100ms, 1, 100us), 50ms);
    EXPECT_EQ(polling_patience(9, 200ms, 9, 100us), 195us);
    EXPECT_EQ(polling_patience(10, 200ms, 10, 100us), 100us) << "the shortest";
    EXPECT_EQ(polling_patience(10, 200ms, 10, 1ms), 1ms);
    EXPECT_EQ(polling_patience(~std::uint64_t{0}, 999999us, 0, 1ms), 1ms);
}

TEST(PollingPatience, IsOverAtSomeTime) {
    EXPECT_EQ(polling_patience(0, 1s, 999, 100us), 100us) << "a new sequence, too";
    EXPECT_EQ(polling_patience(0, 999999us, 5000, 100us), 100ms) << "answers alone do not matter";
    EXPECT_EQ(polling_patience(0, 1s, 1000, 100us), 0us);
    EXPECT_EQ(polling_patience(0, 1499999us, 0, 100us), 100us);
    EXPECT_EQ(polling_patience(0, 1500ms, 0, 100us), 0us) << "it has made thousands of calls";
}

}  // namespace
}  // namespace dampi::replay
