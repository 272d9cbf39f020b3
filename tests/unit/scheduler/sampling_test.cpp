// Random walks beside an exploration: what they estimate, that they change nothing of it, and that they can be gone on
// with. That the estimate is right on the average is tested in tests/oracle.
#include "scheduler/exploration/sampling.hpp"

#include "base/check.hpp"
#include "replay/serialization.hpp"
#include "scheduler/exploration/each_buffering.hpp"
#include "scheduler/exploration/match_relations.hpp"
#include "scheduler/sweep/sweep.hpp"
#include "tests/bench/free_engine.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace dampi::scheduler {
namespace {

using heuristics::SizeEstimate;
using replay::Interleaving;
using replay::RunRecord;

/// Two masters, each with three workers and two rounds: (3! * 3!)^2 = 1296 outcomes.
bench::FreeEngine two_masters() { return {2, 3, 2}; }

std::unique_ptr<Explorer> sampling(std::optional<std::uint32_t> walks, std::uint64_t seed = 1, bool if_many = true) {
    return std::make_unique<Sampling>(std::make_unique<MatchRelations>(),
                                      SamplingSettings{.walks = walks, .if_many = if_many, .seed = seed});
}

struct Done {
    SweepResult result;
    std::vector<SweepEntry> entries;
};

struct Keeper final : SweepKeeper {
    explicit Keeper(std::vector<SweepEntry>& entries) : entries_(entries) {}
    bool keep(const SweepEntry& entry) override {
        entries_.push_back(entry);
        entries_.back().lesson = replay::from_bytes<Lesson>(replay::to_bytes(entry.lesson));
        return true;
    }
    void compact(const Explorer& /*explorer*/, const SweepAccount& /*account*/) override {}
    void wait_until_kept() override {}

private:
    std::vector<SweepEntry>& entries_;
};

Done sweep(ExecutionEngine& engine, Explorer& explorer, std::uint64_t up_to = 1'000'000, unsigned jobs = 1) {
    Done done;
    Keeper keeper(done.entries);
    SweepAccount account(CountedPolls::none);
    SweepSettings settings;
    settings.jobs = jobs;
    settings.limits.max_interleavings = up_to;
    settings.keeper = &keeper;
    done.result = run_sweep(engine, explorer, account, settings);
    return done;
}

TEST(Sampling, ChangesNothingOfWhatIsExplored) {
    auto engine = two_masters();
    for (const unsigned jobs : {1U, 3U}) {
        const auto explorer = sampling(30);
        const Done done = sweep(engine, *explorer, 1'000'000, jobs);
        EXPECT_EQ(done.result.explored, 1296U);
        EXPECT_EQ(done.result.duplicates, 0U);
        EXPECT_TRUE(done.result.complete());
        EXPECT_EQ(done.result.trials, 0U);
        EXPECT_GT(done.result.walk_runs, 30U);
        ASSERT_TRUE(done.result.size_estimate);
        EXPECT_EQ(done.result.size_estimate->runs, done.result.walk_runs);
        std::set<std::uint64_t> numbers;
        for (const SweepEntry& entry : done.entries) {
            EXPECT_TRUE(numbers.insert(entry.outcome.number).second);
        }
        EXPECT_EQ(*numbers.rbegin(), done.entries.size());
    }
}

TEST(Sampling, EstimatesBeforeAnythingElseIsRun) {
    auto engine = two_masters();
    const auto explorer = sampling(200);
    const Done done = sweep(engine, *explorer, 1);
    EXPECT_EQ(done.result.explored, 1U);
    const SizeEstimate& size = done.result.size_estimate.value();
    EXPECT_EQ(size.walks, 200U);
    EXPECT_EQ(size.ended, 200U);
    EXPECT_EQ(size.abandoned, 0U);
    EXPECT_NEAR(size.mean.value(), 1296, 150);
    EXPECT_GT(size.relative_error().value(), 0.0);
    EXPECT_LT(size.relative_error().value(), 0.1);
    EXPECT_EQ(done.result.pending, 12U) << "those of the first interleaving";
}

TEST(Sampling, DoesNotDependOnWhatRunsSideBySide) {
    auto engine = two_masters();
    const auto one = sampling(30, 7);
    const auto four = sampling(30, 7);
    const auto other = sampling(30, 8);
    const SizeEstimate by_one = sweep(engine, *one, 1, 1).result.size_estimate.value();
    const SizeEstimate by_four = sweep(engine, *four, 1, 4).result.size_estimate.value();
    const SizeEstimate by_other = sweep(engine, *other, 1, 1).result.size_estimate.value();
    EXPECT_EQ(by_one.mean, by_four.mean);
    EXPECT_EQ(by_one.runs, by_four.runs);
    EXPECT_NE(by_one.runs, by_other.runs);
}

TEST(Sampling, UnaskedOnlyWhereThereSeemToBeMany) {
    auto few = two_masters();  // 1296
    const auto not_worth_it = sampling(std::nullopt);
    EXPECT_FALSE(sweep(few, *not_worth_it, 1).result.size_estimate);
    bench::FreeEngine many(2, 4, 2);  // 331776
    const auto worth_it = sampling(std::nullopt);
    const SizeEstimate size = sweep(many, *worth_it, 1).result.size_estimate.value();
    EXPECT_GE(size.walks, 5U);
    EXPECT_LE(size.walks, Sampling::most_walks);
    EXPECT_EQ(size.ended, size.walks);
    EXPECT_LE(size.runs, 2 * Sampling::runs_for_walks);
    const auto unwanted = sampling(std::nullopt, 1, false);
    EXPECT_FALSE(sweep(many, *unwanted, 1).result.size_estimate);
    bench::FreeEngine huge(1, 5, 200);  // a walk would take hundreds of runs
    const auto too_long = sampling(std::nullopt);
    const Done done = sweep(huge, *too_long, 1);
    EXPECT_FALSE(done.result.size_estimate);
    EXPECT_EQ(done.result.walk_runs, 0U);
}

TEST(Sampling, OfAHugeSpace) {
    bench::FreeEngine engine(1, 3, 400);  // 6^400: more than a double holds
    const auto explorer = sampling(2);
    const SizeEstimate size = sweep(engine, *explorer, 1, 2).result.size_estimate.value();
    EXPECT_NEAR(size.mean.log10(), 400 * std::log10(6.0), 1e-6);
    EXPECT_EQ(size.relative_error(), 0.0);
}

TEST(Sampling, IsGoneOnWithFromLessonsOrAState) {
    auto engine = two_masters();
    const auto whole = sampling(20);
    const Done all = sweep(engine, *whole);
    const SizeEstimate expected = all.result.size_estimate.value();
    ASSERT_GT(expected.runs, 40U);
    for (const std::size_t lessons : {0U, 1U, 2U, 17U, 40U, 60U, 300U}) {
        for (const bool by_state : {false, true}) {
            SCOPED_TRACE(testing::Message() << lessons << " lessons" << (by_state ? ", by the state" : ""));
            auto explorer = sampling(20);
            SweepAccount account(CountedPolls::none);
            for (std::size_t i = 0; i < lessons; ++i) {
                explorer->apply(all.entries[i].lesson);
                account.apply(all.entries[i]);
            }
            if (by_state) {
                const ExplorerState state = explorer->state();
                explorer = sampling(20);
                explorer->restore(replay::from_bytes<ExplorerState>(replay::to_bytes(state)));
            }
            const SweepResult result = run_sweep(engine, *explorer, account, {});
            EXPECT_EQ(result.explored, 1296U);
            EXPECT_EQ(result.duplicates, 0U);
            ASSERT_TRUE(result.size_estimate);
            EXPECT_EQ(result.size_estimate->mean, expected.mean);
            EXPECT_LE(result.walk_runs, expected.runs + 1) << "but for the one that walks begin with, none twice";
        }
    }
}

TEST(Sampling, WhatWasGivenBackIsRunAgain) {
    auto engine = two_masters();
    const auto explorer = sampling(5);
    std::uint64_t handed_out = 0;
    std::uint64_t runs = 0;
    while (auto interleaving = explorer->next()) {
        if (handed_out++ % 3 == 0) {
            explorer->give_back(interleaving->number);
            continue;
        }
        ++runs;
        explorer->apply(explorer->learn(interleaving->number, engine.run(*interleaving, {}), {}).value());
    }
    EXPECT_EQ(runs, 1296 + explorer->estimate().value().runs);
    EXPECT_EQ(explorer->estimate().value().ended, 5U);
}

/// With decisions, the first epoch is not what was decided.
struct Disobedient : bench::FreeEngine {
    using FreeEngine::FreeEngine;
    RunRecord run(const Interleaving& interleaving, std::stop_token stop) override {
        RunRecord record = FreeEngine::run(interleaving, stop);
        if (!interleaving.decisions.empty()) {
            record.diverged = true;
        }
        return record;
    }
};

TEST(Sampling, WalksInWhichARunDoesNotFollowAreAbandoned) {
    Disobedient engine(1, 3, 2);
    const auto explorer = sampling(40);
    const Done done = sweep(engine, *explorer, 1);
    const SizeEstimate& size = done.result.size_estimate.value();
    EXPECT_EQ(size.ended + size.abandoned, 40U);
    EXPECT_GT(size.abandoned, 20U);
    EXPECT_EQ(size.runs, size.abandoned);
    EXPECT_FALSE(done.result.complete());
}

/// Wrong is what has the last worker first.
struct Faulty : bench::FreeEngine {
    using FreeEngine::FreeEngine;
    RunRecord run(const Interleaving& interleaving, std::stop_token stop) override {
        RunRecord record = FreeEngine::run(interleaving, stop);
        if (record.epochs.front().outcome->source == 3) {
            record.violations.push_back(
                {.kind = replay::ViolationKind::crash, .message = "m", .ranks = {0}, .situations = {}});
        }
        return record;
    }
};

TEST(Sampling, WhatGoesWrongInAWalkIsFound) {
    Faulty engine(1, 3, 2);
    const auto explorer = sampling(20);
    const SweepResult result = sweep(engine, *explorer, 1).result;
    ASSERT_EQ(result.findings.size(), 1U);
    EXPECT_EQ(result.findings[0].count, 0U) << "in none of the interleavings yet";
    EXPECT_FALSE(result.findings[0].reproducer.decisions.empty());
}

TEST(Sampling, OfSeveralModesOfBufferingTogether) {
    auto engine = two_masters();
    EachBuffering each({replay::Buffering::native, replay::Buffering::zero}, [] { return sampling(10); });
    const Done done = sweep(engine, each);
    EXPECT_EQ(done.result.explored, 2U * 1296U);
    const SizeEstimate& size = done.result.size_estimate.value();
    EXPECT_EQ(size.walks, 20U);
    EXPECT_EQ(size.ended, 20U);
    EXPECT_EQ(size.runs, done.result.walk_runs);
    const ExplorerState state = replay::from_bytes<ExplorerState>(replay::to_bytes(each.state()));
    EachBuffering again({replay::Buffering::native, replay::Buffering::zero}, [] { return sampling(10); });
    again.restore(state);
    EXPECT_EQ(again.estimate().value().mean, size.mean);
    EXPECT_FALSE(again.next());
}

TEST(Sampling, AJournalOfASweepWithoutWalksIsRefused) {
    Lesson lesson;
    lesson.number = 1;
    EXPECT_THROW(sampling(3)->apply(lesson), Error);
}

}  // namespace
}  // namespace dampi::scheduler
