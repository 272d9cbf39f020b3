// Jobs whose ranks another process manager starts: real processes, with MPICH's mpiexec and with a script that does
// what managers may do. Each test has its own folder and leaves no process.
#include "base/check.hpp"
#include "launch/job.hpp"
#include "tests/unit/launch/processes.hpp"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>
#include <utility>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace dampi::launch {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using std::chrono::steady_clock;
namespace fs = std::filesystem;

/// Processes with this text in their environment: those that tests start have their folder's name in it.
std::vector<pid_t> processes_with(const std::string& text) {
    std::vector<pid_t> found;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator("/proc", ignored)) {
        const pid_t pid = std::atoi(entry.path().filename().c_str());
        if (pid > 0 && pid != ::getpid() && text_of(entry.path() / "environ").find(text) != std::string::npos &&
            alive(pid)) {
            found.push_back(pid);
        }
    }
    return found;
}

std::string end_text(const RankEnd& end) {
    const char* how = end.how == RankEnd::How::running  ? "running "
                      : end.how == RankEnd::How::exited ? "exit "
                      : end.how == RankEnd::How::taken  ? "taken "
                                                        : "signal ";
    return how + std::to_string(end.code);
}

class CommandJobTest : public ::testing::Test {
protected:
    void SetUp() override {
        std::string name = (fs::temp_directory_path() / "dampi-command-job-XXXXXX").string();
        ASSERT_NE(mkdtemp(name.data()), nullptr);
        folder_ = name;
        before_ = fs::current_path();
        fs::current_path(folder_);
        ::setenv("DAMPI_TEST_FOLDER", folder_.c_str(), 1);
    }
    void TearDown() override {
        ::unsetenv("DAMPI_TEST_FOLDER");
        expect_nobody_left();
        fs::current_path(before_);
        fs::remove_all(folder_);
    }

    void expect_nobody_left() {
        std::vector<pid_t> left;
        for (int i = 0; i < 3000; ++i) {
            left = processes_with("DAMPI_TEST_FOLDER=" + folder_.string());
            if (left.empty()) {
                return;
            }
            std::this_thread::sleep_for(milliseconds(10));
        }
        for (const pid_t pid : left) {
            ADD_FAILURE() << "left behind: " << text_of("/proc/" + std::to_string(pid) + "/comm");
            ::kill(pid, SIGKILL);
        }
    }

    JobSpec spec(const std::string& launcher, const std::string& program, int processes,
                 std::vector<std::string> arguments) const {
        JobSpec result;
        result.program = fs::path(DAMPI_TEST_PROGRAMS) / program;
        result.arguments = std::move(arguments);
        result.processes = processes;
        result.stdout_file = folder_ / "out";
        result.stderr_file = folder_ / "err";
        result.launcher = {.command = launcher, .rank_helper = DAMPI_RANK_HELPER, .patience = seconds(30)};
        return result;
    }
    /// The script in this mode.
    static std::string fake(const std::string& mode) {
        return "'" + std::string(DAMPI_FAKE_LAUNCHER) + "' " + mode + " {n}";
    }
    [[nodiscard]] std::string out() const { return text_of(folder_ / "out"); }
    [[nodiscard]] std::string err() const { return text_of(folder_ / "err"); }

    static bool finish(Job& job) {
        return serve_until(job, [&] { return job.running() == 0; });
    }
    /// Serves until the condition holds; false when that takes too long.
    template <typename Condition>
    static bool serve_until(Job& job, Condition condition) {
        const auto deadline = steady_clock::now() + seconds(60);
        while (!condition() && steady_clock::now() < deadline) {
            job.serve(milliseconds(20));
        }
        return condition();
    }
    /// The error of a job that cannot start.
    static std::string refusal(JobSpec asked) {
        try {
            const Job job(std::move(asked));
        } catch (const Error& error) {
            return error.what();
        }
        return "started";
    }

    fs::path folder_;
    fs::path before_;
};

// ---- MPICH's manager ----

