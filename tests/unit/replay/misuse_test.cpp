// Which errors of MPI are violations, and what they are called.
#include "replay/misuse.hpp"

#include <gtest/gtest.h>

#include <set>

namespace dampi::replay {
namespace {

TEST(Misuse, NamesWhatIsWrong) {
    ASSERT_NE(misuse(6), nullptr);
    EXPECT_EQ(misuse(6)->kind, ViolationKind::argument_rank);
    ASSERT_NE(misuse(14), nullptr);
    EXPECT_EQ(misuse(14)->kind, ViolationKind::truncation);
}

TEST(Misuse, LeavesConditionsAlone) {
    constexpr int other = 15;
    constexpr int in_status = 17;
    constexpr int no_such_file = 37;
    for (const int condition : {0, other, in_status, no_such_file, -1, 126, 127}) {
        EXPECT_EQ(misuse(condition), nullptr) << condition;
    }
}

TEST(Misuse, EachClassOnceAndItsKindIsKnownAsSuch) {
    std::set<int> classes;
    for (const Misuse& each : misuses) {
        EXPECT_TRUE(classes.insert(each.error_class).second) << each.error_class;
        EXPECT_TRUE(is_misuse(each.kind)) << each.kind;
    }
    EXPECT_FALSE(is_misuse(ViolationKind::abort));
    EXPECT_FALSE(is_misuse(ViolationKind::collective_mismatch));
}

TEST(Misuse, ClassOfACode) {
    EXPECT_EQ(error_class_of(6), 6);
    EXPECT_EQ(error_class_of(134892038), 6) << "with the place where MPICH keeps the text";
    EXPECT_EQ(misuse(error_class_of(0x40000000 | 6)), nullptr) << "a code that the program has added";
    EXPECT_EQ(misuse(error_class_of(0)), nullptr);
}

}  // namespace
}  // namespace dampi::replay
