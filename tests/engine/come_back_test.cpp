// Ranks that come back when they have ended and are ranks of further runs (piggyback/rank/lifecycle/rewind.hpp).
#include "scheduler/engines/engines.hpp"
#include "tests/engine/engine.hpp"

#include <filesystem>
#include <fstream>
#include <memory>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <sys/rseq.h>
#include <unistd.h>

namespace dampi::scheduler {
namespace {

constexpr int processes = 3;
constexpr int runs = 8;

struct Runs {
    std::vector<std::set<int>> numbers;  ///< of the ranks' processes, by run
    std::vector<replay::RunRecord> records;
};

Runs run_several(const std::string& mode) {
    // The tests run side by side.
    const std::filesystem::path work =
        std::string(DAMPI_ENGINE_WORK) + "/come_back_" + testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::create_directories(work);
    const std::string program = std::string(DAMPI_ENGINE_PROGRAMS) + "/come_back";
    // Of which there was a snapshot does not come back, and on a busy machine one is worth while.
    const Engine engine = make_engine(replay::EngineKind::central, {.program = launch::inspect_program(program),
                                                                    .name = program,
                                                                    .arguments = {mode},
                                                                    .processes = processes,
                                                                    .layer = DAMPI_ENGINE_LAYER,
                                                                    .output = work,
                                                                    .snapshots = SnapshotUse::never});
    Runs result;
    for (std::uint64_t number = 1; number <= runs; ++number) {
        replay::Interleaving interleaving;
        interleaving.number = number;
        result.records.push_back(engine.runs->run(interleaving, std::stop_token()));
        std::ifstream output(work / fmt::format("{:06}.out", number));
        std::set<int> numbers;
        for (int process = 0; output >> process;) {
            numbers.insert(process);
        }
        result.numbers.push_back(std::move(numbers));
    }
    return result;
}

void expect_no_violations(const Runs& result) {
    for (const replay::RunRecord& record : result.records) {
        for (const replay::Violation& violation : record.violations) {
            ADD_FAILURE() << violation.message;
        }
        EXPECT_EQ(record.epochs.size(), processes - 1U);
    }
}

/// What they need of the system besides what the engine needs anyway.
bool the_system_shows_pages() { return ::access("/proc/self/pagemap", R_OK) == 0 && __rseq_size != 0; }

TEST(ComeBack, TheSameProcessesAreTheRanksOfAllRuns) {
    if (!the_system_shows_pages()) {
        GTEST_SKIP() << "no /proc/self/pagemap here";
    }
    for (const std::string mode : {"plain", "deep", "heap", "pages", "block", "file"}) {
        const Runs result = run_several(mode);
        expect_no_violations(result);
        for (const std::set<int>& numbers : result.numbers) {
            EXPECT_EQ(numbers.size(), processes) << mode;
            EXPECT_EQ(numbers, result.numbers[0]) << mode;
        }
    }
}

TEST(ComeBack, ProcessesThatCannotAreReplaced) {
    for (const std::string mode : {"mapping", "open", "exit"}) {
        const Runs result = run_several(mode);
        expect_no_violations(result);
        for (std::size_t i = 1; i < result.numbers.size(); ++i) {
            EXPECT_EQ(result.numbers[i].size(), processes) << mode;
            EXPECT_NE(result.numbers[i], result.numbers[i - 1]) << mode;
        }
    }
}

TEST(ComeBack, WhoCallsMpiAfterItsEndFindsItEnded) { expect_no_violations(run_several("late")); }

TEST(ComeBack, TheStatusIsThatOfTheProgram) {
    for (const replay::RunRecord& record : run_several("status").records) {
        ASSERT_FALSE(record.violations.empty());
        EXPECT_EQ(record.violations[0].kind, replay::ViolationKind::exit);
    }
}

}  // namespace
}  // namespace dampi::scheduler
