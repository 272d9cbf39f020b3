// Functions that only pass on, found in the call stacks of a run.
#include "scheduler/judgement/passing_functions.hpp"

#include "replay/function_names.hpp"

#include <gtest/gtest.h>

namespace dampi::scheduler {
namespace {

using replay::CodePlace;
using Names = std::vector<std::string>;
using Stack = std::vector<CodePlace>;

CodePlace in(const std::string& function, int line) {
    return {.module = "/app",
            .offset = static_cast<std::uint64_t>(line),
            .function = function,
            .file = "a.c",
            .line = line};
}

TEST(PassingFunctions, OneCallForSeveralCallers) {
    EXPECT_EQ(functions_that_pass_on({{in("receive", 5), in("solve", 20), in("main", 90)},
                                      {in("receive", 5), in("mesh", 30), in("main", 91)}}),
              Names{"receive"});
    EXPECT_EQ(functions_that_pass_on({{in("receive", 5), in("solve", 20)}, {in("receive", 5), in("solve", 21)}}),
              Names{"receive"});
}

TEST(PassingFunctions, OneThatHasOneCallerOrSeveralCallsDoesNot) {
    EXPECT_EQ(functions_that_pass_on({}), Names{});
    EXPECT_EQ(functions_that_pass_on({{in("receive", 5), in("main", 20)}, {in("receive", 5), in("main", 20)}}),
              Names{});
    EXPECT_EQ(functions_that_pass_on({{in("exchange", 5), in("main", 20)},
                                      {in("exchange", 6), in("main", 20)},
                                      {in("exchange", 5), in("main", 21)},
                                      {in("exchange", 6), in("main", 21)}}),
              Names{});
    EXPECT_EQ(functions_that_pass_on({{in("main", 20)}, {in("main", 21)}}), Names{});
}

TEST(PassingFunctions, OneThatCallsItselfIsNotCalledBySeveralForThat) {
    EXPECT_EQ(functions_that_pass_on({{in("walk", 5), in("main", 20)}, {in("walk", 5), in("walk", 6), in("main", 20)}}),
              Names{});
}

TEST(PassingFunctions, OneThatCallsSuchAFunctionPassesOn) {
    const Stack one{in("receive", 5), in("checked", 9), in("solve", 20), in("main", 90)};
    const Stack other{in("receive", 5), in("checked", 9), in("mesh", 30), in("main", 91)};
    EXPECT_EQ(functions_that_pass_on({one, other}), Names{}) << "receive has one caller";
    EXPECT_EQ(functions_that_pass_on({one, other, {in("receive", 5), in("main", 92)}}), (Names{"checked", "receive"}));
}

TEST(PassingFunctions, NamesThatAreNotKnownDoNotCount) {
    EXPECT_EQ(functions_that_pass_on({{in("", 5), in("solve", 20)}, {in("", 5), in("mesh", 30)}}), Names{});
}

TEST(PassingFunctions, NamesOfFunctionsWithPointersStandForThemAlone) {
    const Names found = functions_that_pass_on(
        {{in("recv(int, int*)", 5), in("solve", 20)}, {in("recv(int, int*)", 5), in("mesh", 30)}});
    EXPECT_EQ(found, Names{"recv(int, int\\*)"});
    EXPECT_TRUE(replay::names_function(found[0], in("recv(int, int*)", 5)));
    EXPECT_FALSE(replay::names_function(found[0], in("recv(int, int, int*)", 5)));
}

}  // namespace
}  // namespace dampi::scheduler
