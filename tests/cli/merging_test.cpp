// Runs that end where earlier ones have been in the same state, as a user meets them: how many outcomes lead to a
// finding, and what --merge-states check says of states that lack a part.
#include "tests/cli/content_of.hpp"
#include "tests/cli/own_folder.hpp"
#include "tests/harness/supervised_run.hpp"

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace dampi::harness {
namespace {

namespace fs = std::filesystem;

const fs::path programs = DAMPI_CLI_PROGRAMS;
constexpr const char* fault = "internal fault of dampi";

class Merging : public InOwnFolder {
protected:
    void TearDown() override { unsetenv("DAMPI_STATE_WITHOUT"); }

    struct Sweep {
        int status = 0;
        std::string text;
        std::string json;
    };

    Sweep sweep(const std::vector<std::string>& words) {
        std::vector<std::string> all{"-n", "3", "--engine", "central", "--buffering", "native", "-j", "1"};
        all.insert(all.end(), words.begin(), words.end());
        return run(all);
    }

    Sweep run(const std::vector<std::string>& words) {
        Command command{.words = {DAMPI_RUN, "-o", (work_ / "out").string()},
                        .stdout_file = work_ / "stdout",
                        .stderr_file = work_ / "stderr",
                        .working_directory = work_};
        command.words.insert(command.words.end(), words.begin(), words.end());
        const CommandResult result = run_supervised(command);
        EXPECT_TRUE(result.left_behind.empty());
        return {.status = result.status,
                .text = content_of(work_ / "stdout") + content_of(work_ / "stderr"),
                .json = content_of(work_ / "out/report.json")};
    }
};

TEST_F(Merging, AFindingSaysHowManyOutcomesLeadThere) {
    const Sweep sweep = this->sweep({"--merge-states", "always", (programs / "lock_after_phases").string()});
    EXPECT_EQ(sweep.status, 1) << sweep.text;
    EXPECT_NE(sweep.text.find("8 of all 16 outcomes lead there"), std::string::npos) << sweep.text;
    EXPECT_NE(sweep.text.find("50% of runs"), std::string::npos) << sweep.text;
    EXPECT_NE(sweep.text.find("the choices that lead there; whether all are needed is not known (rank#index):"),
              std::string::npos)
        << sweep.text;
}

TEST_F(Merging, WhereMallocMapsBlocksIsThePartOfNoState) {
    const std::string program = (programs / "large_blocks").string();
    for (const std::string each : {"", "anew"}) {
        std::vector<std::string> words{"--merge-states", "always", program};
        if (!each.empty()) {
            words.push_back(each);
        }
        const Sweep found = sweep(words);
        EXPECT_EQ(found.status, 0) << found.text;
        EXPECT_NE(found.text.find("outcomes in all: 16\n"), std::string::npos) << found.text;
        EXPECT_NE(found.text.find("(complete: 5 interleavings "), std::string::npos) << found.text;
    }
    const Sweep checked = sweep({"--merge-states", "check", program, "anew", "aborts"});
    EXPECT_EQ(checked.status, 1) << checked.text;
    EXPECT_NE(checked.text.find("seen in 8 of 16 interleavings"), std::string::npos) << checked.text;
}

TEST_F(Merging, FortranProgramsAsWellIfTheyWriteToTheStandardOutput) {
    const std::string program = (programs / "fortran_phases").string();
    if (!fs::exists(program)) {
        GTEST_SKIP() << "there is no compiler for Fortran here";
    }
    const Sweep found = sweep({"--keep-output", "all", program});
    EXPECT_EQ(found.status, 0) << found.text;
    EXPECT_NE(found.text.find("outcomes in all: 16\n"), std::string::npos) << found.text;
    EXPECT_NE(found.text.find("(complete: 5 interleavings "), std::string::npos) << found.text;
    const std::string said = content_of(work_ / "out/output/000001.out");
    for (const char* line : {"rank 0 has 12\n", "rank 1 has 0\n", "rank 2 has 0\n"}) {
        EXPECT_NE(said.find(line), std::string::npos) << "what the library of Fortran keeps is written: " << said;
    }
    const Sweep checked = sweep({"--merge-states", "check", program});
    EXPECT_EQ(checked.status, 0) << checked.text;
    const Sweep apart = sweep({program, "unit"});
    EXPECT_EQ(apart.status, 0) << apart.text;
    EXPECT_NE(apart.text.find("(complete: 16 interleavings "), std::string::npos) << apart.text;
}

TEST_F(Merging, ALongSweepWithoutItSaysWhy) {
    const std::string program = (programs / "polls").string();
    const Sweep found = sweep({"--max-interleavings", "1", "--engine", "central", program});
    EXPECT_NE(found.text.find("no run ends early in a state in which an earlier one has been: it uses MPI_"),
              std::string::npos)
        << found.text;
}

/// How many decisions the file has.
std::size_t decisions_in(const fs::path& file) {
    const std::string text = content_of(file);
    std::size_t count = 0;
    for (std::size_t at = text.find("\"index\""); at != std::string::npos; at = text.find("\"index\"", at + 1)) {
        ++count;
    }
    return count;
}

TEST_F(Merging, AFindingHasTheFewestChoicesThatLeadThere) {
    // The sweep's own runs that show it take four choices; one that could take two ends where they have been.
    const std::string program = (programs / "short_and_long_way").string();
    const Sweep merged = sweep({"--merge-states", "always", program});
    EXPECT_EQ(merged.status, 1) << merged.text;
    EXPECT_EQ(decisions_in(work_ / "out/decisions/deadlock-1.json"), 2U) << merged.text;
    EXPECT_FALSE(fs::exists(work_ / "out/shortest"));
    const fs::path file = work_ / "deadlock-1.json";
    fs::copy_file(work_ / "out/decisions/deadlock-1.json", file);
    const Sweep replayed = run({"-n", "3", "--replay", file.string(), program});
    EXPECT_EQ(replayed.status, 1) << replayed.text;
    EXPECT_NE(replayed.text.find("violation 1: deadlock"), std::string::npos) << replayed.text;
}

TEST_F(Merging, WhatFollowsIsCompared) {
    const Sweep sweep = this->sweep({"--merge-states", "check", (programs / "lock_after_phases").string()});
    EXPECT_EQ(sweep.status, 1) << sweep.text;
    EXPECT_EQ(sweep.text.find(fault), std::string::npos) << sweep.text;
    EXPECT_EQ(sweep.json.find("\"compared\": 0"), std::string::npos);
    EXPECT_NE(sweep.json.find("\"compared\": "), std::string::npos);
}

TEST_F(Merging, APartThatIsLeftOutIsNoticed) {
    for (const std::string part : {"memory", "stack", "registers", "call"}) {
        const std::vector<std::string> words{"--merge-states", "check", (programs / "state_parts").string(), part};
        const Sweep whole = sweep(words);
        EXPECT_EQ(whole.status, 1) << part << '\n' << whole.text;
        EXPECT_EQ(whole.text.find(fault), std::string::npos) << part << '\n' << whole.text;

        setenv("DAMPI_STATE_WITHOUT", part.c_str(), 1);
        const Sweep lacking = sweep(words);
        EXPECT_EQ(lacking.status, 4) << part << '\n' << lacking.text;
        EXPECT_NE(lacking.text.find(fault), std::string::npos) << part << '\n' << lacking.text;
        unsetenv("DAMPI_STATE_WITHOUT");
    }
}

}  // namespace
}  // namespace dampi::harness
