// Budgets: when exploration stops, and which bound is named.
#include "heuristics/budget.hpp"

#include "base/check.hpp"

#include <gtest/gtest.h>

namespace dampi::heuristics {
namespace {

using std::chrono::milliseconds;

TEST(Budget, WithoutLimitsNothingIsReached) {
    const Budget budget{BudgetLimits{}};
    EXPECT_FALSE(budget.reached({1'000'000, milliseconds{1'000'000'000}, 12}));
    EXPECT_FALSE(budget.time_left(milliseconds{5}));
    EXPECT_THROW(static_cast<void>(budget.time_is_over()), InternalError);
}

TEST(Budget, InterleavingsAreCountedExactly) {
    const Budget budget{{500, std::nullopt, false}};
    EXPECT_FALSE(budget.reached({499, {}, 3}));
    const auto bound = budget.reached({500, {}, 3});
    ASSERT_TRUE(bound);
    EXPECT_EQ(bound->reason, "max-interleavings");
    EXPECT_NE(bound->sentence.find("--max-interleavings 500"), std::string::npos);
    EXPECT_TRUE(budget.reached({501, {}, 0}));
}

TEST(Budget, TimeLimitNamesItsValue) {
    const Budget budget{{std::nullopt, milliseconds{1500}, false}};
    EXPECT_FALSE(budget.reached({9, milliseconds{1499}, 0}));
    const auto bound = budget.reached({9, milliseconds{1500}, 0});
    ASSERT_TRUE(bound);
    EXPECT_EQ(bound->reason, "time-limit");
    EXPECT_NE(bound->sentence.find("--time-limit 1.5 "), std::string::npos) << bound->sentence;
    EXPECT_EQ(budget.time_is_over().sentence, bound->sentence);
}

TEST(Budget, SecondsKeepTheirZerosAfterThePoint) {
    const auto sentence = [](int ms) {
        return Budget{{std::nullopt, milliseconds{ms}, false}}.time_is_over().sentence;
    };
    EXPECT_NE(sentence(1).find("0.001 "), std::string::npos) << sentence(1);
    EXPECT_NE(sentence(60000).find(" 60 "), std::string::npos) << sentence(60000);
    EXPECT_NE(sentence(2050).find("2.05 "), std::string::npos) << sentence(2050);
}

TEST(Budget, TimeLeftNeverGoesBelowZero) {
    const Budget budget{{std::nullopt, milliseconds{1000}, false}};
    EXPECT_EQ(budget.time_left(milliseconds{400}), milliseconds{600});
    EXPECT_EQ(budget.time_left(milliseconds{1000}), milliseconds{0});
    EXPECT_EQ(budget.time_left(milliseconds{2500}), milliseconds{0});
}

TEST(Budget, StopOnFirstNeedsAFinding) {
    const Budget budget{{std::nullopt, std::nullopt, true}};
    EXPECT_FALSE(budget.reached({10, {}, 0}));
    const auto bound = budget.reached({10, {}, 1});
    ASSERT_TRUE(bound);
    EXPECT_EQ(bound->reason, "stop-on-first");
}

TEST(Budget, TheFirstOfSeveralBoundsIsNamed) {
    const Budget budget{{1, milliseconds{1}, true}};
    EXPECT_EQ(budget.reached({1, milliseconds{1}, 1})->reason, "stop-on-first");
    EXPECT_EQ(budget.reached({1, milliseconds{1}, 0})->reason, "max-interleavings");
    EXPECT_EQ(budget.reached({0, milliseconds{1}, 0})->reason, "time-limit");
}

}  // namespace
}  // namespace dampi::heuristics