TEST_F(CommandJobTest, RunsAnMpiProgram) {
    Job job(spec("mpiexec", "mpi_behaviour", 3, {"ring"}));
    EXPECT_EQ(job.processes(), 3);
    ASSERT_TRUE(finish(job));
    for (int rank = 0; rank < 3; ++rank) {
        EXPECT_EQ(end_text(job.end_of(rank)), "exit 0") << err();
    }
    for (const char* line : {"0 of 3 got 2\n", "1 of 3 got 0\n", "2 of 3 got 1\n"}) {
        EXPECT_NE(out().find(line), std::string::npos) << out();
    }
    EXPECT_EQ(err(), "");
    EXPECT_TRUE(job.abort_requests().empty());
    job.kill_all();
    EXPECT_EQ(err(), "") << "a manager that is let go says nothing";
}

TEST_F(CommandJobTest, ReportsAnAbortAndLeavesAllRanksAlone) {
    // With automatic cleanup, which must find nothing to clean up.
    Job job(spec("mpiexec.mpich -n {n}", "mpi_behaviour", 3, {"abort"}));
    ASSERT_TRUE(serve_until(job, [&] { return !job.abort_requests().empty(); }));
    ASSERT_EQ(job.abort_requests().size(), 1u);
    EXPECT_EQ(job.abort_requests()[0].rank, 1);
    EXPECT_EQ(job.abort_requests()[0].code, 7);
    job.serve(milliseconds(100));
    EXPECT_EQ(job.running(), 3);
    EXPECT_NE(err().find("MPI_Abort"), std::string::npos);
    job.kill_rank(1);
    ASSERT_TRUE(serve_until(job, [&] { return job.running() < 3; }));
    EXPECT_EQ(end_text(job.end_of(1)), "signal 9");
    job.serve(milliseconds(100));
    EXPECT_EQ(job.running(), 2);
    const pid_t ranks[] = {job.pid(0), job.pid(1), job.pid(2)};
    job.kill_all();
    EXPECT_EQ(job.running(), 0);
    for (const pid_t pid : ranks) {
        EXPECT_FALSE(alive(pid));
    }
    for (int rank = 0; rank < 3; ++rank) {
        EXPECT_EQ(end_text(job.end_of(rank)), "signal 9");
    }
}

TEST_F(CommandJobTest, ServesTheOthersAfterACrash) {
    Job job(spec("mpiexec.mpich -n {n}", "mpi_behaviour", 3, {"crash"}));
    ASSERT_TRUE(serve_until(job, [&] { return job.running() < 3; }));
    EXPECT_EQ(end_text(job.end_of(1)), "signal " + std::to_string(SIGSEGV));
    job.serve(milliseconds(200));
    EXPECT_EQ(job.running(), 2);
}

// ---- any manager ----

TEST_F(CommandJobTest, ReportsHowEachRankEnded) {
    Job exits(spec(fake("plain"), "plain", 3, {"exit", "4"}));
    ASSERT_TRUE(finish(exits));
    for (int rank = 0; rank < 3; ++rank) {
        EXPECT_EQ(end_text(exits.end_of(rank)), "exit " + std::to_string(4 + rank));
    }
    Job signals(spec(fake("plain"), "plain", 2, {"signal", std::to_string(SIGTERM)}));
    ASSERT_TRUE(finish(signals));
    for (int rank = 0; rank < 2; ++rank) {
        EXPECT_EQ(end_text(signals.end_of(rank)), "signal 15");
    }
    Job kills(spec(fake("plain"), "plain", 2, {"signal", std::to_string(SIGKILL)}));
    ASSERT_TRUE(finish(kills));
    for (int rank = 0; rank < 2; ++rank) {
        EXPECT_EQ(end_text(kills.end_of(rank)), "signal 9");
    }
}

TEST_F(CommandJobTest, PassesArgumentsAsTheyAre) {
    JobSpec asked = spec(fake("plain"), "plain", 1, {"arguments", "", "a b", "$HOME `x` '\"*;\n"});
    asked.argv0 = "./as typed";
    Job job(asked);
    ASSERT_TRUE(finish(job));
    EXPECT_EQ(out(), "[./as typed]\n[arguments]\n[]\n[a b]\n[$HOME `x` '\"*;\n]\n");
}

TEST_F(CommandJobTest, TheEnvironmentIsForTheProgramOnly) {
    JobSpec asked = spec(fake("says"), "plain", 1, {"variable", "DAMPI_NEW"});
    asked.environment = {{"DAMPI_NEW", "first"}, {"DAMPI_NEW", "a=b"}};
    Job job(asked);
    ASSERT_TRUE(finish(job));
    job.kill_all();
    EXPECT_NE(out().find("DAMPI_NEW=a=b\n"), std::string::npos) << out();
    EXPECT_NE(out().find("launcher: DAMPI_NEW=unset\n"), std::string::npos) << out();
    EXPECT_EQ(err(), "launcher: error\n");
}

