// A sweep that is interrupted again and again and goes on from its journal comes to the same as one that is not.
#include "scheduler/sweep/sweep_journal.hpp"

#include "base/check.hpp"
#include "scheduler/exploration/each_buffering.hpp"
#include "scheduler/exploration/match_relations.hpp"
#include "tests/bench/free_engine.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <set>
#include <string>

#include <unistd.h>

namespace dampi::scheduler {
namespace {

struct SweepJournalTest : testing::Test {
    SweepJournalTest() {
        std::filesystem::remove_all(folder);
        std::filesystem::create_directories(folder);
    }
    ~SweepJournalTest() override { std::filesystem::remove_all(folder); }

    /// Every tenth run shows a violation.
    struct Engine : bench::FreeEngine {
        using FreeEngine::FreeEngine;
        replay::RunRecord run(const replay::Interleaving& interleaving, std::stop_token stop) override {
            replay::RunRecord record = FreeEngine::run(interleaving, stop);
            ++runs;
            if (record.epochs.back().outcome->source % 2 == 0) {
                record.violations.push_back(
                    {.kind = replay::ViolationKind::crash, .message = "m", .ranks = {0}, .situations = {}});
            }
            return record;
        }
        std::atomic<std::uint64_t> runs = 0;
    };

    std::unique_ptr<Explorer> make_explorer() const {
        return std::make_unique<EachBuffering>(modes, [] { return std::make_unique<MatchRelations>(); });
    }

    /// Goes on up to so many interleavings; what there is then.
    SweepResult go_on(std::uint64_t up_to, std::uint64_t least_size_to_compact = 1 << 20) {
        const auto explorer = make_explorer();
        SweepAccount account(CountedPolls::none);
        std::unique_ptr<SweepJournal> journal;
        if (std::filesystem::exists(file)) {
            replay::JournalLock lock(file);
            replay::JournalReader reader(file);
            journal = std::make_unique<SweepJournal>(std::move(lock), reader, *explorer, account);
        } else {
            journal = std::make_unique<SweepJournal>(replay::JournalLock(file), "header");
        }
        was_finished = journal->was_finished();
        journal->set_least_size_to_compact(least_size_to_compact);
        journal->set_most_payload(most_payload);
        SweepSettings settings;
        settings.jobs = jobs;
        settings.limits.max_interleavings = up_to;
        settings.keeper = journal.get();
        SweepResult result = run_sweep(engine, *explorer, account, settings);
        if (!result.ended_early) {
            journal->finish();
        }
        return result;
    }

