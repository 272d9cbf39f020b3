// The sweep with an engine and an explorer that follow a script: what ends it, what is counted, what is kept.
#include "scheduler/sweep/sweep.hpp"

#include "scheduler/exploration/each_buffering.hpp"

#include "base/check.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace dampi::scheduler {
namespace {

using namespace std::chrono_literals;
using replay::Interleaving;
using replay::RunRecord;

/// Hands out `count` interleavings, of which those given back come again.
class ScriptedExplorer final : public Explorer {
public:
    explicit ScriptedExplorer(std::uint64_t count) {
        for (std::uint64_t number = 1; number <= count; ++number) {
            left.insert(number);
        }
    }

    std::optional<Interleaving> next() override {
        if (left.empty()) {
            return std::nullopt;
        }
        const std::uint64_t number = left.extract(left.begin()).value();
        return Interleaving{.number = number, .decisions = {}, .trial = trials.contains(number)};
    }
    [[nodiscard]] std::optional<Lesson> learn(std::uint64_t number, const RunRecord& record,
                                              const std::stop_token& stop) const override {
        if (learning) {
            learning(stop);
        }
        if (stop.stop_requested()) {
            return std::nullopt;
        }
        Lesson made = lesson;
        made.number = number;
        if (record.diverged || diverging.contains(number)) {
            made.deviation = Deviation{.epoch = {}, .text = "operation 0 of rank 0 was another one"};
        }
        return made;
    }
    void apply(const Lesson& each) override {
        learned.push_back(each.number);
        taken_in += each.left_out;
    }
    void give_back(std::uint64_t number) override { left.insert(number); }
    [[nodiscard]] ExplorerState state() const override { return {}; }
    void restore(ExplorerState /*state*/) override {}
    [[nodiscard]] std::uint64_t pending() const override { return left.size(); }
    [[nodiscard]] LeftOutAlternatives left_out() const override { return left_out_; }

    std::set<std::uint64_t> diverging;  ///< runs that do not follow their decisions
    std::set<std::uint64_t> trials;     ///< runs that are not among those to explore
    LeftOutAlternatives left_out_;
    LeftOutAlternatives taken_in;                          ///< what lessons say
    Lesson lesson;                                         ///< of each run
    std::function<void(const std::stop_token&)> learning;  ///< called for each run
    std::set<std::uint64_t> left;
    std::vector<std::uint64_t> learned;
};

class ScriptedEngine final : public ExecutionEngine {
public:
    using Script = std::function<RunRecord(std::uint64_t number, const std::stop_token& stop)>;
    explicit ScriptedEngine(Script script) : script_(std::move(script)) {}

    RunRecord run(const Interleaving& interleaving, std::stop_token stop) override {
        ++runs;
        return script_(interleaving.number, stop);
    }
    std::atomic<std::uint64_t> runs = 0;

private:
    Script script_;
};

RunRecord outcome(replay::Rank source) {
    replay::Epoch epoch;
    epoch.outcome = replay::Outcome{.source = source};
    RunRecord record;
    record.epochs.push_back(epoch);
    return record;
}

RunRecord with_violation(RunRecord record, replay::ViolationKind kind, const std::string& message = "m") {
    record.violations.push_back({.kind = kind, .message = message, .ranks = {0}, .situations = {}});
    return record;
}

RunRecord until_stopped(const std::stop_token& stop) {
    while (!stop.stop_requested()) {
        std::this_thread::sleep_for(1ms);
    }
    RunRecord record;
    record.cut_short = true;
    return record;
}

std::vector<std::string> reasons(const SweepResult& result) {
    std::vector<std::string> all;
    for (const LeftOut& left_out : result.left_out) {
        EXPECT_FALSE(left_out.what.empty());
        all.push_back(left_out.reason);
    }
    return all;
}
using Reasons = std::vector<std::string>;

struct SweepTest : testing::Test {
    ScriptedExplorer explorer{10};
    ScriptedEngine::Script script = [](std::uint64_t number, const std::stop_token&) {
        return outcome(static_cast<replay::Rank>(number));
    };
    ScriptedEngine engine{[this](std::uint64_t number, const std::stop_token& stop) { return script(number, stop); }};
    SweepSettings settings;

