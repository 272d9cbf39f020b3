// Listing the calls of runs that show findings, and of the nearest that pass: against a program of three wildcard
// receives in rank 0, each of which may take a message of rank 1, 2 or 3, and that fails if they come in the order 3
// 2 1.
#include "scheduler/calls/calls_of_findings.hpp"

#include "replay/cause.hpp"
#include "scheduler/sweep/findings.hpp"

#include <gtest/gtest.h>

namespace dampi::scheduler {
namespace {

using replay::Rank;
using replay::ViolationKind;
using MadeRun = CallsOfFindingsSettings::Run;

replay::Epoch receive(std::uint32_t index, Rank source, const std::vector<Rank>& others) {
    replay::Epoch epoch;
    epoch.id = {0, index};
    epoch.outcome = replay::Outcome{.source = source, .tag = 0};
    for (std::uint32_t i = 0; i < index; ++i) {
        epoch.past.vector.add(0, i);
    }
    for (const Rank other : others) {
        if (other != source) {
            epoch.potential_matches.push_back({.source = other, .tag = 0, .number = 0});
        }
    }
    return epoch;
}

/// Takes what the decisions say, and otherwise the lowest source that is left.
replay::RunRecord run_program(const replay::Interleaving& interleaving) {
    replay::RunRecord record;
    std::vector<Rank> left{1, 2, 3};
    std::string order;
    for (std::uint32_t index = 0; index < 3; ++index) {
        Rank source = left.front();
        for (const replay::Decision& decision : interleaving.decisions) {
            source = decision.epoch.index == index ? decision.outcome.source : source;
        }
        record.epochs.push_back(receive(index, source, left));
        std::erase(left, source);
        order += std::to_string(source);
    }
    if (order == "321") {
        record.violations.push_back({.kind = ViolationKind::abort, .message = "aborted"});
    }
    return record;
}

replay::Interleaving deciding(const std::vector<Rank>& sources) {
    replay::Interleaving interleaving;
    for (std::uint32_t i = 0; i < sources.size(); ++i) {
        interleaving.decisions.push_back({.epoch = {0, i}, .outcome = {.source = sources[i], .tag = 0}});
    }
    return interleaving;
}

SweepResult swept(const std::vector<std::vector<Rank>>& orders) {
    SweepResult result;
    for (const std::vector<Rank>& order : orders) {
        replay::Interleaving interleaving = deciding(order);
        interleaving.number = result.interleavings.size() + 1;
        const replay::RunRecord record = run_program(interleaving);
        InterleavingOutcome outcome;
        outcome.number = interleaving.number;
        outcome.outcomes = format_outcomes(record.epochs, false);
        if (!record.violations.empty()) {
            outcome.verdicts = {record.violations.front().kind};
            Finding finding;
            finding.violation = record.violations.front();
            finding.count = 1;
            finding.reproducer = interleaving;
            finding.epochs = record.epochs;
            result.findings.push_back(std::move(finding));
        }
        result.interleavings.push_back(std::move(outcome));
    }
    return result;
}

/// A call for each outcome, so that the list tells which run it is of.
std::vector<replay::CallEvent> calls_of(const replay::RunRecord& record) {
    std::vector<replay::CallEvent> calls;
    for (const replay::Epoch& epoch : record.epochs) {
        replay::CallEvent& call = calls.emplace_back();
        call.name = {0, epoch.id.index};
        call.match = replay::CallName{epoch.outcome->source, 0};
    }
    return calls;
}

std::vector<Rank> sources(const std::vector<replay::CallEvent>& calls) {
    std::vector<Rank> all;
    for (const replay::CallEvent& call : calls) {
        all.push_back(call.match->rank);
    }
    return all;
}

class CallsOfFindings : public ::testing::Test {
protected:
    std::vector<ListedCalls> list(SweepResult result) {
        return calls_of_findings(result, clocks::Protocol::vector,
                                 {.run =
                                      [&](const replay::Interleaving& interleaving) {
                                          ++runs_;
                                          MadeRun run{.record = run_program(interleaving), .calls = {}};
                                          run.calls = calls_of(run.record);
                                          change_(run);
                                          return run;
                                      },
                                  .lists_calls = lists_calls_,
                                  .go_on = [&] { return runs_ < most_runs_; }})
            .calls;
    }

