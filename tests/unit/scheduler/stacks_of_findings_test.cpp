// Call stacks that a finding gets from a run that shows it again.
#include "scheduler/calls/stacks_of_findings.hpp"

#include "replay/cause.hpp"

#include <gtest/gtest.h>

namespace dampi::scheduler {
namespace {

using replay::CodePlace;
using replay::RankSituation;
using replay::Violation;
using replay::ViolationKind;

CodePlace at(int line) {
    return {.module = "/app", .offset = static_cast<std::uint64_t>(line), .function = "f", .file = "a.c", .line = line};
}

Violation leak(int line, const std::vector<int>& stack, const std::string& detail = "1 request") {
    RankSituation situation{.rank = 1, .call = "MPI_Irecv", .detail = detail, .where = at(line)};
    for (const int frame : stack) {
        situation.stack.push_back(at(frame));
    }
    return {.kind = ViolationKind::leak_request, .message = "m", .ranks = {1}, .situations = {situation}};
}

TEST(StacksOfFindings, OfTheSameCallInTheSameRank) {
    Violation found = leak(7, {});
    EXPECT_TRUE(other_run_tells_more(found));
    take_stacks({leak(8, {8, 20}), leak(7, {7, 21})}, found);
    EXPECT_EQ(found.situations.front().stack, (std::vector<CodePlace>{at(7), at(21)}));
}

TEST(StacksOfFindings, WhatAnotherRankOrKindOrCallDidSaysNothing) {
    Violation other_rank = leak(7, {7, 21});
    other_rank.situations.front().rank = 0;
    Violation other_kind = leak(7, {7, 21});
    other_kind.kind = ViolationKind::leak_message;
    Violation other_call = leak(7, {7, 21});
    other_call.situations.front().call = "MPI_Isend";
    Violation found = leak(7, {});
    take_stacks({other_rank, other_kind, other_call, leak(7, {})}, found);
    EXPECT_TRUE(found.situations.front().stack.empty());
    EXPECT_EQ(found.situations.front().where, at(7));
}

TEST(StacksOfFindings, OfSeveralCallersTheOneInTheSameWords) {
    Violation found = leak(7, {}, "2 requests");
    take_stacks({leak(7, {7, 21}), leak(7, {7, 22}, "2 requests")}, found);
    EXPECT_EQ(found.situations.front().stack.back(), at(22));
    Violation neither = leak(7, {}, "3 requests");
    take_stacks({leak(7, {7, 21}), leak(7, {7, 22}, "2 requests")}, neither);
    EXPECT_EQ(neither.situations.front().stack.back(), at(21));
}

TEST(StacksOfFindings, ThePlaceIsTheUsersBehindAWrapper) {
    Violation found = leak(7, {});
    Violation seen = leak(21, {7, 21});  // as --wrapper has it
    take_stacks({seen}, found);
    EXPECT_EQ(found.situations.front().where, at(21));
}

TEST(StacksOfFindings, WhatHasOneKeepsIt) {
    Violation found = leak(7, {7, 30});
    take_stacks({leak(7, {7, 21})}, found);
    EXPECT_EQ(found.situations.front().stack.back(), at(30));
    Violation outside = leak(7, {});
    outside.situations.front().call = "";
    EXPECT_FALSE(other_run_tells_more(outside)) << "it was not in MPI";
    EXPECT_FALSE(other_run_tells_more(leak(7, {7})));
}

TEST(StacksOfFindings, AFunctionThatPassesOnIsFoundInTheOtherRun) {
    Violation found = leak(7, {7, 21});
    EXPECT_TRUE(other_run_tells_more(found));
    take_stacks({leak(22, {7, 22}), leak(21, {7, 21})}, found);
    EXPECT_EQ(found.situations.front().where, at(7)) << "it is the first that fits";
    take_stacks({leak(21, {7, 21})}, found);
    EXPECT_EQ(found.situations.front().where, at(21));
}

TEST(StacksOfFindings, EachCallersIsOneOfItsOwn) {
    const Violation one = leak(21, {7, 21});
    const Violation other = leak(22, {7, 22});
    const std::vector<Violation> apart = told_apart({leak(8, {8, 22}), one, other}, leak(7, {}, "2 requests"));
    ASSERT_EQ(apart.size(), 2U);
    EXPECT_EQ(apart[0].situations.front().where, at(21));
    EXPECT_EQ(apart[1].situations.front().where, at(22));
    EXPECT_TRUE(told_apart({leak(8, {8, 22}), one}, leak(7, {})).empty());
    EXPECT_TRUE(told_apart({one, other}, leak(21, {7, 21})).empty()) << "the sweep knew the caller";
}

Violation main_returned(const std::vector<int>& lines) {
    Violation violation{.kind = ViolationKind::exit, .message = "m", .ranks = {}, .situations = {}};
    for (const int line : lines) {
        const auto rank = static_cast<replay::Rank>(violation.ranks.size());
        violation.ranks.push_back(rank);
        violation.situations.push_back(
            {.rank = rank, .call = std::string(replay::main_returned), .where = at(line), .stack = {at(line)}});
    }
    return violation;
}

replay::Epoch choice(std::uint32_t index, int line) {
    replay::Epoch epoch;
    epoch.id = {0, index};
    epoch.call = "MPI_Recv";
    epoch.where = at(line);
    epoch.potential_matches.push_back({.source = 2, .tag = 0, .number = 0});
    return epoch;
}

TEST(StacksOfFindings, ChoicesHaveTheirCallersPlaces) {
    replay::RunRecord seen;
    seen.stacks = {{at(7), at(21)}, {at(7), at(22)}, {at(9)}};
    for (std::uint32_t i = 0; i < 3; ++i) {
        seen.epochs.push_back(choice(i, i == 2 ? 9 : 21 + static_cast<int>(i)));
        seen.epochs.back().context.stack = i;
    }
    std::vector<replay::Epoch> found{choice(0, 7), choice(1, 7), choice(2, 9)};
    EXPECT_TRUE(choices_lack_stacks(found));
    EXPECT_EQ(take_stacks_of_choices(seen, found), seen.stacks);
    EXPECT_EQ(found[0].where, at(21));
    EXPECT_EQ(found[1].where, at(22));
    EXPECT_EQ(found[2].where, at(9));
}

TEST(StacksOfFindings, AChoiceThatTheOtherRunHasElsewhereKeepsItsPlace) {
    replay::RunRecord seen;
    seen.stacks = {{at(8), at(21)}};
    seen.epochs = {choice(0, 21), choice(1, 7), choice(2, 7)};
    seen.epochs[0].context.stack = 0;  // from another place
    seen.epochs[2].context.stack = 0;
    seen.epochs[2].call = "MPI_Probe";
    std::vector<replay::Epoch> found{choice(0, 7), choice(1, 7), choice(2, 8), choice(3, 7)};
    EXPECT_EQ(take_stacks_of_choices(seen, found), std::vector<std::vector<CodePlace>>(4));
    EXPECT_EQ(found[0].where, at(7));
    EXPECT_EQ(found[2].where, at(8));
}

TEST(StacksOfFindings, NobodyCallsMain) {
    replay::Epoch epoch = choice(0, 7);
    EXPECT_TRUE(choices_lack_stacks({epoch}));
    epoch.where.function = "main";
    EXPECT_FALSE(choices_lack_stacks({epoch}));
}

TEST(StacksOfFindings, WhatCannotComeOutOtherwiseNeedsNone) {
    replay::Epoch epoch = choice(0, 7);
    epoch.potential_matches.clear();
    EXPECT_FALSE(choices_lack_stacks({epoch}));
}

TEST(StacksOfFindings, FromWhereMainHasReturnedOnlyTheOtherRunKnows) {
    Violation found = main_returned({5});
    EXPECT_TRUE(other_run_tells_more(found));
    EXPECT_TRUE(told_apart({main_returned({9})}, found).empty()) << "it is one";
    take_stacks({main_returned({9})}, found);
    EXPECT_EQ(found.situations.front().where, at(9));
    EXPECT_EQ(found.situations.front().stack, std::vector<CodePlace>{at(9)});
}

TEST(StacksOfFindings, RanksThatHaveReturnedFromDifferentLinesAreToldApart) {
    const std::vector<Violation> apart = told_apart({main_returned({9}), main_returned({10})}, main_returned({5, 5}));
    ASSERT_EQ(apart.size(), 2U);
    EXPECT_EQ(apart[0].situations.front().where, at(9));
    EXPECT_EQ(apart[1].situations.front().where, at(10));
}

}  // namespace
}  // namespace dampi::scheduler