    const std::filesystem::path folder =
        std::filesystem::temp_directory_path() / ("sweep-journal-" + std::to_string(::getpid()));
    const std::filesystem::path file = folder / "journal";
    Engine engine{2, 3, 2};  // 1296 outcomes
    std::vector<replay::Buffering> modes{replay::Buffering::native};
    unsigned jobs = 1;
    std::size_t most_payload = replay::most_journal_payload;
    bool was_finished = false;
};

std::set<std::string> outcomes(const SweepResult& result) {
    std::set<std::string> all;
    for (const InterleavingOutcome& each : result.interleavings) {
        EXPECT_TRUE(all.insert(std::string(replay::buffering_name(each.buffering)) + each.outcomes).second);
    }
    return all;
}

TEST_F(SweepJournalTest, AnInterruptedSweepGoesOn) {
    for (const unsigned at_once : {1U, 3U}) {
        for (const std::uint64_t least_size : {std::uint64_t{2000}, std::uint64_t{1} << 30}) {
            SCOPED_TRACE(testing::Message() << at_once << " jobs, compacting from " << least_size);
            std::filesystem::remove(file);
            jobs = at_once;
            engine.runs = 0;
            SweepResult result;
            for (std::uint64_t up_to = 1; up_to < 1296; up_to = up_to * 3 / 2 + 1) {
                result = go_on(up_to, least_size);
                EXPECT_EQ(result.explored, up_to);
                EXPECT_FALSE(was_finished);
                EXPECT_TRUE(is_unfinished(file));
            }
            result = go_on(1'000'000, least_size);
            EXPECT_EQ(engine.runs, 1296U) << "none twice";
            EXPECT_EQ(result.explored, 1296U);
            EXPECT_EQ(outcomes(result).size(), 1296U);
            EXPECT_EQ(result.duplicates, 0U);
            EXPECT_TRUE(result.complete());
            ASSERT_EQ(result.findings.size(), 1U);
            EXPECT_EQ(result.findings[0].count, 864U);
            EXPECT_FALSE(is_unfinished(file));
            EXPECT_EQ(go_on(1'000'000).explored, 1296U);
            EXPECT_TRUE(was_finished);
            EXPECT_EQ(engine.runs, 1296U);
        }
    }
}

TEST_F(SweepJournalTest, CompactingKeepsItSmall) {
    (void)go_on(1'000'000, 2000);
    const auto compacted = std::filesystem::file_size(file);
    std::filesystem::remove(file);
    (void)go_on(1'000'000);
    EXPECT_LT(compacted, std::filesystem::file_size(file));
}

TEST_F(SweepJournalTest, AStateThatIsLargerThanAnEntryComesInParts) {
    most_payload = 20'000;  // entries are smaller
    SweepResult result;
    for (std::uint64_t up_to = 300; up_to < 1296; up_to += 300) {
        result = go_on(up_to, 2000);
        EXPECT_EQ(result.explored, up_to);
    }
    result = go_on(1'000'000, 2000);
    EXPECT_EQ(engine.runs, 1296U) << "none twice";
    EXPECT_EQ(outcomes(result).size(), 1296U);
    EXPECT_TRUE(result.complete());
}

TEST_F(SweepJournalTest, WhatIsLargerThanAnEntryIsNotKept) {
    SweepJournal journal(replay::JournalLock(file), "header");
    SweepEntry entry;
    entry.lesson.behaviour.resize(replay::most_journal_payload / sizeof(std::uint64_t));
    EXPECT_FALSE(journal.keep(entry));
    EXPECT_TRUE(entry.shorten());
    EXPECT_TRUE(journal.keep(entry));
    EXPECT_EQ(entry.lesson.left_out.otherwise.size(), 1U) << "and it says so";
}

TEST_F(SweepJournalTest, EachModeOfBufferingGoesOn) {
    modes.assign(replay::all_bufferings.begin(), replay::all_bufferings.end());
    SweepResult result;
    for (const std::uint64_t up_to : {100U, 1296U, 1297U, 2000U, 3000U}) {
        result = go_on(up_to, 2000);
        EXPECT_EQ(result.explored, up_to);
    }
    result = go_on(1'000'000);
    EXPECT_EQ(result.explored, 3U * 1296U);
    EXPECT_EQ(outcomes(result).size(), 3U * 1296U);
    EXPECT_EQ(result.by_buffering.at(replay::Buffering::zero).explored, 1296U);
    EXPECT_EQ(engine.runs, 3U * 1296U);
}

TEST_F(SweepJournalTest, OfAnEmptyJournalEverythingIsLeft) {
    { const SweepJournal journal(replay::JournalLock(file), "header"); }
    EXPECT_FALSE(is_unfinished(file)) << "nothing is lost with it";
    EXPECT_EQ(go_on(1'000'000).explored, 1296U);
}

TEST_F(SweepJournalTest, WhatIsNoJournalIsNotUnfinished) { EXPECT_FALSE(is_unfinished(folder / "there is none")); }

TEST_F(SweepJournalTest, EntriesThatDoNotFitAreRefused) {
    {
        SweepJournal journal(replay::JournalLock(file), "header");
        SweepEntry entry;
        entry.lesson.number = 7;
        entry.lesson.origin.run = 3;  // there is no such run
        EXPECT_TRUE(journal.keep(entry));
    }
    EXPECT_THROW((void)go_on(1), Error);
}

}  // namespace
}  // namespace dampi::scheduler