    int runs_ = 0;
    bool lists_calls_ = true;
    int most_runs_ = 1000;
    std::function<void(MadeRun&)> change_ = [](MadeRun&) {};
};

TEST_F(CallsOfFindings, OfTheRunThatFailsAndOfTheNearestThatPasses) {
    const auto listed = list(swept({{1, 2, 3}, {3, 2, 1}}));
    ASSERT_EQ(listed.size(), 1U);
    EXPECT_EQ(sources(listed[0].failing), (std::vector<Rank>{3, 2, 1}));
    EXPECT_EQ(sources(listed[0].passing), (std::vector<Rank>{1, 2, 3}));
    EXPECT_EQ(listed[0].passing_number, 1U);
}

TEST_F(CallsOfFindings, APassingRunIsApproachedChoiceByChoice) {
    // Rank 0 takes the lowest that is left after the first choice, which is not what that run did.
    const auto listed = list(swept({{1, 3, 2}, {3, 2, 1}}));
    EXPECT_EQ(sources(listed[0].passing), (std::vector<Rank>{1, 3, 2}));
    EXPECT_EQ(runs_, 3) << "the one that fails, one with the first choice, and one with the second";
}

TEST_F(CallsOfFindings, WithoutOneThatPassesThereIsTheOtherAlone) {
    const auto listed = list(swept({{3, 2, 1}}));
    EXPECT_EQ(listed[0].failing.size(), 3U);
    EXPECT_TRUE(listed[0].passing.empty());
}

TEST_F(CallsOfFindings, ARunThatDoesNotShowItAgainSaysNothing) {
    change_ = [](MadeRun& run) { run.record.violations.clear(); };
    const auto listed = list(swept({{1, 2, 3}, {3, 2, 1}}));
    EXPECT_TRUE(listed[0].failing.empty());
    EXPECT_EQ(listed[0].why_not, "the run that fails came out differently when it was made again");
    change_ = [](MadeRun& run) { run.record.diverged = true; };
    EXPECT_TRUE(list(swept({{1, 2, 3}, {3, 2, 1}}))[0].failing.empty());
}

TEST_F(CallsOfFindings, WithoutCallsOnlyRunsOfWhatLacksAStackAreMade) {
    lists_calls_ = false;
    list(swept({{1, 2, 3}, {3, 2, 1}}));
    EXPECT_EQ(runs_, 0);
    SweepResult result = swept({{1, 2, 3}, {3, 2, 1}});
    result.findings.front().violation.situations = {
        {.rank = 0, .call = "MPI_Abort", .detail = "", .where = {.module = "/app", .offset = 16}}};
    list(result);
    EXPECT_GT(runs_, 0);
}

TEST_F(CallsOfFindings, ARunThatCannotBeComeToIsGivenUp) {
    change_ = [](MadeRun& run) {
        for (replay::Epoch& epoch : run.record.epochs) {
            epoch.potential_matches.clear();
        }
    };
    const auto listed = list(swept({{1, 2, 3}, {3, 2, 1}}));
    EXPECT_EQ(listed[0].failing.size(), 3U);
    EXPECT_TRUE(listed[0].passing.empty());
    EXPECT_TRUE(listed[0].why_not.starts_with("only what its choices came to is kept")) << listed[0].why_not;
}

TEST_F(CallsOfFindings, TooManyCallsAreLeftOut) {
    change_ = [](MadeRun& run) { run.calls.resize(most_listed_calls - 1); };
    const auto listed = list(swept({{1, 2, 3}, {3, 2, 1}}));
    EXPECT_EQ(listed[0].failing.size(), most_listed_calls - 1);
    EXPECT_TRUE(listed[0].passing.empty());
    EXPECT_EQ(listed[0].why_not, "the run that passes has too many of them");
}

TEST_F(CallsOfFindings, NothingIsRunWithoutTime) {
    most_runs_ = 0;
    const auto listed = list(swept({{1, 2, 3}, {3, 2, 1}}));
    EXPECT_TRUE(listed[0].failing.empty());
    EXPECT_EQ(listed[0].why_not, "there was no time to make its runs again");
    EXPECT_EQ(runs_, 0);
    most_runs_ = 1;
    EXPECT_EQ(list(swept({{1, 2, 3}, {3, 2, 1}}))[0].why_not, "there was no time to make the run that passes again");
}

TEST_F(CallsOfFindings, ARunThatFailsAsWellIsNotTakenForTheOneThatPasses) {
    change_ = [](MadeRun& run) { run.record.violations = {{.kind = ViolationKind::abort, .message = "aborted"}}; };
    const auto listed = list(swept({{1, 2, 3}, {3, 2, 1}}));
    EXPECT_EQ(listed[0].failing.size(), 3U);
    EXPECT_TRUE(listed[0].passing.empty());
}

TEST_F(CallsOfFindings, AnAbortStandsWhereTheFindingSaysSo) {
    const replay::CodePlace place{"/app", 16, "die", "app.c", 4};
    change_ = [&](MadeRun& run) {
        for (replay::Violation& each : run.record.violations) {
            each.situations = {{.rank = 0, .call = "MPI_Abort", .detail = "", .where = place}};
        }
        run.calls.push_back({.name = {0, 3}, .kind = replay::CallKind::abort, .function = "MPI_Abort"});
    };
    const auto listed = list(swept({{3, 2, 1}}));
    ASSERT_EQ(listed[0].failing.size(), 4U);
    EXPECT_EQ(listed[0].failing[3].where, place);
}

TEST_F(CallsOfFindings, WhatAFunctionDoesForSeveralCallersIsTheirs) {
    const auto leak = [](int line, std::vector<int> stack) {
        const auto at = [](int where) { return replay::CodePlace{"/app", 0x40, "f", "app.c", where}; };
        replay::RankSituation situation{.rank = 0, .call = "MPI_Irecv", .detail = "", .where = at(line)};
        for (const int frame : stack) {
            situation.stack.push_back(at(frame));
        }
        return replay::Violation{
            .kind = ViolationKind::leak_request, .message = "m", .ranks = {0}, .situations = {situation}};
    };
    SweepResult result = swept({{1, 2, 3}, {3, 2, 1}});
    result.findings.front().violation = leak(7, {});
    const auto found = calls_of_findings(result, clocks::Protocol::vector,
                                         {.run =
                                              [&](const replay::Interleaving& interleaving) {
                                                  MadeRun run{.record = run_program(interleaving), .calls = {}};
                                                  run.record.violations = {leak(20, {7, 20}), leak(30, {7, 30})};
                                                  run.calls = calls_of(run.record);
                                                  return run;
                                              },
                                          .lists_calls = true,
                                          .go_on = [] { return true; }});
    ASSERT_EQ(result.findings.size(), 2U);
    EXPECT_EQ(result.findings[0].violation.situations.front().where.line, 30);
    EXPECT_EQ(result.findings[1].violation.situations.front().where.line, 20);
    EXPECT_EQ(result.findings[1].count, 1U);
    EXPECT_EQ(found.parts_of, std::vector<std::size_t>{0});
    ASSERT_EQ(found.calls.size(), 2U);
    EXPECT_EQ(sources(found.calls[1].failing), (std::vector<Rank>{3, 2, 1}));
}

TEST_F(CallsOfFindings, FollowMainOnlyWhereItHasReturnedAndTheRunStillShowsThat) {
    const auto at = [](int line) {
        return replay::CodePlace{.module = "/app", .function = "main", .file = "a.c", .line = line};
    };
    const auto returned = [&](int line) {
        replay::RunRecord record;
        record.violations.push_back({.kind = ViolationKind::exit, .message = "m", .ranks = {0}});
        record.violations.front().situations.push_back(
            {.rank = 0, .call = std::string(replay::main_returned), .where = at(line), .stack = {at(line)}});
        return record;
    };
    for (const bool still_shows : {true, false}) {
        SweepResult result;
        result.findings.emplace_back();
        result.findings.front().violation = returned(5).violations.front();
        std::string made;
        static_cast<void>(calls_of_findings(result, clocks::Protocol::vector,
                                            {.run =
                                                 [&](const replay::Interleaving& /*interleaving*/) {
                                                     made += "plain ";
                                                     return MadeRun{.record = returned(5)};
                                                 },
                                             .run_following_main =
                                                 [&](const replay::Interleaving& /*interleaving*/) {
                                                     made += "following ";
                                                     return MadeRun{.record = still_shows ? returned(9)
                                                                                          : replay::RunRecord()};
                                                 },
                                             .lists_calls = false,
                                             .go_on = [] { return true; }}));
        EXPECT_EQ(made, still_shows ? "following " : "following plain ");
        EXPECT_EQ(result.findings.front().violation.situations.front().where.line, still_shows ? 9 : 5);
    }
}

}  // namespace
}  // namespace dampi::scheduler
