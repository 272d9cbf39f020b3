// The table of the kinds of violations: each line says something, and the texts lead back to the kinds.
#include "replay/violation_kind.hpp"

#include <cstdint>
#include <string>

#include <gtest/gtest.h>

namespace dampi::replay {
namespace {

TEST(ViolationKind, TextsAndNumbersLeadBackToTheKind) {
    for (std::uint32_t number = 0; number <= number_of(last_violation_kind); ++number) {
        const auto kind = violation_kind_of(number);
        ASSERT_TRUE(kind);
        EXPECT_EQ(number_of(*kind), number);
        EXPECT_EQ(violation_kind_of(text_of(*kind)), kind);
    }
    EXPECT_FALSE(violation_kind_of(number_of(last_violation_kind) + 1));
    EXPECT_FALSE(violation_kind_of("leak/nothing"));
    EXPECT_FALSE(violation_kind_of(""));
    EXPECT_THROW(static_cast<void>(text_of(static_cast<ViolationKind>(255))), InternalError);
}

TEST(ViolationKind, EachLineIsWholeAndItsGroupFitsItsText) {
    for (std::uint32_t number = 0; number <= number_of(last_violation_kind); ++number) {
        const ViolationKind kind = *violation_kind_of(number);
        const violation_kinds::Line& line = violation_kinds::line(kind);
        EXPECT_TRUE(line.sentence.ends_with('.') && line.remedy.ends_with('.')) << line.text;
        EXPECT_EQ(is_leak(kind), line.text.starts_with("leak/")) << line.text;
        EXPECT_EQ(is_sanitizers(kind), line.text.starts_with("sanitizer/")) << line.text;
        EXPECT_EQ(is_misuse(kind), line.text.starts_with("argument/") || line.text.starts_with("thread/") ||
                                       kind == ViolationKind::truncation);
        EXPECT_EQ(is_about_buffers(kind), line.text.starts_with("buffer/") || kind == ViolationKind::rma_race)
            << line.text;
        EXPECT_EQ(line.group == violation_kinds::Group::type, line.text.starts_with("type/")) << line.text;
        EXPECT_EQ(went_otherwise(kind), kind == ViolationKind::divergence || kind == ViolationKind::imprecise_match);
        EXPECT_EQ(is_doubt(kind), went_otherwise(kind) || kind == ViolationKind::possible_livelock) << line.text;
    }
}

}  // namespace
}  // namespace dampi::replay