TEST_F(CommandJobTest, ShowsOutputAndKeepsIt) {
    JobSpec asked = spec(fake("says"), "plain", 2, {"arguments"});
    asked.show_output = true;
    ::testing::internal::CaptureStdout();
    {
        Job job(asked);
        EXPECT_TRUE(finish(job));
    }
    const std::string shown = ::testing::internal::GetCapturedStdout();
    EXPECT_EQ(shown, out());
    EXPECT_NE(shown.find("[arguments]\n"), std::string::npos);
    EXPECT_NE(shown.find("launcher: "), std::string::npos);
}

TEST_F(CommandJobTest, KnowsTheRanksOfOtherManagers) {
    Job job(spec(fake("slurm"), "plain", 3, {"exit", "4"}));
    ASSERT_TRUE(finish(job));
    for (int rank = 0; rank < 3; ++rank) {
        EXPECT_EQ(end_text(job.end_of(rank)), "exit " + std::to_string(4 + rank));
    }
}

TEST_F(CommandJobTest, KillsOneRank) {
    Job job(spec(fake("plain"), "plain", 3, {"sleep"}));
    job.kill_rank(2);
    ASSERT_TRUE(serve_until(job, [&] { return job.running() == 2; }));
    EXPECT_EQ(end_text(job.end_of(2)), "signal 9");
    EXPECT_EQ(end_text(job.end_of(0)), "running 0");
    job.kill_rank(2);  // no harm
    job.kill_all();
    job.kill_all();
    EXPECT_EQ(job.running(), 0);
}

TEST_F(CommandJobTest, KillsWhatRanksStarted) {
    Job running(spec(fake("plain"), "plain", 2, {"grandchild", "and stay"}));
    ASSERT_TRUE(serve_until(running, [&] {
        const std::string text = out();
        return std::count(text.begin(), text.end(), '\n') == 2;
    }));
    running.kill_all();
    expect_nobody_left();
    Job ended(spec(fake("plain"), "plain", 1, {"grandchild"}));
    ASSERT_TRUE(finish(ended));
    ended.kill_all();
    expect_nobody_left();
}

TEST_F(CommandJobTest, WhatTheManagerEndsIsItsOwnDoing) {
    for (const char* mode : {"end_KILL", "end_TERM"}) {
        fs::remove("go");
        Job job(spec(fake(mode), "plain", 3, {"sleep"}));
        EXPECT_EQ(job.running(), 3);
        std::ofstream("go").flush();
        ASSERT_TRUE(finish(job)) << mode;
        for (int rank = 0; rank < 3; ++rank) {
            EXPECT_EQ(job.end_of(rank).how, RankEnd::How::taken) << mode;
        }
    }
}

TEST_F(CommandJobTest, OutlivesAManagerThatLeavesItsRanksAlone) {
    Job job(spec(fake("gone"), "plain", 2, {"sleep"}));
    EXPECT_EQ(job.running(), 2);
    ASSERT_TRUE(serve_until(job, [&] { return job.launcher_state().find("exit status 0") != std::string::npos; }));
    job.serve(milliseconds(50));
    EXPECT_EQ(job.running(), 2);
}

TEST_F(CommandJobTest, EndsAManagerThatStays) {
    Job job(spec(fake("leaves"), "plain", 2, {"exit", "0"}));
    ASSERT_TRUE(finish(job));
    job.kill_all();
    expect_nobody_left();
}

TEST_F(CommandJobTest, AllDieWithTheirStarter) {
    for (const std::string& launcher : {std::string("mpiexec"), fake("plain"), fake("leaves")}) {
        fs::remove("there");
        const pid_t starter = ::fork();
        if (starter == 0) {
            try {
                const Job job(spec(launcher, "plain", 2, {"grandchild", "and stay"}));
                ::kill(::getpid(), SIGKILL);
            } catch (...) {}
            ::_exit(1);
        }
        int status = 0;
        ::waitpid(starter, &status, 0);
        EXPECT_TRUE(WIFSIGNALED(status)) << launcher;
        expect_nobody_left();
    }
}

// ---- managers that do not do what they should ----

