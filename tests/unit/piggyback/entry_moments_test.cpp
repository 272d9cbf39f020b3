// Which moment is the latest that somebody knows of.
#include "piggyback/distributed/one_sided/entry_moments.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace dampi::piggyback::distributed {
namespace {

TEST(EntryMoments, TheLatestThatIsKnownIsFound) {
    EntryMoments moments;
    EXPECT_EQ(moments.latest(9).moment, nullptr);
    void* const third = moments.add(3);
    void* const fifth = moments.add(5);
    EXPECT_NE(third, fifth);
    EXPECT_EQ(moments.latest(2).moment, nullptr);
    EXPECT_EQ(moments.latest(3).moment, third);
    EXPECT_EQ(moments.latest(4).moment, third);
    EXPECT_EQ(moments.latest(4).number, 3U);
    EXPECT_EQ(moments.latest(9).moment, fifth);
}

TEST(EntryMoments, InThePlaceOfOneThatIsGoneThereIsALaterOne) {
    EntryMoments moments;
    for (std::uint32_t number = 1; number <= EntryMoments::most + 2; ++number) {
        moments.add(number);
    }
    EXPECT_EQ(moments.latest(1).number, 3U);
    EXPECT_EQ(moments.latest(3).number, 3U);
    EXPECT_EQ(moments.latest(10).number, 10U);
}

TEST(EntryMoments, OnceLostTheyStayLost) {
    EntryMoments moments;
    EXPECT_FALSE(moments.lost());
    moments.lose();
    moments.add(1);
    EXPECT_TRUE(moments.lost());
}

}  // namespace
}  // namespace dampi::piggyback::distributed
