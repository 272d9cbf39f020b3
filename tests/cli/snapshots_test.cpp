// Interleavings that go on from snapshots of earlier ones, as a user meets them: what they show is what runs from the
// start show, programs that could tell are run from the start, and nothing stays behind.
#include "tests/cli/content_of.hpp"
#include "tests/cli/own_folder.hpp"
#include "tests/harness/report.hpp"
#include "tests/harness/supervised_run.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace dampi::harness {
namespace {

namespace fs = std::filesystem;

const fs::path programs = DAMPI_CLI_PROGRAMS;
const std::string taken = "from which";
constexpr int interleavings = 36;  // of late_choice with 4 ranks

class Snapshots : public InOwnFolder {
protected:
    /// A sweep of late_choice into this folder; what it says.
    std::string sweep(const std::string& folder, const std::vector<std::string>& options,
                      const std::vector<std::string>& arguments = {}) {
        Command command{.words = {DAMPI_RUN, "-v", "-n", "4", "--engine", "central", "--buffering", "native",
                                  "--keep-output", "all", "-o", (work_ / folder).string()},
                        .stdout_file = work_ / (folder + ".stdout"),
                        .stderr_file = work_ / (folder + ".stderr"),
                        .working_directory = work_};
        command.words.insert(command.words.end(), options.begin(), options.end());
        command.words.push_back((programs / "late_choice").string());
        command.words.insert(command.words.end(), arguments.begin(), arguments.end());
        const CommandResult result = run_supervised(command);
        EXPECT_EQ(result.status, 0) << describe(result) << content_of(command.stderr_file);
        EXPECT_TRUE(result.left_behind.empty()) << result.left_behind.front();
        const Report report = read_report(work_ / folder / "report.json");
        EXPECT_TRUE(report.complete);
        EXPECT_EQ(report.explored, interleavings);
        EXPECT_EQ(report.duplicates, 0);
        EXPECT_TRUE(report.outcomes);
        outcomes_.clear();
        numbered_.clear();
        for (const ReportedOutcome& each : report.outcomes.value_or(std::vector<ReportedOutcome>())) {
            outcomes_.insert(each.outcome);
            numbered_.emplace(each.number, each.outcome);
        }
        EXPECT_EQ(outcomes_.size(), interleavings);
        return content_of(command.stdout_file);
    }

    /// What all ranks of one run have written, sorted: they write in any order.
    [[nodiscard]] std::string written(const std::string& folder, int number) const {
        std::string name = std::to_string(number);
        name.insert(0, 6 - name.size(), '0');
        std::string text = content_of(work_ / folder / "output" / (name + ".out"));
        std::sort(text.begin(), text.end());
        return text;
    }
    // of the last sweep
    std::set<Outcome> outcomes_;
    std::map<std::uint64_t, Outcome> numbered_;
};

TEST_F(Snapshots, RunsThatGoOnShowTheSame) {
    EXPECT_EQ(sweep("start", {"--snapshots", "never", "-j", "1"}).find(taken), std::string::npos);
    const auto expected = outcomes_;
    const auto expected_numbers = numbered_;
    for (const std::string jobs : {"1", "3"}) {
        for (const std::string shown : {"", "--show-output"}) {
            std::vector<std::string> options{"--snapshots", "always", "-j", jobs};
            if (!shown.empty()) {
                options.push_back(shown);
            }
            const std::string folder = "snapshots" + jobs + shown;
            const std::string said = sweep(folder, options);
            EXPECT_NE(said.find(taken), std::string::npos) << said;
            EXPECT_EQ(said.find("from which 0 runs"), std::string::npos) << said;
            EXPECT_EQ(outcomes_, expected);
            if (jobs == "1") {
                EXPECT_EQ(numbered_, expected_numbers) << "also in the same order";
            }
            for (int number = 1; number <= interleavings; ++number) {
                EXPECT_EQ(written(folder, number), written("start", 1)) << number;
            }
        }
    }
}

TEST_F(Snapshots, ByItselfNoneIsTakenOfAShortRun) {
    EXPECT_NE(sweep("auto", {"-j", "1"}).find("snapshot"), std::string::npos);
    EXPECT_EQ(sweep("never", {"-j", "1", "--snapshots", "never"}).find("snapshot"), std::string::npos);
}

TEST_F(Snapshots, WhoHasSeenItsProcessIsRunFromTheStart) {
    EXPECT_NE(sweep("pid", {"--snapshots", "always"}, {"pid"}).find("a rank has asked for its process number"),
              std::string::npos);
    EXPECT_NE(sweep("time", {"--snapshots", "always"}, {"time"}).find("a rank has asked for its processor time"),
              std::string::npos);
    EXPECT_NE(sweep("executed", {"--snapshots", "always", "--no-prepare"}).find("the ranks are executed"),
              std::string::npos);
}

TEST_F(Snapshots, ALostOneIsNotMissed) {
    sweep("start", {"--snapshots", "never"});
    const auto expected = outcomes_;
    EXPECT_NE(sweep("killed", {"--snapshots", "always", "-j", "1"}, {"kill"}).find(taken), std::string::npos);
    EXPECT_EQ(outcomes_, expected);
}

}  // namespace
}  // namespace dampi::harness