    SweepResult sweep() { return sweep(explorer); }
    SweepResult sweep(Explorer& with) {
        SweepAccount account(with_false_answers ? CountedPolls::all : CountedPolls::none, outcomes_limit);
        return run_sweep(engine, with, account, settings);
    }
    bool with_false_answers = false;
    std::uint64_t outcomes_limit = default_outcomes_limit;
};

TEST_F(SweepTest, EverythingIsRunAndLearned) {
    const SweepResult result = sweep();
    EXPECT_EQ(result.explored, 10U);
    EXPECT_EQ(engine.runs, 10U);
    EXPECT_EQ(explorer.learned.size(), 10U);
    EXPECT_EQ(result.pending, 0U);
    EXPECT_EQ(result.duplicates, 0U);
    EXPECT_TRUE(result.complete());
    ASSERT_EQ(result.interleavings.size(), 10U);
    EXPECT_EQ(result.interleavings[3].number, 4U);
    EXPECT_EQ(result.interleavings[3].outcomes, "{0#0<-4}");
    EXPECT_TRUE(result.interleavings[3].verdicts.empty());
    EXPECT_FALSE(result.outcomes_omitted);
}

TEST_F(SweepTest, TheBoundOnInterleavingsLeavesTheRestPending) {
    settings.limits.max_interleavings = 4;
    const SweepResult result = sweep();
    EXPECT_EQ(result.explored, 4U);
    EXPECT_EQ(engine.runs, 4U);
    EXPECT_EQ(result.pending, 6U) << "with the one that the explorer had already handed out";
    EXPECT_EQ(reasons(result), Reasons{"max-interleavings"});
    EXPECT_FALSE(result.complete());
}

TEST_F(SweepTest, ABoundReachedTogetherWithTheEndLeavesNothingOut) {
    settings.limits.max_interleavings = 10;
    const SweepResult result = sweep();
    EXPECT_EQ(result.explored, 10U);
    EXPECT_TRUE(result.complete());
    EXPECT_EQ(reasons(result), Reasons{});
}

TEST_F(SweepTest, ItStopsAtTheFirstViolationIfAsked) {
    script = [](std::uint64_t number, const std::stop_token&) {
        RunRecord record = outcome(static_cast<replay::Rank>(number));
        return number == 3 ? with_violation(record, replay::ViolationKind::deadlock) : record;
    };
    settings.limits.stop_on_first = true;
    const SweepResult result = sweep();
    EXPECT_EQ(result.explored, 3U);
    EXPECT_EQ(result.pending, 7U);
    EXPECT_EQ(reasons(result), Reasons{"stop-on-first"});
    ASSERT_EQ(result.findings.size(), 1U);
    EXPECT_EQ(result.findings[0].first_interleaving, 3U);
}

TEST_F(SweepTest, OneViolationInManyInterleavingsIsOneFinding) {
    script = [](std::uint64_t number, const std::stop_token&) {
        RunRecord record =
            with_violation(outcome(static_cast<replay::Rank>(number)),
                           number % 2 == 0 ? replay::ViolationKind::crash : replay::ViolationKind::abort);
        record.notes.push_back(
            {.kind = replay::ViolationKind::leak_message, .message = "n", .ranks = {1}, .situations = {}});
        record.not_modelled["MPI_Put"].calls = number;
        record.communicators[number] = "comm";
        return record;
    };
    const SweepResult result = sweep();
    EXPECT_EQ(result.explored, 10U);
    ASSERT_EQ(result.findings.size(), 2U);
    EXPECT_EQ(result.findings[0].violation.kind, replay::ViolationKind::abort);
    EXPECT_EQ(result.findings[0].count, 5U);
    EXPECT_EQ(result.findings[1].count, 5U);
    ASSERT_EQ(result.notes.size(), 1U);
    EXPECT_EQ(result.notes[0].count, 10U);
    EXPECT_EQ(result.not_modelled.at("MPI_Put").calls, 55U);
    EXPECT_EQ(result.communicators.size(), 10U);
    EXPECT_EQ(result.interleavings[0].verdicts, std::vector<replay::ViolationKind>{replay::ViolationKind::abort});
}

TEST_F(SweepTest, OutcomesSeenBeforeAreCounted) {
    script = [](std::uint64_t number, const std::stop_token&) {
        return outcome(static_cast<replay::Rank>(number % 3));
    };
    const SweepResult result = sweep();
    EXPECT_EQ(result.explored, 10U);
    EXPECT_EQ(result.duplicates, 7U);
    EXPECT_EQ(result.interleavings.size(), 10U);
}

TEST_F(SweepTest, RunsThatDidNotFollowAreDoubtsAndNoDuplicates) {
    script = [](std::uint64_t number, const std::stop_token&) {
        return number == 5 ? with_violation(outcome(1), replay::ViolationKind::deadlock)
                           : outcome(static_cast<replay::Rank>(number));
    };
    explorer.diverging = {5};
    const SweepResult result = sweep();
    EXPECT_EQ(result.explored, 10U) << "the rest goes on";
    EXPECT_EQ(result.duplicates, 0U);
    EXPECT_TRUE(result.findings.empty()) << "no deadlock from a run that diverged";
    ASSERT_EQ(result.doubts.size(), 1U);
    EXPECT_EQ(result.doubts[0].violation.kind, replay::ViolationKind::divergence);
    EXPECT_EQ(result.doubts[0].violation.message, "operation 0 of rank 0 was another one");
    EXPECT_EQ(result.doubts[0].violation.ranks, std::vector<replay::Rank>{0});
    EXPECT_EQ(result.divergences, 1U);
    EXPECT_EQ(result.imprecise_matches, 0U);
    EXPECT_FALSE(result.complete());
    EXPECT_EQ(result.interleavings[4].verdicts, std::vector<replay::ViolationKind>{replay::ViolationKind::divergence});
}

TEST_F(SweepTest, ADivergenceIsSaidOnceAsTheRankSawIt) {
    script = [](std::uint64_t number, const std::stop_token&) {
        RunRecord record = outcome(static_cast<replay::Rank>(number));
        record.diverged = number > 8;
        return record.diverged ? with_violation(record, replay::ViolationKind::divergence, "the rank's own words")
                               : record;
    };
    const SweepResult result = sweep();
    EXPECT_EQ(result.divergences, 2U);
    ASSERT_EQ(result.doubts.size(), 1U);
    EXPECT_EQ(result.doubts[0].violation.message, "the rank's own words");
    EXPECT_EQ(result.doubts[0].count, 2U);
}

TEST_F(SweepTest, ImpreciseMatchesAreCountedByThemselves) {
    script = [](std::uint64_t number, const std::stop_token&) {
        RunRecord record = outcome(static_cast<replay::Rank>(number));
        record.diverged = number == 4;
        return record.diverged ? with_violation(record, replay::ViolationKind::imprecise_match) : record;
    };
    const SweepResult result = sweep();
    EXPECT_EQ(result.imprecise_matches, 1U);
    EXPECT_EQ(result.divergences, 0U);
    ASSERT_EQ(result.doubts.size(), 1U);
    EXPECT_EQ(result.doubts[0].violation.kind, replay::ViolationKind::imprecise_match);
}

TEST_F(SweepTest, TrialsAreNoInterleavings) {
    explorer.trials = {4, 10};
    script = [](std::uint64_t number, const std::stop_token&) {
        RunRecord record = outcome(number == 4 ? 3 : static_cast<replay::Rank>(number));
        return number == 10 ? with_violation(record, replay::ViolationKind::crash) : record;
    };
    const SweepResult result = sweep();
    EXPECT_EQ(engine.runs, 10U);
    EXPECT_EQ(result.explored, 8U);
    EXPECT_EQ(result.trials, 2U);
    EXPECT_EQ(result.duplicates, 0U);
    EXPECT_EQ(result.interleavings.size(), 8U);
    EXPECT_EQ(result.findings.size(), 1U) << "what is wrong is wrong";
    EXPECT_TRUE(result.complete());
}

TEST_F(SweepTest, WhatTheExplorerLeavesOutIsSaid) {
    const auto at = [](const std::string& what, int line) {
        return LeftOutAlternatives::Otherwise{.what = what,
                                              .remedy = "an option",
                                              .call = "MPI_Test",
                                              .where = {"/app", 0x40, "serve", "server.c", line}};
    };
    explorer.left_out_.otherwise = {{at("polls", 3), 1}, {at("polls", 9), 2}, {at("sets of requests", 5), 3}};
    const SweepResult result = sweep();
    ASSERT_EQ(reasons(result), (Reasons{"alternatives", "alternatives"}));
    EXPECT_EQ(result.left_out[0].what, "polls (3)");
    EXPECT_EQ(result.left_out[0].remedy, "an option");
    ASSERT_EQ(result.left_out[0].places.size(), 2U);
    EXPECT_EQ(result.left_out[0].places[0].where.line, 9) << "the widest first";
    EXPECT_EQ(result.left_out[0].places[0].alternatives, 2U);
    EXPECT_EQ(result.left_out[1].what, "sets of requests (3)");
    EXPECT_FALSE(result.complete());
}

TEST_F(SweepTest, FalseAnswersTellOutcomesApartOnlyWhereTheyAreExplored) {
    script = [](std::uint64_t number, const std::stop_token&) {
        RunRecord record = outcome(1);
        record.epochs[0].kind = replay::EpochKind::polling_probe;
        record.epochs[0].outcome->false_answers = static_cast<std::uint32_t>(number - 1);
        return record;
    };
    EXPECT_EQ(sweep().duplicates, 9U);
    explorer = ScriptedExplorer(10);
    with_false_answers = true;
    const SweepResult result = sweep();
    EXPECT_EQ(result.duplicates, 0U);
    EXPECT_EQ(result.interleavings[2].outcomes, "{0#0<-1~2}");
}

TEST_F(SweepTest, AboveTheLimitNoOutcomesAreKept) {
    outcomes_limit = 10;
    EXPECT_EQ(sweep().interleavings.size(), 10U);
    explorer = ScriptedExplorer(11);
    const SweepResult result = sweep();
    EXPECT_EQ(result.explored, 11U);
    EXPECT_TRUE(result.outcomes_omitted);
    EXPECT_TRUE(result.interleavings.empty());
    EXPECT_EQ(result.outcomes_limit, 10U);
    EXPECT_TRUE(result.complete()) << "they were all run";
}

TEST_F(SweepTest, AboveTheLimitDuplicatesAreNotKnown) {
    script = [](std::uint64_t number, const std::stop_token&) {
        return outcome(static_cast<replay::Rank>(number % 5));
    };
    EXPECT_EQ(sweep().duplicates, 5U);
    explorer = ScriptedExplorer(10);
    outcomes_limit = 9;
    EXPECT_FALSE(sweep().duplicates);
}

TEST_F(SweepTest, AnInterruptBetweenRunsEndsItWithAResult) {
    std::atomic<bool> interrupted = false;
    settings.interrupted = &interrupted;
    script = [&](std::uint64_t number, const std::stop_token&) {
        interrupted = number == 3;
        return outcome(static_cast<replay::Rank>(number));
    };
    const SweepResult result = sweep();
    EXPECT_EQ(result.explored, 3U);
    EXPECT_EQ(result.pending, 7U);
    EXPECT_EQ(reasons(result), Reasons{"interrupt"});
    EXPECT_EQ(result.interleavings.size(), 3U);
}

TEST_F(SweepTest, AnInterruptEndsTheRunThatGoesOn) {
    std::atomic<bool> interrupted = false;
    settings.interrupted = &interrupted;
    script = [&](std::uint64_t number, const std::stop_token& stop) {
        if (number < 3) {
            return outcome(static_cast<replay::Rank>(number));
        }
        interrupted = true;
        return until_stopped(stop);
    };
    const SweepResult result = sweep();
    EXPECT_EQ(result.explored, 2U);
    EXPECT_EQ(result.unfinished, 1U);
    EXPECT_EQ(result.pending, 8U) << "with the one that was ended";
    EXPECT_EQ(reasons(result), Reasons{"interrupt"});
    EXPECT_TRUE(result.doubts.empty()) << "the run that we ended did not diverge";
    EXPECT_EQ(result.duplicates, 0U);
    EXPECT_FALSE(result.complete());
}

TEST_F(SweepTest, WhoeverEndsTheRanksAndTheSweepAlikeHasFoundNothing) {
    std::atomic<bool> interrupted = false;
    settings.interrupted = &interrupted;
    std::jthread outside;
    script = [&](std::uint64_t number, const std::stop_token&) {
        if (number == 3) {
            outside = std::jthread([&] {
                std::this_thread::sleep_for(20ms);
                interrupted = true;
            });
            return with_violation(outcome(3), replay::ViolationKind::crash,
                                  "rank 0 was ended by signal SIGTERM (Terminated)");
        }
        return outcome(static_cast<replay::Rank>(number));
    };
    const SweepResult result = sweep();
    EXPECT_EQ(result.explored, 2U);
    EXPECT_EQ(result.pending, 8U) << "with the one whose ranks were ended";
    EXPECT_TRUE(result.findings.empty());
    EXPECT_EQ(reasons(result), Reasons{"interrupt"});
}

TEST_F(SweepTest, ARunThatMayHaveBeenHeldUpIsRepeatedOnce) {
    std::map<std::uint64_t, unsigned> times;
    script = [&](std::uint64_t number, const std::stop_token&) {
        RunRecord record = outcome(static_cast<replay::Rank>(number));
        const unsigned time = ++times[number];
        if ((number == 3 && time == 1) || number == 5 || number == 7) {
            record = with_violation(record, replay::ViolationKind::imprecise_match);
            record.diverged = true;
            record.seconds = number == 7 ? 0.1 : 10;
        }
        return record;
    };
    settings.repeats_doubts = true;
    const SweepResult result = sweep();
    EXPECT_EQ(result.explored, 10U);
    EXPECT_EQ(times[3], 2U);
    EXPECT_EQ(times[5], 2U);
    EXPECT_EQ(times[7], 1U);
    ASSERT_EQ(result.doubts.size(), 1U);
    EXPECT_EQ(result.doubts.front().count, 2U) << "of 5 and 7";
}

TEST_F(SweepTest, WhatEndsARankAloneIsTheProgram) {
    script = [&](std::uint64_t number, const std::stop_token&) {
        RunRecord record = outcome(static_cast<replay::Rank>(number));
        return number == 3 ? with_violation(record, replay::ViolationKind::crash,
                                            "rank 0 was ended by signal SIGTERM (Terminated)")
                           : record;
    };
    const SweepResult result = sweep();
    EXPECT_EQ(result.explored, 10U);
    EXPECT_EQ(result.findings.size(), 1U);
}

TEST_F(SweepTest, AnInterruptBeforeTheFirstRunEndsIt) {
    std::atomic<bool> interrupted = true;
    settings.interrupted = &interrupted;
    script = [&](std::uint64_t, const std::stop_token& stop) { return until_stopped(stop); };
    const SweepResult result = sweep();
    EXPECT_LE(engine.runs, 1U);
    EXPECT_EQ(reasons(result), Reasons{"interrupt"});
    EXPECT_FALSE(result.complete());
}

TEST_F(SweepTest, AnInterruptDuringTheLastRunThatEndedByItselfLeavesNothingOut) {
    std::atomic<bool> interrupted = false;
    settings.interrupted = &interrupted;
    script = [&](std::uint64_t number, const std::stop_token&) {
        interrupted = number == 10;
        return outcome(static_cast<replay::Rank>(number));
    };
    const SweepResult result = sweep();
    EXPECT_EQ(result.explored, 10U);
    EXPECT_TRUE(result.complete());
}

TEST_F(SweepTest, TheTimeLimitEndsTheRunThatGoesOn) {
    settings.limits.time_limit = 100ms;
    script = [](std::uint64_t number, const std::stop_token& stop) {
        return number == 2 ? until_stopped(stop) : outcome(static_cast<replay::Rank>(number));
    };
    const auto begin = std::chrono::steady_clock::now();
    const SweepResult result = sweep();
    EXPECT_GE(std::chrono::steady_clock::now() - begin, 100ms);
    EXPECT_LE(result.explored, 2U);
    EXPECT_EQ(result.explored + result.pending, 10U);
    EXPECT_EQ(reasons(result), Reasons{"time-limit"});
}

TEST_F(SweepTest, TheTimeLimitEndsTheSweepBetweenRuns) {
    settings.limits.time_limit = 50ms;
    script = [](std::uint64_t number, const std::stop_token&) {
        std::this_thread::sleep_for(number == 2 ? 60ms : 0ms);
        return outcome(static_cast<replay::Rank>(number));
    };
    const SweepResult result = sweep();
    EXPECT_LE(result.explored, 2U);
    EXPECT_EQ(result.explored + result.pending, 10U);
    EXPECT_EQ(reasons(result), Reasons{"time-limit"});
}

TEST_F(SweepTest, RunsEndedAfterADeathMakeTheResultIncomplete) {
    script = [](std::uint64_t number, const std::stop_token&) {
        RunRecord record = outcome(static_cast<replay::Rank>(number));
        record.cut_short = number == 3 || number == 4;
        return record;
    };
    explorer.diverging = {4};
    const SweepResult result = sweep();
    EXPECT_EQ(result.explored, 10U) << "the sweep goes on";
    EXPECT_EQ(reasons(result), Reasons{"cut-short"});
    EXPECT_NE(result.left_out.at(0).what.find("2 runs"), std::string::npos);
    EXPECT_TRUE(result.doubts.empty()) << "what was not reached is not diverged";
    EXPECT_FALSE(result.complete());
}

TEST_F(SweepTest, ProgressIsTold) {
    std::atomic<bool> fourth = false;
    std::atomic<bool> told = false;
    script = [&](std::uint64_t number, const std::stop_token&) {
        fourth = fourth || number == 4;
        for (int i = 0; number == 4 && !told && i < 12000; ++i) {
            std::this_thread::sleep_for(5ms);
        }
        RunRecord record = outcome(static_cast<replay::Rank>(number));
        return number < 3 ? record : with_violation(record, replay::ViolationKind::crash);
    };
    std::optional<SweepProgress> first;
    settings.progress = [&](const SweepProgress& progress) {
        if (fourth && !told) {  // on a busy machine some of it may be told before
            first = progress;
            told = true;
        }
    };
    sweep();
    ASSERT_TRUE(first);
    EXPECT_EQ(first->explored, 3U);
    EXPECT_EQ(first->running, 1U);
    EXPECT_EQ(first->pending, 6U);
    EXPECT_EQ(first->findings, 1U);
}

TEST_F(SweepTest, RunsGoOnSideBySide) {
    for (const unsigned jobs : {1U, 2U, 5U}) {
        ScriptedExplorer many(60);
        settings.jobs = jobs;
        std::atomic<unsigned> running = 0;
        std::atomic<unsigned> most = 0;
        script = [&](std::uint64_t number, const std::stop_token&) {
            const unsigned now = ++running;
            for (unsigned seen = most; seen < now && !most.compare_exchange_weak(seen, now);) {}
            for (int i = 0; number <= jobs && most < jobs && i < 12000; ++i) {
                std::this_thread::sleep_for(5ms);
            }
            --running;
            return outcome(static_cast<replay::Rank>(number));
        };
        const SweepResult result = sweep(many);
        EXPECT_EQ(most, jobs);
        EXPECT_EQ(result.explored, 60U);
        EXPECT_EQ(result.duplicates, 0U);
        ASSERT_EQ(result.interleavings.size(), 60U);
        EXPECT_EQ(result.interleavings[41].outcomes, "{0#0<-42}") << "in the order of their numbers";
        EXPECT_TRUE(result.complete());
    }
}

TEST_F(SweepTest, BoundsHoldWhenRunsGoOnSideBySide) {
    settings.jobs = 3;
    settings.limits.max_interleavings = 4;
    const SweepResult result = sweep();
    EXPECT_EQ(result.explored, 4U);
    EXPECT_EQ(engine.runs, 4U);
    EXPECT_EQ(result.pending, 6U);
}

TEST_F(SweepTest, TheFirstViolationEndsTheRunsBesideIt) {
    settings.jobs = 3;
    settings.limits.stop_on_first = true;
    script = [](std::uint64_t number, const std::stop_token& stop) {
        return number == 2 ? with_violation(outcome(1), replay::ViolationKind::deadlock) : until_stopped(stop);
    };
    const SweepResult result = sweep();
    EXPECT_EQ(result.explored, 1U);
    EXPECT_EQ(result.pending, 9U);
    EXPECT_EQ(reasons(result), Reasons{"stop-on-first"});
}

/// Keeps in memory what a sweep does, up to a number of runs.
struct Notebook final : SweepKeeper {
    bool keep(const SweepEntry& entry) override {
        if (entries.size() == room) {
            throw Error("the disk is full");
        }
        if (too_large && too_large(entry)) {
            ++refused;
            return false;
        }
        entries.push_back(entry);
        return true;
    }
    void compact(const Explorer&, const SweepAccount& account) override { accounted = account.explored(); }
    void wait_until_kept() override { ++waited; }

