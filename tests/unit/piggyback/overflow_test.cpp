// Displacements that were too large for an int.
#include "piggyback/rank/arguments/overflow.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace dampi::piggyback::arguments {
namespace {

int narrow(std::int64_t value) { return static_cast<std::int32_t>(static_cast<std::uint32_t>(value)); }

std::optional<Overflow> find(const std::vector<std::int64_t>& meant, const std::vector<std::int64_t>& lengths) {
    std::vector<int> displacements;
    for (const std::int64_t each : meant) {
        displacements.push_back(narrow(each));
    }
    return find_overflow(displacements.size(), displacements.data(), [&](std::size_t i) { return lengths[i]; });
}

constexpr std::int64_t giga = std::int64_t{1} << 30;

TEST(Overflow, WhereTheBlockBeforeEnds) {
    const auto found = find({0, giga, 2 * giga, 3 * giga}, {giga, giga, giga, giga});
    ASSERT_TRUE(found);
    EXPECT_EQ(found->at, 2U);
    EXPECT_EQ(text_of(*found), "element 2 is -2147483648, which is what 32 bits leave of 2147483648");
}

TEST(Overflow, OfAStride) {
    const auto found = find({0, giga, 2 * giga}, {1, 1, 1});
    ASSERT_TRUE(found);
    EXPECT_EQ(found->meant, 2 * giga);
}

TEST(Overflow, EvenWhereItIsPositiveAgain) {
    const auto found = find({giga, 2 * giga - 1, 4 * giga + 7}, {1, 2 * giga + 8, 1});
    ASSERT_TRUE(found);
    EXPECT_EQ(found->is, 7);
    EXPECT_EQ(found->meant, 4 * giga + 7);
}

TEST(Overflow, OtherOrdersAndNegativeOnesAreAllowed) {
    EXPECT_FALSE(find({0, 10, 20}, {10, 10, 10}));
    EXPECT_FALSE(find({20, 10, 0}, {10, 10, 10}));
    EXPECT_FALSE(find({-5, -10, 3}, {1, 1, 1}));
    EXPECT_FALSE(find({0, giga, -giga}, {10, 10, 10}));
    EXPECT_FALSE(find({}, {}));
    EXPECT_FALSE(find({-1}, {1}));
}

TEST(Overflow, RandomArrays) {
    std::mt19937_64 random(7);
    int overflowed = 0;
    for (int round = 0; round < 20'000; ++round) {
        const std::size_t ranks = 2 + random() % 30;
        const auto most = static_cast<std::int64_t>(1 + random() % (2 * giga));
        std::vector<std::int64_t> lengths;
        std::vector<std::int64_t> meant;
        std::int64_t end = 0;
        for (std::size_t i = 0; i < ranks; ++i) {
            lengths.push_back(static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(most)));
            meant.push_back(end);
            end += lengths.back();
        }
        const bool is = meant.back() >= 2 * giga;
        overflowed += is ? 1 : 0;
        const auto found = find(meant, lengths);
        ASSERT_EQ(found.has_value(), is);
        if (found) {
            ASSERT_EQ(found->meant, meant[found->at]);
            ASSERT_TRUE(found->at == 0 || meant[found->at - 1] < 2 * giga);
        }
    }
    EXPECT_GT(overflowed, 5000);
}

}  // namespace
}  // namespace dampi::piggyback::arguments
