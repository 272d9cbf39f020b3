// How virtual time passes with answers "nothing yet".
#include "replay/answer_in_time.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace dampi::replay {
namespace {

using Kind = AnswerInTime::Kind;

TEST(AnswerInTime, TheLastOnesThatTheRunHasGivenAreThoseThatWereReleased) {
    std::vector<Kind> kinds;
    for (std::uint32_t before = 0; before < 6; ++before) {
        kinds.push_back(answer_in_time(before, 5, 2, 1).kind);
    }
    EXPECT_EQ(kinds, (std::vector{Kind::timeless, Kind::timeless, Kind::released, Kind::additional, Kind::additional,
                                  Kind::timeless}));
    EXPECT_EQ(answer_in_time(3, 5, 2, 1).number, 0U);
    EXPECT_EQ(answer_in_time(4, 5, 2, 1).number, 1U);
    EXPECT_EQ(answer_in_time(0, 2, 0, 7).kind, Kind::released) << "no more than there are";
    EXPECT_EQ(answer_in_time(0, 0, 0, 0).kind, Kind::timeless);
}

TEST(AnswerInTime, SoManyComeLikewise) {
    for (std::uint32_t false_answers = 0; false_answers < 7; ++false_answers) {
        for (std::uint32_t additional = 0; additional < 4; ++additional) {
            for (std::uint32_t released = 0; released < 4; ++released) {
                for (std::uint32_t before = 0; before < false_answers; ++before) {
                    const Kind kind = answer_in_time(before, false_answers, additional, released).kind;
                    std::uint32_t likewise = 0;
                    while (kind != Kind::additional && before + likewise + 1 < false_answers &&
                           answer_in_time(before + likewise + 1, false_answers, additional, released).kind == kind) {
                        ++likewise;
                    }
                    EXPECT_EQ(answers_likewise(before, false_answers, additional, released), likewise)
                        << before << " of " << false_answers << ", " << additional << ", " << released;
                }
            }
        }
    }
    EXPECT_EQ(answers_likewise(3, 3, 0, 0), 0U);
}

TEST(AnswerInTime, ATimeOutOfAnyLengthComesSoon) {
    std::uint64_t passed = 0;
    std::uint32_t answers = 0;
    for (; passed < 5'000'000'000; ++answers) {
        passed += time_of_false_answer(answers);
    }
    EXPECT_EQ(answers, 13U);
    EXPECT_EQ(time_of_false_answer(1000), std::uint64_t{86'400} * 1'000'000'000);
}

}  // namespace
}  // namespace dampi::replay
