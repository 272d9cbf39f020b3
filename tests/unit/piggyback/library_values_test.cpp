// Values that name envelopes and postings: every one comes back, and none is 0.
#include "piggyback/rank/library_values.hpp"

#include <gtest/gtest.h>

namespace dampi::piggyback {
namespace {

TEST(LibraryValues, NamesComeBack) {
    for (const base::Rank rank : {0, 1, 1023, (1 << 23) - 2}) {
        for (const std::uint64_t number : {std::uint64_t{0}, std::uint64_t{1}, (std::uint64_t{1} << 40) - 1}) {
            const std::uint64_t value = value_of(Named{.rank = rank, .number = number});
            EXPECT_NE(value, 0U);
            EXPECT_EQ(named_by(value), (Named{.rank = rank, .number = number}));
        }
    }
    EXPECT_FALSE(named_by(0));
}

}  // namespace
}  // namespace dampi::piggyback