TEST_F(CommandJobTest, SaysWhatTheManagerSaid) {
    const std::string text = refusal(spec(fake("explains"), "plain", 2, {"sleep"}));
    EXPECT_NE(text.find("0 of 2"), std::string::npos) << text;
    EXPECT_NE(text.find("exit status 7"), std::string::npos) << text;
    EXPECT_NE(text.find("no such host"), std::string::npos) << text;
    EXPECT_NE(refusal(spec("no_such_launcher", "plain", 2, {})).find("No such file"), std::string::npos);
}

TEST_F(CommandJobTest, DoesNotWaitForEver) {
    for (const char* mode : {"silent", "one_missing"}) {
        JobSpec asked = spec(fake(mode), "plain", 2, {"sleep"});
        // The one that is there has to come within this time.
        asked.launcher->patience = std::string(mode) == "silent" ? milliseconds(300) : milliseconds(3000);
        const std::string text = refusal(asked);
        EXPECT_NE(text.find(std::string(mode) == "silent" ? "0 of 2" : "1 of 2"), std::string::npos) << text;
        expect_nobody_left();
    }
}

TEST_F(CommandJobTest, StopsWaitingWhenAsked) {
    JobSpec asked = spec(fake("silent"), "plain", 2, {"sleep"});
    std::stop_source stop;
    asked.stop = stop.get_token();
    std::thread later([&] {
        std::this_thread::sleep_for(milliseconds(100));
        stop.request_stop();
    });
    {
        Job job(asked);
        EXPECT_EQ(job.running(), 2);
        EXPECT_EQ(job.pid(0), 0);
        job.kill_rank(0);  // there is none
        job.kill_all();
        EXPECT_EQ(job.running(), 0);
    }
    later.join();
}

TEST_F(CommandJobTest, RefusesAnotherNumberOfRanks) {
    EXPECT_NE(refusal(spec(fake("fewer"), "plain", 3, {"sleep"})).find("is 2 and should be 3"), std::string::npos);
    EXPECT_NE(refusal(spec(fake("no_rank"), "plain", 2, {"sleep"})).find("which rank they are"), std::string::npos);
    // The one too many may come when all others have been started.
    for (const auto& [mode, expected] :
         {std::pair{"one_too_many", "is 3 and should be 2"}, {"twice", "rank 0 twice"}}) {
        try {
            Job job(spec(fake(mode), "plain", 2, {"sleep"}));
            const auto deadline = steady_clock::now() + seconds(20);
            while (steady_clock::now() < deadline) {
                job.serve(milliseconds(20));
            }
            ADD_FAILURE() << "nobody noticed";
        } catch (const Error& error) {
            EXPECT_NE(std::string(error.what()).find(expected), std::string::npos) << error.what();
        }
    }
}

TEST_F(CommandJobTest, SaysThatItIsAnotherMachine) {
    const std::string text = refusal(spec(fake("other_token"), "plain", 2, {"sleep"}));
    EXPECT_NE(text.find("the launcher starts ranks on "), std::string::npos) << text;
}

TEST_F(CommandJobTest, SaysWhyAProgramCannotStart) {
    std::ofstream(folder_ / "no_program") << "text";
    fs::permissions(folder_ / "no_program", fs::perms::all);
    JobSpec asked = spec(fake("plain"), "plain", 2, {});
    asked.program = folder_ / "no_program";
    const std::string text = refusal(asked);
    EXPECT_NE(text.find("cannot start rank"), std::string::npos) << text;
    EXPECT_NE(text.find("Exec format error"), std::string::npos) << text;
}

TEST_F(CommandJobTest, RunsJobsInSeveralThreads) {
    std::vector<std::thread> threads;
    std::vector<std::string> outputs(3);
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        threads.emplace_back([&, i] {
            JobSpec asked = spec(fake("plain"), "plain", 2, {"arguments", std::to_string(i)});
            asked.stdout_file = folder_ / ("out" + std::to_string(i));
            for (int round = 0; round < 5; ++round) {
                Job job(asked);
                finish(job);
            }
            outputs[i] = text_of(asked.stdout_file);
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        const std::string line = "[" + std::to_string(i) + "]\n";
        EXPECT_NE(outputs[i].find(line), std::string::npos);
        EXPECT_EQ(std::count(outputs[i].begin(), outputs[i].end(), '\n'), 6) << "no rank of another job's";
    }
}

}  // namespace
}  // namespace dampi::launch
