// Numbers without bound, their mean and its error, and the words for them.
#include "heuristics/size_estimate.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace dampi::heuristics {
namespace {

LargeNumber power(double base, int exponent) {
    LargeNumber number(1);
    for (int i = 0; i < exponent; ++i) {
        number = number.times(base);
    }
    return number;
}

TEST(LargeNumber, CountsBeyondDouble) {
    EXPECT_EQ(LargeNumber(1458).value(), 1458);
    EXPECT_EQ(power(3, 6).times(2).value(), 1458) << "exactly";
    const LargeNumber huge = power(10, 1000);
    EXPECT_TRUE(std::isinf(huge.value()));
    EXPECT_NEAR(huge.log10(), 1000, 1e-9);
    EXPECT_NEAR(power(10, 1001).ratio(huge), 10, 1e-9);
    EXPECT_EQ(LargeNumber(1).ratio(huge), 0);
    EXPECT_EQ(huge.plus(LargeNumber(1)), huge);
    EXPECT_EQ(LargeNumber(1).plus(huge), huge);
    EXPECT_EQ(LargeNumber(3).plus(LargeNumber(4)).value(), 7);
    EXPECT_EQ(LargeNumber(3).plus(LargeNumber()).value(), 3);
    EXPECT_EQ(LargeNumber().plus(LargeNumber(4)).value(), 4);
    EXPECT_TRUE(huge.times(0).is_zero());
    EXPECT_EQ(huge.times(0), LargeNumber());
}

TEST(LargeNumber, InWords) {
    EXPECT_EQ(number_text(LargeNumber()), "0");
    EXPECT_EQ(number_text(LargeNumber(0.4)), "0");
    EXPECT_EQ(number_text(LargeNumber(1458.2)), "1458");
    EXPECT_EQ(number_text(LargeNumber(999'999)), "999999");
    EXPECT_EQ(number_text(LargeNumber(999'999.6)), "1.0 million");
    EXPECT_EQ(number_text(LargeNumber(1'340'000)), "1.3 million");
    EXPECT_EQ(number_text(LargeNumber(43e6)), "43 million");
    EXPECT_EQ(number_text(LargeNumber(999.7e6)), "1.0 billion");
    EXPECT_EQ(number_text(LargeNumber(7.25e14)), "725 trillion");
    EXPECT_EQ(number_text(LargeNumber(1e15)), "10^15");
    EXPECT_EQ(number_text(power(10, 477)), "10^477");
}

TEST(SizeEstimate, MeanAndItsError) {
    const SizeEstimate size = estimate_size({LargeNumber(1), LargeNumber(2), LargeNumber(6)});
    EXPECT_EQ(size.ended, 3U);
    EXPECT_NEAR(size.mean.value(), 3, 1e-12);
    ASSERT_TRUE(size.standard_error);
    EXPECT_NEAR(size.standard_error->value(), std::sqrt((4.0 + 1 + 9) / 2 / 3), 1e-12);
    EXPECT_NEAR(size.relative_error().value(), std::sqrt(14.0 / 6) / 3, 1e-12);
    EXPECT_EQ(size_text(size), "about 3 (+-51%)");
}

TEST(SizeEstimate, OfLargeNumbersIsTheSame) {
    const LargeNumber huge = power(10, 1000);
    const SizeEstimate size = estimate_size({huge, huge.times(2), huge.times(6)});
    EXPECT_NEAR(size.mean.ratio(huge), 3, 1e-9);
    EXPECT_NEAR(size.relative_error().value(), std::sqrt(14.0 / 6) / 3, 1e-9);
}

TEST(SizeEstimate, SaysNoMoreThanItKnows) {
    EXPECT_EQ(size_text(estimate_size({})), "");
    const SizeEstimate one = estimate_size({LargeNumber(7)});
    EXPECT_FALSE(one.standard_error);
    EXPECT_FALSE(one.relative_error());
    EXPECT_EQ(size_text(one), "about 7");
    const SizeEstimate nothing = estimate_size({LargeNumber(), LargeNumber()});
    EXPECT_TRUE(nothing.mean.is_zero());
    EXPECT_FALSE(nothing.relative_error());
    EXPECT_EQ(size_text(nothing), "");
    EXPECT_EQ(size_text(estimate_size(std::vector<LargeNumber>(9, LargeNumber(1.0 / 3)))), "about 0 (+-0%)");
    EXPECT_EQ(estimate_size(std::vector<LargeNumber>(9, LargeNumber(1e7 / 3))).relative_error(), 0.0);
}

TEST(SizeEstimate, OfTwoSpaces) {
    SizeEstimate one = estimate_size({LargeNumber(1), LargeNumber(5)});
    one.walks = 3;
    one.abandoned = 1;
    one.runs = 10;
    SizeEstimate other = estimate_size({LargeNumber(10), LargeNumber(16)});
    other.walks = 2;
    other.runs = 5;
    const SizeEstimate both = together(one, other);
    EXPECT_EQ(both.walks, 5U);
    EXPECT_EQ(both.ended, 4U);
    EXPECT_EQ(both.abandoned, 1U);
    EXPECT_EQ(both.runs, 15U);
    EXPECT_NEAR(both.mean.value(), 16, 1e-12);
    EXPECT_NEAR(both.standard_error.value().value(), std::hypot(2.0, 3.0), 1e-12);
    EXPECT_FALSE(together(one, estimate_size({LargeNumber(1)})).standard_error);
}

}  // namespace
}  // namespace dampi::heuristics
