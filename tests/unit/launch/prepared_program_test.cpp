// Ranks that are forked from a prepared process are as those that are executed: how they start, end and are killed.
#include "launch/prepared_program.hpp"

#include "launch/job.hpp"
#include "tests/unit/launch/processes.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <sstream>
#include <thread>

#include <gtest/gtest.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace dampi::launch {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using std::chrono::steady_clock;
namespace fs = std::filesystem;

class PreparedProgramTest : public ::testing::Test {
protected:
    void SetUp() override {
        std::string name = (fs::temp_directory_path() / "dampi-prepared-XXXXXX").string();
        ASSERT_NE(mkdtemp(name.data()), nullptr);
        folder_ = name;
    }
    void TearDown() override { fs::remove_all(folder_); }

    [[nodiscard]] JobSpec spec(int processes, std::vector<std::string> arguments) const {
        JobSpec result;
        result.program = fs::path(DAMPI_TEST_PROGRAMS) / "plain_with_mpi";
        result.arguments = std::move(arguments);
        result.processes = processes;
        result.environment = {{"LD_PRELOAD", DAMPI_TEST_LAYER}, {"DAMPI_NEW", "a=b"}};
        result.stdout_file = folder_ / "out";
        result.stderr_file = folder_ / "err";
        return result;
    }
    [[nodiscard]] std::string out() const { return text_of(folder_ / "out"); }

    static bool finish(Job& job) {
        const auto deadline = steady_clock::now() + seconds(60);
        while (job.running() > 0 && steady_clock::now() < deadline) {
            job.serve(milliseconds(500));
        }
        return job.running() == 0;
    }

    /// Prepares it and runs it to its end; what it wrote.
    std::string run(JobSpec asked) const {
        PreparedProgram prepared(asked);
        EXPECT_EQ(prepared.obstacle(), "");
        asked.prepared = &prepared;
        Job job(asked);
        EXPECT_TRUE(finish(job));
        EXPECT_EQ(text_of(folder_ / "err"), "");
        return out();
    }

    fs::path folder_;
};

TEST_F(PreparedProgramTest, RanksAreForkedAgainAndAgain) {
    JobSpec asked = spec(3, {"exit", "4"});
    PreparedProgram prepared(asked);
    ASSERT_EQ(prepared.obstacle(), "");
    asked.prepared = &prepared;
    for (int round = 0; round < 20; ++round) {
        Job job(asked);
        ASSERT_TRUE(finish(job));
        for (int rank = 0; rank < 3; ++rank) {
            EXPECT_EQ(job.end_of(rank).how, RankEnd::How::exited);
            EXPECT_EQ(job.end_of(rank).code, 4 + rank);
        }
    }
}

TEST_F(PreparedProgramTest, ReportsSignals) {
    JobSpec asked = spec(2, {"signal", std::to_string(SIGUSR1)});
    PreparedProgram prepared(asked);
    asked.prepared = &prepared;
    Job job(asked);
    ASSERT_TRUE(finish(job));
    for (int rank = 0; rank < 2; ++rank) {
        EXPECT_EQ(job.end_of(rank).how, RankEnd::How::signalled);
        EXPECT_EQ(job.end_of(rank).code, SIGUSR1);
    }
}

TEST_F(PreparedProgramTest, PassesWordsAndVariables) {
    JobSpec asked = spec(1, {"arguments", "", "a b", "$HOME `x` '\"*;\n"});
    asked.argv0 = "./as typed";
    EXPECT_EQ(run(asked), "[./as typed]\n[arguments]\n[]\n[a b]\n[$HOME `x` '\"*;\n]\n");
    EXPECT_EQ(run(spec(1, {"variable", "DAMPI_NEW"})), "DAMPI_NEW=a=b\n");
    EXPECT_EQ(run(spec(1, {"variable", "PMI_RANK"})), "PMI_RANK=0\n");
    EXPECT_EQ(run(spec(1, {"variable", "LD_PRELOAD"})), "LD_PRELOAD=(unset)\n");
    asked = spec(1, {"variable", "OF_THIS_RUN"});
    asked.run_environment = {{"OF_THIS_RUN", "yes"}};
    EXPECT_EQ(run(asked), "OF_THIS_RUN=yes\n");
}

TEST_F(PreparedProgramTest, GivesRanksTheSameDescriptors) {
    const int wanted = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    JobSpec asked = spec(1, {"open"});
    asked.inherited = {wanted};
    const auto without_socket = [&](const std::string& text) {
        std::istringstream words(text);
        std::vector<int> result;
        for (int fd = 0; words >> fd;) {
            result.push_back(fd);
        }
        return result;
    };
    const auto forked = without_socket(run(asked));
    EXPECT_NE(std::find(forked.begin(), forked.end(), wanted), forked.end());
    Job job(asked);
    ASSERT_TRUE(finish(job));
    // The socket's number may be another one.
    EXPECT_EQ(forked.size(), without_socket(out()).size());
    ::close(wanted);
}

