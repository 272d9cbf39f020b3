// Kept decision files: which are for a sweep, what becomes of each, and what is added.
#include "scheduler/corpus/corpus.hpp"

#include "base/check.hpp"

#include <cctype>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include <gtest/gtest.h>
#include <unistd.h>

namespace dampi::scheduler {
namespace {

namespace fs = std::filesystem;
using State = CorpusCase::State;

class Corpus : public testing::Test {
protected:
    Corpus() {
        std::string name = fs::temp_directory_path() / "dampi-corpus-XXXXXX";
        folder_ = mkdtemp(name.data());
    }
    ~Corpus() override { fs::remove_all(folder_); }

    static replay::DecisionFile decisions() {
        replay::DecisionFile file;
        file.program = "/somewhere/app";
        file.fingerprint = "0123";
        file.processes = 2;
        file.interleaving.decisions = {{.epoch = {0, 0}, .outcome = {.source = 1, .tag = 0, .number = 0}}};
        return file;
    }

    static Options options() {
        Options options;
        options.program = "./app";
        options.processes = 2;
        options.engine = replay::EngineKind::distributed;
        return options;
    }

    fs::path folder_;
};

Finding finding(replay::ViolationKind kind, const char* message) {
    Finding finding;
    finding.violation.kind = kind;
    finding.violation.message = message;
    finding.count = 1;
    finding.first_interleaving = 7;
    return finding;
}

SweepResult ran(std::vector<Finding> findings) {
    SweepResult result;
    result.explored = 1;
    result.findings = std::move(findings);
    return result;
}

TEST_F(Corpus, FilesOfOtherSweepsAreNotRun) {
    std::vector<CorpusFile> files(4, {"a.json", decisions()});
    files[1].content.program = "other";
    files[2].content.processes = 3;
    files[3].content.arguments = {"x"};
    int runs = 0;
    const CorpusReplay replay = replay_corpus(
        files, options(), [&](const CorpusFile&) { return ++runs, ran({}); }, [] { return true; });
    EXPECT_EQ(runs, 1);
    EXPECT_EQ(replay.files.front().what.state, State::passes);
    for (std::size_t i = 1; i < files.size(); ++i) {
        EXPECT_EQ(replay.files[i].what.state, State::other);
        EXPECT_FALSE(replay.files[i].what.why.empty());
    }
}

TEST_F(Corpus, OneThatItsEngineCannotRunIsSaid) {
    const CorpusReplay replay = replay_corpus(
        {{"a.json", decisions()}}, options(),
        [](const CorpusFile&) {
            SweepResult none;
            none.left_out.push_back({"corpus", "its engine does not model MPI_File_open", "", {}});
            return none;
        },
        [] { return true; });
    EXPECT_EQ(replay.files.front().what.state, State::not_run);
    EXPECT_EQ(replay.files.front().what.why, "its engine does not model MPI_File_open");
}

TEST_F(Corpus, EachCauseIsTakenInOnce) {
    const std::vector<CorpusFile> files{{"a.json", decisions()}, {"b.json", decisions()}, {"c.json", decisions()}};
    const CorpusReplay replay = replay_corpus(
        files, options(),
        [&](const CorpusFile& file) {
            SweepResult result =
                ran({finding(replay::ViolationKind::deadlock, "known"), finding(replay::ViolationKind::crash, "new")});
            if (file.name == "c.json") {
                result.divergences = 1;
                result.doubts = {finding(replay::ViolationKind::divergence, "went elsewhere")};
            }
            return result;
        },
        [] { return true; });
    SweepResult result = ran({finding(replay::ViolationKind::deadlock, "known")});
    const std::vector<CorpusCase> cases = take_in_corpus(replay, result);
    ASSERT_EQ(result.findings.size(), 2U);
    EXPECT_EQ(result.findings[0].kept_in, "");
    EXPECT_EQ(result.findings[0].count, 1U);
    EXPECT_EQ(result.findings[1].kept_in, "a.json");
    EXPECT_EQ(result.findings[1].count, 0U);
    EXPECT_TRUE(result.doubts.empty());  // what a stale file comes to is no doubt about the sweep
    ASSERT_EQ(cases.size(), 3U);
    EXPECT_EQ(cases[0], (CorpusCase{"a.json", State::fails, "", {0, 1}}));
    EXPECT_EQ(cases[2], (CorpusCase{"c.json", State::stale, "went elsewhere", {0, 1}}));
    EXPECT_TRUE(result.complete());
}

TEST_F(Corpus, WhatTimeDoesNotReachIsLeftOut) {
    SweepResult result = ran({});
    const auto none = [](const CorpusFile&) -> SweepResult { throw Error("must not be run"); };
    const std::vector<CorpusCase> cases =
        take_in_corpus(replay_corpus({{"a.json", decisions()}}, options(), none, [] { return false; }), result);
    EXPECT_EQ(cases.front().state, State::not_run);
    EXPECT_FALSE(result.complete());
}

TEST_F(Corpus, AFindingIsAddedOnce) {
    save_decision_file(folder_ / "leak-request-12.json", decisions());
    const std::vector<fs::path> files{folder_ / "leak-request-12.json", ""};
    EXPECT_EQ(add_to_corpus(folder_ / "kept", files, {"abcd", "ef01"}),
              std::vector<std::string>{"leak-request-abcd.json"});
    EXPECT_TRUE(add_to_corpus(folder_ / "kept", files, {"abcd", "ef01"}).empty());
    const std::vector<CorpusFile> read = read_corpus(folder_ / "kept");
    ASSERT_EQ(read.size(), 1U);
    EXPECT_EQ(read.front().content.program, "/somewhere/app");
}

TEST_F(Corpus, OfLinesThatAreAlikeEachFindingIsKept) {
    save_decision_file(folder_ / "leak-request-1.json", decisions());
    save_decision_file(folder_ / "leak-request-2.json", decisions());
    const std::vector<fs::path> files{folder_ / "leak-request-1.json", folder_ / "leak-request-2.json"};
    EXPECT_EQ(add_to_corpus(folder_ / "kept", files, {"abcd", "abcd"}),
              (std::vector<std::string>{"leak-request-abcd.json", "leak-request-abcd-2.json"}));
    EXPECT_TRUE(add_to_corpus(folder_ / "kept", files, {"abcd", "abcd"}).empty());
}

TEST_F(Corpus, DamagedFilesAreRefusedByName) {
    save_decision_file(folder_ / "a.json", decisions());
    std::ostringstream whole;
    whole << std::ifstream(folder_ / "a.json", std::ios::binary).rdbuf();
    const std::string text = whole.str();
    std::mt19937 random(20);  // NOLINT(cert-msc32-c,cert-msc51-cpp): the same files each time
    int refused = 0;
    for (int i = 0; i < 500; ++i) {
        std::string damaged = text;
        if (i % 2 == 0) {
            damaged.resize(random() % damaged.size());
        }
        for (std::size_t j = 0; j < 1 + random() % 4 && !damaged.empty(); ++j) {
            damaged[random() % damaged.size()] = static_cast<char>(random());
        }
        std::ofstream(folder_ / "a.json", std::ios::binary | std::ios::trunc) << damaged;
        try {
            EXPECT_LE(read_corpus(folder_).size(), 1U);
        } catch (const Error& error) {
            ++refused;
            const std::string said = error.what();
            const std::size_t line = said.find("a.json:") + std::string("a.json:").size();
            EXPECT_TRUE(line < said.size() && std::isdigit(static_cast<unsigned char>(said[line])) != 0) << said;
        }
    }
    EXPECT_GT(refused, 300);
    EXPECT_THROW((void)read_corpus(folder_ / "nowhere"), Error);
}

}  // namespace
}  // namespace dampi::scheduler
