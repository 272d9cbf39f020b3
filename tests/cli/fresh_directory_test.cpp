// --fresh-dir: what an interleaving leaves in its directory reaches neither the next one nor the user's. How
// directories are copied is tested by unit tests.
#include "tests/cli/content_of.hpp"
#include "tests/harness/report.hpp"
#include "tests/harness/supervised_run.hpp"

#include <algorithm>
#include <fstream>
#include <map>

#include <gtest/gtest.h>

namespace dampi::harness {
namespace {

namespace fs = std::filesystem;

const fs::path programs = DAMPI_CLI_PROGRAMS;

class FreshDirectory : public testing::Test {
protected:
    void SetUp() override {
        std::string name = testing::UnitTest::GetInstance()->current_test_info()->name();
        std::replace(name.begin(), name.end(), '/', '-');
        work_ = fs::path(DAMPI_CLI_WORK) / "FreshDirectory" / name;
        here_ = work_ / "here";
        fs::remove_all(work_);
        fs::create_directories(here_ / "input");
        std::ofstream(here_ / "input" / "file") << "input";
        fs::create_symlink("input/file", here_ / "link");
        fs::copy_file(programs / "leaves_files", here_ / "program");
    }

    [[nodiscard]] CommandResult run(std::vector<std::string> words) {
        const Command command{.words = std::move(words),
                              .stdout_file = work_ / "stdout",
                              .stderr_file = work_ / "stderr",
                              .working_directory = here_};
        CommandResult result = run_supervised(command);
        out_ = content_of(command.stdout_file);
        err_ = content_of(command.stderr_file);
        EXPECT_TRUE(result.left_behind.empty()) << result.left_behind.front();
        return result;
    }

    /// The files here but for those of sweeps, with what is in them.
    [[nodiscard]] std::map<std::string, std::string> files() const {
        std::map<std::string, std::string> found;
        for (auto each = fs::recursive_directory_iterator(here_); each != fs::recursive_directory_iterator(); ++each) {
            if (each->path().filename().string().starts_with("dampi-")) {
                EXPECT_FALSE(fs::exists(each->path() / "fresh"));
                each.disable_recursion_pending();
            } else {
                found[each->path().lexically_relative(here_)] =
                    each->is_regular_file() ? content_of(each->path()) : std::string();
            }
        }
        return found;
    }

    fs::path work_;
    fs::path here_;
    std::string out_;
    std::string err_;
};

class FreshDirectoryOf : public FreshDirectory, public testing::WithParamInterface<std::vector<std::string>> {
protected:
    [[nodiscard]] std::vector<std::string> words(const std::vector<std::string>& more) const {
        std::vector<std::string> words{DAMPI_RUN, "-n", "3", "--fresh-dir"};
        words.insert(words.end(), more.begin(), more.end());
        return words;
    }
};

TEST_P(FreshDirectoryOf, ShowsWhatTheFilesOfOthersHide) {
    const auto before = files();
    std::vector<std::string> sweep = words(GetParam());
    sweep.insert(sweep.end(), {"--buffering", "native", "./program"});
    EXPECT_EQ(run(sweep).status, 1) << out_ << err_;
    const Report report = read_report(here_ / "dampi-out" / "report.json");
    EXPECT_EQ(report.explored, 2U);
    EXPECT_EQ(report.kinds(), std::set<std::string>{"crash"}) << out_;
    EXPECT_NE(out_.find("seen in 1 of 2 interleavings"), std::string::npos) << out_;
    EXPECT_NE(out_.find("replay: dampi-run -n 3"), std::string::npos) << out_;
    EXPECT_NE(out_.find("--fresh-dir --replay dampi-out/decisions/crash-1.json ./program"), std::string::npos) << out_;
    EXPECT_EQ(files(), before);

    std::vector<std::string> replay = words({"--replay", "dampi-out/decisions/crash-1.json"});
    if (GetParam().front() == "--launcher") {
        replay.insert(replay.end(), GetParam().begin(), GetParam().end());
    }
    replay.emplace_back("./program");
    EXPECT_EQ(run(replay).status, 1) << out_ << err_;
    EXPECT_EQ(files(), before);
}

TEST_P(FreshDirectoryOf, HasTheFilesThatAreThere) {
    std::ofstream(here_ / "left") << "the user's";
    const auto before = files();
    std::vector<std::string> sweep = words(GetParam());
    sweep.emplace_back("./program");
    EXPECT_EQ(run(sweep).status, 0) << out_ << err_;
    EXPECT_EQ(files(), before);
}

using Words = std::vector<std::string>;
INSTANTIATE_TEST_SUITE_P(All, FreshDirectoryOf,
                         testing::Values(Words{"--engine", "distributed"}, Words{"--engine", "central"},
                                         Words{"--launcher", "mpiexec"}),
                         [](const auto& info) { return info.param.back(); });

TEST_F(FreshDirectory, CannotBeWhereTheCopiesAre) {
    for (const char* output : {".", "../here", ".."}) {
        EXPECT_EQ(run({DAMPI_RUN, "-n", "3", "--fresh-dir", "-o", output, "./program"}).status, 2);
        EXPECT_NE(err_.find("with --fresh-dir the directory for the output cannot be"), std::string::npos) << err_;
    }
    EXPECT_FALSE(fs::exists(here_ / "journal"));
}

TEST_F(FreshDirectory, SaysWhichFileCannotBeCopied) {
    std::ofstream(here_ / "large") << std::string(4 << 20, 'x');
    const auto before = files();
    // Blocks of 512 bytes or of 1024.
    const std::string limited = std::string("ulimit -f 2048; exec ") + DAMPI_RUN + " -n 3 --fresh-dir ./program";
    EXPECT_EQ(run({"sh", "-c", limited}).status, 2);
    EXPECT_TRUE(err_.starts_with("dampi-run: cannot copy " + (here_ / "large").string() + " for --fresh-dir ("))
        << err_;
    EXPECT_EQ(std::count(err_.begin(), err_.end(), '\n'), 1) << err_;
    EXPECT_EQ(files(), before);
}

TEST_F(FreshDirectory, NothingOfARunThatWasKilledStays) {
    fs::create_directories(here_ / "dampi-out" / "fresh" / "000001");
    std::ofstream(here_ / "dampi-out" / ".dampi-sweep") << "";
    std::ofstream(here_ / "dampi-out" / "fresh" / "000001" / "left") << "";
    EXPECT_EQ(run({DAMPI_RUN, "-n", "3", programs / "any_order"}).status, 0) << err_;
    EXPECT_FALSE(fs::exists(here_ / "dampi-out" / "fresh"));
}

TEST_F(FreshDirectory, AndCopiesOfProcessesExcludeEachOther) {
    EXPECT_EQ(run({DAMPI_RUN, "-n", "3", "--fresh-dir", "--snapshots", "always", "./program"}).status, 2);
    EXPECT_NE(err_.find("the options --fresh-dir and --snapshots exclude each other"), std::string::npos) << err_;
}

}  // namespace
}  // namespace dampi::harness