TEST_F(PreparedProgramTest, GivesInputFromAFileToRankZeroEachTime) {
    std::ofstream(folder_ / "in") << "skipped\nfirst\n";
    const int saved = ::dup(STDIN_FILENO);
    const int file = ::open((folder_ / "in").c_str(), O_RDONLY);
    ASSERT_EQ(::dup2(file, STDIN_FILENO), STDIN_FILENO);
    ::close(file);
    ::lseek(STDIN_FILENO, 8, SEEK_SET);
    JobSpec asked = spec(2, {"input"});
    PreparedProgram prepared(asked);
    asked.prepared = &prepared;
    for (int round = 0; round < 2; ++round) {
        Job job(asked);
        EXPECT_TRUE(finish(job));
        EXPECT_NE(out().find("0:first\n"), std::string::npos) << out();
        EXPECT_NE(out().find("1:(none)\n"), std::string::npos) << out();
    }
    ::dup2(saved, STDIN_FILENO);
    ::close(saved);
}

TEST_F(PreparedProgramTest, KillsWhatRanksStarted) {
    JobSpec asked = spec(1, {"grandchild", "and stay"});
    PreparedProgram prepared(asked);
    asked.prepared = &prepared;
    pid_t started = 0;
    {
        Job job(asked);
        for (int i = 0; i < 3000 && out().empty(); ++i) {
            job.serve(milliseconds(10));
        }
        std::istringstream(out()) >> started;
        ASSERT_GT(started, 0);
    }
    EXPECT_TRUE(dies_soon(started));
}

TEST_F(PreparedProgramTest, EverythingDiesWithTheStarter) {
    int ends[2];
    ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
    const pid_t starter = ::fork();
    if (starter == 0) {
        try {
            JobSpec asked = spec(2, {"sleep"});
            PreparedProgram prepared(asked);
            asked.prepared = &prepared;
            Job job(asked);
            const pid_t ranks[] = {job.pid(0), job.pid(1), prepared.obstacle().empty() ? 1 : 0};
            if (::write(ends[1], ranks, sizeof ranks) == sizeof ranks) {
                ::kill(::getpid(), SIGKILL);
            }
        } catch (...) {}
        ::_exit(1);
    }
    pid_t ranks[3] = {0, 0, 0};
    ::close(ends[1]);
    ASSERT_EQ(::read(ends[0], ranks, sizeof ranks), static_cast<ssize_t>(sizeof ranks));
    ::close(ends[0]);
    ::waitpid(starter, nullptr, 0);
    EXPECT_EQ(ranks[2], 1);
    for (const pid_t pid : {ranks[0], ranks[1]}) {
        EXPECT_TRUE(dies_soon(pid));
    }
}

TEST_F(PreparedProgramTest, OutlivesTheThreadThatMadeItAndServesSeveral) {
    const JobSpec asked = spec(2, {"exit", "0"});
    std::unique_ptr<PreparedProgram> prepared;
    std::thread([&] { prepared = std::make_unique<PreparedProgram>(asked); }).join();
    std::vector<std::thread> threads;
    std::atomic<int> good = 0;
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back([&, i] {
            JobSpec own = asked;
            own.prepared = prepared.get();
            own.stdout_file = folder_ / ("out" + std::to_string(i));
            own.stderr_file = own.stdout_file;
            for (int round = 0; round < 10; ++round) {
                Job job(own);
                if (finish(job) && job.end_of(0).code == 0 && job.end_of(1).code == 1) {
                    ++good;
                }
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    EXPECT_EQ(good, 40);
    EXPECT_EQ(prepared->obstacle(), "");
}

TEST_F(PreparedProgramTest, SaysWhyAProgramCannotBePrepared) {
    JobSpec asked = spec(2, {});
    asked.program = folder_ / "no_program";
    EXPECT_NE(PreparedProgram(asked).obstacle().find("it cannot be started"), std::string::npos);
    std::ofstream(asked.program) << "text";
    fs::permissions(asked.program, fs::perms::all);
    EXPECT_NE(PreparedProgram(asked).obstacle().find("it cannot be started"), std::string::npos);
    asked = spec(2, {});
    fs::copy_file(asked.program, folder_ / "privileged");
    asked.program = folder_ / "privileged";
    ASSERT_EQ(::chmod(asked.program.c_str(), 04755), 0);
    PreparedProgram privileged(asked);
    EXPECT_EQ(privileged.obstacle(), "it has privileges of its own");
    // Its ranks are executed.
    asked.prepared = &privileged;
    Job job(asked);
    EXPECT_TRUE(finish(job));
    EXPECT_EQ(job.end_of(1).how, RankEnd::How::exited);
}

TEST_F(PreparedProgramTest, WithoutTheLayerItRunsAndIsGivenUp) {
    JobSpec asked = spec(1, {});
    asked.environment.clear();
    EXPECT_EQ(PreparedProgram(asked).obstacle(), "it ended before main");
    EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
    EXPECT_EQ(errno, ECHILD);
}

}  // namespace
}  // namespace dampi::launch