    std::size_t room = 1000;
    std::function<bool(const SweepEntry&)> too_large;
    std::uint64_t refused = 0;
    std::vector<SweepEntry> entries;
    std::uint64_t accounted = 0;
    std::atomic<std::uint64_t> waited = 0;
};

TEST_F(SweepTest, WhatWasKeptMakesTheSameAccount) {
    Notebook notebook;
    settings.keeper = &notebook;
    settings.jobs = 2;
    script = [](std::uint64_t number, const std::stop_token&) {
        RunRecord record = outcome(static_cast<replay::Rank>(number));
        record.not_modelled["MPI_Put"].calls = 1;
        return number % 3 == 0 ? with_violation(record, replay::ViolationKind::crash) : record;
    };
    const SweepResult result = sweep();
    EXPECT_EQ(notebook.entries.size(), 10U);
    EXPECT_EQ(notebook.accounted, 10U);
    EXPECT_GE(notebook.waited, 1U) << "before the result is told";
    SweepAccount again(CountedPolls::none);
    for (const SweepEntry& entry : notebook.entries) {
        again.apply(entry);
    }
    const SweepResult same = again.result();
    EXPECT_EQ(same.explored, 10U);
    ASSERT_EQ(same.findings.size(), 1U);
    EXPECT_EQ(same.findings[0].count, 3U);
    EXPECT_EQ(same.findings[0].reproducer.number, result.findings[0].reproducer.number);
    EXPECT_EQ(same.not_modelled, result.not_modelled);
    EXPECT_EQ(same.interleavings.size(), 10U);
}

TEST_F(SweepTest, WhatCannotBeKeptIsNotTakenIn) {
    Notebook notebook;
    notebook.room = 4;
    settings.keeper = &notebook;
    SweepAccount account(CountedPolls::none);
    EXPECT_THROW(run_sweep(engine, explorer, account, settings), Error);
    EXPECT_EQ(account.explored(), 4U);
    EXPECT_EQ(explorer.learned.size(), 4U);
}

TEST_F(SweepTest, OfARunThatIsTooLargeToBeKeptWhatFollowsIsLeftOutAndItsFindingsAreTold) {
    Notebook notebook;
    settings.keeper = &notebook;
    explorer.lesson.steps.resize(1);
    explorer.lesson.found.resize(1);
    notebook.too_large = [](const SweepEntry& entry) { return !entry.lesson.found.empty(); };
    script = [](std::uint64_t number, const std::stop_token&) {
        return with_violation(outcome(static_cast<replay::Rank>(number)), replay::ViolationKind::crash);
    };
    const SweepResult result = sweep();
    EXPECT_EQ(notebook.refused, 10U);
    EXPECT_EQ(result.explored, 10U);
    ASSERT_EQ(result.findings.size(), 1U);
    EXPECT_EQ(result.findings[0].count, 10U);
    EXPECT_FALSE(result.findings[0].epochs.empty());
    ASSERT_EQ(explorer.taken_in.otherwise.size(), 1U);
    EXPECT_EQ(explorer.taken_in.otherwise.begin()->second, 10U);
}

TEST_F(SweepTest, AFindingIsToldAlsoWhereWhatLeadsThereCannotBeKept) {
    Notebook notebook;
    settings.keeper = &notebook;
    notebook.too_large = [](const SweepEntry& entry) {
        return !entry.sightings.empty() && entry.sightings[0].shown && !entry.sightings[0].shown->epochs.empty();
    };
    script = [](std::uint64_t, const std::stop_token&) {
        return with_violation(outcome(1), replay::ViolationKind::crash);
    };
    const SweepResult result = sweep();
    ASSERT_EQ(result.findings.size(), 1U);
    EXPECT_TRUE(result.findings[0].reproducer.decisions.empty());
    EXPECT_NE(result.findings[0].violation.message.find("too many to be kept"), std::string::npos);
}

TEST_F(SweepTest, WhatIsTooLargeHoweverMuchIsLeftOutEndsTheSweep) {
    Notebook notebook;
    settings.keeper = &notebook;
    notebook.too_large = [](const SweepEntry&) { return true; };
    EXPECT_THROW(sweep(), Error);
}

TEST_F(SweepTest, WhileARunIsLearnedFromProgressIsTold) {
    std::atomic<unsigned> told = 0;
    settings.progress = [&](const SweepProgress&) { ++told; };
    explorer.learning = [&](const std::stop_token&) {
        while (told < 2) {
            std::this_thread::sleep_for(1ms);
        }
    };
    EXPECT_EQ(sweep().explored, 10U);
}

TEST_F(SweepTest, WhileARunIsLearnedFromTheOthersAreStopped) {
    std::atomic<bool> interrupted = false;
    std::atomic<bool> stopped = false;
    settings.interrupted = &interrupted;
    settings.jobs = 2;
    explorer.learning = [&](const std::stop_token&) {
        interrupted = true;
        while (!stopped) {
            std::this_thread::sleep_for(1ms);
        }
    };
    script = [&](std::uint64_t number, const std::stop_token& stop) {
        if (number == 1) {
            return outcome(1);
        }
        RunRecord record = until_stopped(stop);
        stopped = true;
        return record;
    };
    EXPECT_EQ(sweep().explored, 1U);
}

TEST_F(SweepTest, ARunThatIsLearnedFromForLongWhenTheSweepIsToEndIsMadeAgainAndItsViolationTold) {
    std::atomic<bool> interrupted = false;
    settings.interrupted = &interrupted;
    script = [](std::uint64_t, const std::stop_token&) {
        return with_violation(outcome(1), replay::ViolationKind::crash);
    };
    for (const bool by_interrupt : {true, false}) {
        interrupted = false;
        explorer = ScriptedExplorer(10);
        explorer.learning = [&](const std::stop_token& stop) {
            interrupted = by_interrupt;
            while (!stop.stop_requested()) {
                std::this_thread::sleep_for(1ms);
            }
        };
        if (!by_interrupt) {
            settings.limits.time_limit = 50ms;
        }
        const SweepResult result = sweep();
        EXPECT_EQ(reasons(result), Reasons{by_interrupt ? "interrupt" : "time-limit"});
        EXPECT_EQ(result.explored, 0U);
        EXPECT_EQ(result.unfinished, 1U);
        EXPECT_EQ(result.pending, 10U);
        EXPECT_TRUE(explorer.learned.empty());
        ASSERT_EQ(result.findings.size(), 1U);
        EXPECT_EQ(result.findings[0].count, 0U);
    }
}

TEST_F(SweepTest, AnUnfinishedRunThatShowsAViolationIsTold) {
    settings.limits.time_limit = 50ms;
    script = [](std::uint64_t, const std::stop_token& stop) {
        return with_violation(until_stopped(stop), replay::ViolationKind::deadlock);
    };
    const SweepResult result = sweep();
    EXPECT_EQ(result.explored, 0U);
    EXPECT_EQ(result.unfinished, 1U);
    ASSERT_EQ(result.findings.size(), 1U);
    EXPECT_EQ(result.findings[0].count, 0U) << "it will be counted when it is run again";
    EXPECT_EQ(result.pending, 10U);
}

TEST_F(SweepTest, WhatTheEngineThrowsArrives) {
    script = [](std::uint64_t number, const std::stop_token&) -> RunRecord {
        if (number == 2) {
            throw Error("the program is gone");
        }
        return outcome(1);
    };
    EXPECT_THROW(sweep(), Error);
    EXPECT_EQ(engine.runs, 2U);
}

/// Three modes; the explorers of the first two have so many interleavings and leave something out.
struct EachBufferingTest : SweepTest {
    int made = 0;
    EachBuffering each{
        {replay::all_bufferings.begin(), replay::all_bufferings.end()}, [this] {
            static constexpr std::array<std::uint64_t, 3> counts{3, 1, 2};
            auto explorer = std::make_unique<ScriptedExplorer>(counts.at(static_cast<std::size_t>(made)));
            if (made++ < 2) {
                explorer->left_out_.otherwise[{.what = "too many", .remedy = {}, .call = {}, .where = {}}] = 4;
            }
            return explorer;
        }};
};

TEST_F(EachBufferingTest, RunsOneModeAfterTheOther) {
    using replay::Buffering;
    // Each mode has an outcome that the others have, too: that is no duplicate.
    script = [](std::uint64_t number, const std::stop_token&) {
        return outcome(number <= 3 ? static_cast<replay::Rank>(number) : 1);
    };
    const SweepResult result = sweep(each);
    EXPECT_EQ(result.explored, 6U);
    EXPECT_EQ(result.duplicates, 1U) << "the two with infinite buffering";
    std::vector<std::pair<std::uint64_t, Buffering>> runs;
    for (const InterleavingOutcome& run : result.interleavings) {
        runs.emplace_back(run.number, run.buffering);
    }
    EXPECT_EQ(runs, (std::vector<std::pair<std::uint64_t, Buffering>>{{1, Buffering::native},
                                                                      {2, Buffering::native},
                                                                      {3, Buffering::native},
                                                                      {4, Buffering::zero},
                                                                      {5, Buffering::infinite},
                                                                      {6, Buffering::infinite}}));
    EXPECT_EQ(result.by_buffering.at(Buffering::native).explored, 3U);
    EXPECT_EQ(result.by_buffering.at(Buffering::zero).explored, 1U);
    EXPECT_EQ(result.by_buffering.at(Buffering::infinite).explored, 2U);
    ASSERT_EQ(result.left_out.size(), 1U);
    EXPECT_EQ(result.left_out[0].what, "too many (8)");
    EXPECT_FALSE(each.next());
}

TEST_F(EachBufferingTest, BoundsAreForAllModesTogether) {
    settings.limits.max_interleavings = 5;
    const SweepResult result = sweep(each);
    EXPECT_EQ(result.explored, 5U);
    EXPECT_EQ(result.pending, 1U);
    EXPECT_EQ(result.by_buffering.at(replay::Buffering::infinite).pending, 1U);
    EXPECT_EQ(result.by_buffering.at(replay::Buffering::native).pending, 0U);
}

TEST_F(EachBufferingTest, StopsInTheFirstModeThatShowsAViolation) {
    settings.limits.stop_on_first = true;
    script = [](std::uint64_t number, const std::stop_token&) {
        return number == 4 ? with_violation(outcome(1), replay::ViolationKind::deadlock)
                           : outcome(static_cast<replay::Rank>(number));
    };
    const SweepResult result = sweep(each);
    EXPECT_EQ(result.explored, 4U);
    EXPECT_FALSE(result.by_buffering.contains(replay::Buffering::infinite));
    ASSERT_EQ(result.findings.size(), 1U);
    EXPECT_EQ(result.findings[0].buffering, std::vector{replay::Buffering::zero});
}

}  // namespace
}  // namespace dampi::scheduler
