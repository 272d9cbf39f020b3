// Real processes: how ranks start, talk, end and are killed. Each test has its own folder and leaves no process.
#include "launch/job.hpp"

#include "base/check.hpp"
#include "launch/transport.hpp"
#include "tests/unit/launch/processes.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <thread>

#include <gtest/gtest.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace dampi::launch {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using std::chrono::steady_clock;
namespace fs = std::filesystem;

class JobTest : public ::testing::Test {
protected:
    void SetUp() override {
        std::string name = (fs::temp_directory_path() / "dampi-job-XXXXXX").string();
        ASSERT_NE(mkdtemp(name.data()), nullptr);
        folder_ = name;
    }
    void TearDown() override { fs::remove_all(folder_); }

    JobSpec spec(const std::string& program, int processes, std::vector<std::string> arguments) const {
        JobSpec result;
        result.program = fs::path(DAMPI_TEST_PROGRAMS) / program;
        result.arguments = std::move(arguments);
        result.processes = processes;
        result.stdout_file = folder_ / "out";
        result.stderr_file = folder_ / "err";
        return result;
    }
    [[nodiscard]] std::string out() const { return text_of(folder_ / "out"); }
    [[nodiscard]] std::string err() const { return text_of(folder_ / "err"); }

    /// Serves until no rank runs; false when that takes too long.
    static bool finish(Job& job) {
        const auto deadline = steady_clock::now() + seconds(60);
        while (job.running() > 0 && steady_clock::now() < deadline) {
            job.serve(milliseconds(500));
        }
        return job.running() == 0;
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

    fs::path folder_;
};

std::string end_text(const RankEnd& end) {
    const char* how = end.how == RankEnd::How::running  ? "running "
                      : end.how == RankEnd::How::exited ? "exit "
                                                        : "signal ";
    return how + std::to_string(end.code);
}

TEST_F(JobTest, RunsAnMpiProgram) {
    Job job(spec("mpi_behaviour", 3, {"ring"}));
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
}

TEST_F(JobTest, RunsAnMpiProgramAlone) {
    Job job(spec("mpi_behaviour", 1, {"ring"}));
    ASSERT_TRUE(finish(job));
    EXPECT_EQ(out(), "0 of 1 got 0\n");
}

TEST_F(JobTest, ReportsExitStatusPerRank) {
    Job job(spec("plain", 3, {"exit", "4"}));
    ASSERT_TRUE(finish(job));
    for (int rank = 0; rank < 3; ++rank) {
        EXPECT_EQ(end_text(job.end_of(rank)), "exit " + std::to_string(4 + rank));
    }
}

TEST_F(JobTest, ReportsSignals) {
    Job job(spec("plain", 2, {"signal", std::to_string(SIGUSR1)}));
    ASSERT_TRUE(finish(job));
    for (int rank = 0; rank < 2; ++rank) {
        EXPECT_EQ(job.end_of(rank).how, RankEnd::How::signalled);
        EXPECT_EQ(job.end_of(rank).code, SIGUSR1);
    }
}

TEST_F(JobTest, ReportsAnAbortAndLeavesAllRanksAlone) {
    Job job(spec("mpi_behaviour", 3, {"abort"}));
    ASSERT_TRUE(serve_until(job, [&] { return !job.abort_requests().empty(); }));
    ASSERT_EQ(job.abort_requests().size(), 1u);
    EXPECT_EQ(job.abort_requests()[0].rank, 1);
    EXPECT_EQ(job.abort_requests()[0].code, 7);
    job.serve(milliseconds(50));
    EXPECT_EQ(job.running(), 3);
    EXPECT_NE(err().find("MPI_Abort"), std::string::npos);
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

TEST_F(JobTest, ServesTheOthersAfterACrash) {
    Job job(spec("mpi_behaviour", 3, {"crash"}));
    ASSERT_TRUE(serve_until(job, [&] { return job.running() < 3; }));
    EXPECT_EQ(end_text(job.end_of(1)), "signal " + std::to_string(SIGSEGV));
    job.serve(milliseconds(50));
    EXPECT_EQ(job.running(), 2);
}

TEST_F(JobTest, KillsOneRank) {
    Job job(spec("plain", 3, {"sleep"}));
    job.kill_rank(2);
    ASSERT_TRUE(serve_until(job, [&] { return job.running() == 2; }));
    EXPECT_EQ(end_text(job.end_of(2)), "signal 9");
    EXPECT_EQ(end_text(job.end_of(0)), "running 0");
    job.kill_rank(2);  // no harm
    job.kill_rank(0);
    ASSERT_TRUE(serve_until(job, [&] { return job.running() == 1; }));
    job.kill_all();
    job.kill_all();
}

TEST_F(JobTest, ServeReturnsWhenItsTimeIsOver) {
    Job job(spec("plain", 1, {"sleep"}));
    const auto start = steady_clock::now();
    job.serve(milliseconds(100));
    const auto spent = steady_clock::now() - start;
    EXPECT_GE(spent, milliseconds(100));
    job.serve(milliseconds(0));
    EXPECT_EQ(job.running(), 1);
}

TEST_F(JobTest, IsNotHeldUpByARankThatFloodsIt) {
    Job job(spec("plain", 2, {"flood"}));
    job.serve(milliseconds(200));
    EXPECT_EQ(job.running(), 2);
}

TEST_F(JobTest, SurvivesGarbage) {
    Job job(spec("plain", 2, {"garbage"}));
    ASSERT_TRUE(finish(job));
    EXPECT_TRUE(job.abort_requests().empty());
}

TEST_F(JobTest, RefusesToSpawn) {
    Job job(spec("mpi_behaviour", 1, {"spawn"}));
    ASSERT_TRUE(finish(job));
    EXPECT_EQ(end_text(job.end_of(0)), "exit 0") << err();
    EXPECT_EQ(out(), "refused\n");
}

TEST_F(JobTest, PublishesNames) {
    Job job(spec("mpi_behaviour", 2, {"names"}));
    ASSERT_TRUE(finish(job));
    EXPECT_EQ(end_text(job.end_of(0)), "exit 0") << err();
}

TEST_F(JobTest, PassesArgumentsAsTheyAre) {
    JobSpec asked = spec("plain", 1, {"arguments", "", "a b", "$HOME `x` '\"*;\n"});
    asked.argv0 = "./as typed";
    Job job(asked);
    ASSERT_TRUE(finish(job));
    EXPECT_EQ(out(), "[./as typed]\n[arguments]\n[]\n[a b]\n[$HOME `x` '\"*;\n]\n");
}

TEST_F(JobTest, AddsToAndReplacesTheEnvironment) {
    for (const auto& [name, value] :
         std::map<std::string, std::string>{{"HOME", "/some where"}, {"DAMPI_NEW", "a=b"}}) {
        JobSpec asked = spec("plain", 1, {"variable", name});
        asked.environment = {{name, "first"}, {name, value}};
        Job job(asked);
        ASSERT_TRUE(finish(job));
        EXPECT_EQ(out(), name + "=" + value + "\n");
    }
    Job job(spec("plain", 1, {"variable", "PMI_PORT"}));
    ASSERT_TRUE(finish(job));
    EXPECT_EQ(out(), "PMI_PORT=(unset)\n");
}

TEST_F(JobTest, GivesRanksOnlyTheirDescriptors) {
    const int wanted = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    JobSpec asked = spec("plain", 1, {"open"});
    asked.inherited = {wanted};
    Job job(asked);
    ASSERT_TRUE(finish(job));
    ::close(wanted);
    std::istringstream words(out());
    std::vector<int> open;
    for (int fd = 0; words >> fd;) {
        open.push_back(fd);
    }
    // 0 to 2, the one wanted, the PMI socket; the test's own runner may have leaked some on purpose.
    EXPECT_NE(std::find(open.begin(), open.end(), wanted), open.end());
    std::vector<int> leaked;
    for (int fd = 3; fd < 200; ++fd) {
        const int flags = ::fcntl(fd, F_GETFD);
        if (flags >= 0 && (flags & FD_CLOEXEC) == 0) {
            leaked.push_back(fd);
        }
    }
    EXPECT_EQ(open.size(), 5 + leaked.size()) << out();
}

TEST_F(JobTest, RestoresSignals) {
    sigset_t mask;
    sigset_t before;
    sigemptyset(&mask);
    sigaddset(&mask, SIGUSR1);
    sigprocmask(SIG_BLOCK, &mask, &before);
    const auto old = std::signal(SIGPIPE, SIG_IGN);
    {
        Job job(spec("plain", 1, {"signals"}));
        EXPECT_TRUE(finish(job));
    }
    std::signal(SIGPIPE, old);
    sigprocmask(SIG_SETMASK, &before, nullptr);
    EXPECT_EQ(out(), "0 1\n");
}

TEST_F(JobTest, GivesInputFromAFileToRankZeroEachTime) {
    std::ofstream(folder_ / "in") << "skipped\nfirst\nsecond\n";
    const int saved = ::dup(STDIN_FILENO);
    const int file = ::open((folder_ / "in").c_str(), O_RDONLY);
    ASSERT_EQ(::dup2(file, STDIN_FILENO), STDIN_FILENO);
    ::close(file);
    for (const auto& [position, line] : std::map<int, std::string>{{0, "skipped"}, {8, "first"}}) {
        ::lseek(STDIN_FILENO, position, SEEK_SET);
        for (int round = 0; round < 2; ++round) {
            Job job(spec("plain", 2, {"input"}));
            EXPECT_TRUE(finish(job));
            EXPECT_NE(out().find("0:" + line + "\n"), std::string::npos) << out();
            EXPECT_NE(out().find("1:(none)\n"), std::string::npos) << out();
        }
    }
    ::dup2(saved, STDIN_FILENO);
    ::close(saved);
}

TEST_F(JobTest, GivesNoInputFromAPipe) {
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    const int saved = ::dup(STDIN_FILENO);
    ::dup2(ends[0], STDIN_FILENO);
    {
        Job job(spec("plain", 1, {"input"}));
        EXPECT_TRUE(finish(job));
        EXPECT_EQ(out(), "0:(none)\n");
    }
    ::dup2(saved, STDIN_FILENO);
    for (const int fd : {saved, ends[0], ends[1]}) {
        ::close(fd);
    }
}

TEST_F(JobTest, ShowsOutputAndKeepsIt) {
    JobSpec asked = spec("mpi_behaviour", 2, {"ring"});
    asked.show_output = true;
    ::testing::internal::CaptureStdout();
    {
        Job job(asked);
        EXPECT_TRUE(finish(job));
    }
    const std::string shown = ::testing::internal::GetCapturedStdout();
    EXPECT_EQ(shown, out());
    EXPECT_NE(shown.find("1 of 2 got 0\n"), std::string::npos);
}

TEST_F(JobTest, PutsBothStreamsIntoOneFile) {
    JobSpec asked = spec("mpi_behaviour", 2, {"abort"});
    asked.stderr_file = asked.stdout_file;
    Job job(asked);
    ASSERT_TRUE(serve_until(job, [&] { return !job.abort_requests().empty(); }));
    EXPECT_NE(out().find("MPI_Abort"), std::string::npos);
}

TEST_F(JobTest, KillsWhatRanksStarted) {
    std::vector<pid_t> started;
    {
        Job job(spec("plain", 2, {"grandchild", "and stay"}));
        ASSERT_TRUE(serve_until(job, [&] {
            const std::string text = out();
            return std::count(text.begin(), text.end(), '\n') == 2;
        }));
        std::istringstream lines(out());
        for (pid_t pid = 0; lines >> pid;) {
            started.push_back(pid);
        }
    }
    ASSERT_EQ(started.size(), 2u);
    for (const pid_t pid : started) {
        EXPECT_TRUE(dies_soon(pid));
    }
}

TEST_F(JobTest, KillsWhatRanksLeftBehind) {
    pid_t started = 0;
    {
        Job job(spec("plain", 1, {"grandchild"}));
        ASSERT_TRUE(finish(job));
        std::istringstream(out()) >> started;
        ASSERT_GT(started, 0);
        EXPECT_TRUE(alive(started));
    }
    EXPECT_TRUE(dies_soon(started));
}

TEST_F(JobTest, RanksDieWithTheirStarter) {
    int ends[2];
    ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
    const pid_t starter = ::fork();
    if (starter == 0) {
        try {
            Job job(spec("plain", 2, {"sleep"}));
            const pid_t ranks[] = {job.pid(0), job.pid(1)};
            if (::write(ends[1], ranks, sizeof ranks) == sizeof ranks) {
                ::kill(::getpid(), SIGKILL);
            }
        } catch (...) {}
        ::_exit(1);
    }
    pid_t ranks[2] = {0, 0};
    ::close(ends[1]);
    ASSERT_EQ(::read(ends[0], ranks, sizeof ranks), static_cast<ssize_t>(sizeof ranks));
    ::close(ends[0]);
    ::waitpid(starter, nullptr, 0);
    for (const pid_t pid : ranks) {
        EXPECT_TRUE(dies_soon(pid));
    }
}

TEST_F(JobTest, SaysWhyItCannotStart) {
    EXPECT_THROW(Job(spec("no_such_program", 2, {})), Error);
    std::ofstream(folder_ / "no_program") << "text";
    fs::permissions(folder_ / "no_program", fs::perms::all);
    JobSpec asked = spec("plain", 2, {});
    asked.program = folder_ / "no_program";
    EXPECT_THROW(Job{asked}, Error);
    asked = spec("plain", 1, {});
    asked.stdout_file = folder_ / "no folder" / "out";
    EXPECT_THROW(Job{asked}, Error);
    // Nobody is left to wait for.
    EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
    EXPECT_EQ(errno, ECHILD);
}

TEST_F(JobTest, RunsJobsInSeveralThreads) {
    std::vector<std::thread> threads;
    std::vector<std::string> outputs(3);
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        threads.emplace_back([&, i] {
            JobSpec asked = spec("plain", 2, {"arguments", std::to_string(i)});
            asked.stdout_file = folder_ / ("out" + std::to_string(i));
            for (int round = 0; round < 10; ++round) {
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
        EXPECT_NE(outputs[i].find("[" + std::to_string(i) + "]"), std::string::npos);
    }
}

TEST_F(JobTest, TransportSettingsAreInvisible) {
    for (const char* name : {"mpi_behaviour", "mpi_window"}) {
        const Program program = inspect_program(std::string(DAMPI_TEST_PROGRAMS) + "/" + name);
        JobSpec asked = spec(name, 3, {"ring"});
        asked.environment = transport_environment(transport_choices(program));
        Job job(asked);
        ASSERT_TRUE(finish(job));
        for (int rank = 0; rank < 3; ++rank) {
            EXPECT_EQ(end_text(job.end_of(rank)), "exit 0") << name << err();
        }
    }
}

// So windows_are_by_messages() says of this MPICH, and then settings may be chosen that make it so with any.
TEST_F(JobTest, NothingComesToAWindowWhileItsOwnerIsAway) {
    const Program program = inspect_program(std::string(DAMPI_TEST_PROGRAMS) + "/mpi_away");
    if (!program.mpich_version.starts_with("4.0.")) {
        GTEST_SKIP() << "of MPICH " << program.mpich_version << " nothing is said";
    }
    Job job(spec("mpi_away", 2, {}));
    ASSERT_TRUE(finish(job));
    for (int rank = 0; rank < 2; ++rank) {
        EXPECT_EQ(end_text(job.end_of(rank)), "exit 0") << err();
    }
}

TEST(Transport, LeavesTheUsersSettingsAlone) {
    const auto has = [](const auto& settings, const std::string& name) {
        return std::any_of(settings.begin(), settings.end(), [&](const auto& entry) { return entry.first == name; });
    };
    Program program;
    const auto full = transport_environment(transport_choices(program));
    if (::getenv("UCX_TLS") == nullptr && ::getenv("MPIR_CVAR_NOLOCAL") == nullptr) {
        EXPECT_TRUE(has(full, "MPIR_CVAR_NOLOCAL"));
    }
    EXPECT_FALSE(has(transport_environment(transport_choices(program, {{"UCX_TLS", "all"}})), "UCX_TLS"));
    EXPECT_FALSE(
        has(transport_environment(transport_choices(program, {{"MPIR_CVAR_NUM_CLIQUES", "2"}})), "MPIR_CVAR_NOLOCAL"));
    EXPECT_FALSE(has(transport_environment(transport_choices(program, {{"HWLOC_XMLFILE", "x"}})), "HWLOC_COMPONENTS"));
    program.observes_node = true;
    EXPECT_FALSE(has(transport_environment(transport_choices(program)), "MPIR_CVAR_NOLOCAL"));
    EXPECT_FALSE(has(transport_environment(transport_choices(program)), "UCX_TLS"));
    program.observes_topology = true;
    const auto rest = transport_environment(transport_choices(program));
    EXPECT_EQ(rest.size(), has(rest, "UCX_RCACHE_ENABLE") ? 1U : 0U);
    EXPECT_TRUE(transport_environment(transport_choices(program, {{"UCX_RCACHE_ENABLE", "y"}})).empty());
}

TEST(Transport, NobodyCopiesFromMemoryThatIsClosedAtTimes) {
    using Choices = std::vector<TransportChoice>;
    if (::getenv("UCX_TLS") == nullptr) {
        EXPECT_EQ(choice_for_closed_memory({}).value, "^cma,knem,xpmem");
        Program program;
        EXPECT_EQ(choice_for_accesses_by_messages(program, {}).value, "") << "it may be another MPICH";
        program.mpich_version = "4.0.2";
        EXPECT_EQ(choice_for_accesses_by_messages(program, {}).value, "self,sysv");
        EXPECT_EQ(choice_for_accesses_by_messages(program, {}, {{"UCX_RNDV_SCHEME", "get_zcopy"}}).value, "");
        EXPECT_EQ(choice_for_closed_memory(Choices{{"UCX_TLS", "", "left alone"}}).value, "^cma,knem,xpmem");
    }
    EXPECT_EQ(choice_for_closed_memory(Choices{{"UCX_TLS", "self,sysv", "starts fastest"}}).value, "");
    EXPECT_EQ(choice_for_closed_memory({}, {{"UCX_TLS", "all"}}).value, "");
}

/// For the ranks of this program.
bool is_set(const Program& program, const std::string& name, const std::string& value) {
    const auto settings = transport_environment(transport_choices(program));
    return std::find(settings.begin(), settings.end(), std::pair(name, value)) != settings.end();
}

TEST(Transport, ProgramsWithWindowsDoWithoutTheCacheOfRegistrations) {
    Program program;
    const auto switched_off = [&] { return is_set(program, "UCX_RCACHE_ENABLE", "n"); };
    EXPECT_FALSE(switched_off());
    program.has_windows = true;
    if (::getenv("UCX_RCACHE_ENABLE") == nullptr) {
        EXPECT_TRUE(switched_off());
    }
}

TEST(Transport, WindowsNeedNoSharedNodeWhereTheirAccessesAreMessages) {
    Program program;
    const auto is_alone = [&] { return is_set(program, "MPIR_CVAR_NOLOCAL", "1"); };
    if (::getenv("MPIR_CVAR_NOLOCAL") != nullptr) {
        GTEST_SKIP() << "the variable is set";
    }
    program.mpich_version = "4.0.2";
    EXPECT_TRUE(is_alone());
    program.has_windows = true;
    EXPECT_TRUE(is_alone());
    program.mpich_version = "4.2.1";
    EXPECT_FALSE(is_alone());
    program.mpich_version = "";
    EXPECT_FALSE(is_alone());
    program.has_windows = false;
    EXPECT_TRUE(is_alone());
}

TEST(Transport, TheRendezvousThresholdIsKnown) {
    ASSERT_EQ(::unsetenv("UCX_RNDV_THRESH"), 0);
    for (const replay::Buffering buffering : {replay::Buffering::native, replay::Buffering::zero}) {
        const Rendezvous unset = rendezvous_for(buffering);
        ASSERT_EQ(unset.settings.size(), 1U);
        EXPECT_EQ(unset.settings[0].first, "UCX_RNDV_THRESH");
        EXPECT_EQ(unset.settings[0].second, std::to_string(unset.threshold));
        const std::vector<std::pair<std::string, std::uint64_t>> users{{"0", 0},
                                                                       {"100", 100},
                                                                       {"64b", 64},
                                                                       {"10k", 10240},
                                                                       {"2Kb", 2048},
                                                                       {"3MB", 3 << 20},
                                                                       {"1g", 1 << 30},
                                                                       {"inf", replay::no_rendezvous},
                                                                       {"auto", replay::no_rendezvous},
                                                                       {"", replay::no_rendezvous},
                                                                       {"7x", replay::no_rendezvous},
                                                                       {"7kk", replay::no_rendezvous},
                                                                       {"-1", replay::no_rendezvous},
                                                                       {"99999999999999g", replay::no_rendezvous}};
        for (const auto& [value, threshold] : users) {
            const Rendezvous respected = rendezvous_for(buffering, {{"UCX_RNDV_THRESH", value}});
            EXPECT_TRUE(respected.settings.empty()) << value;
            EXPECT_EQ(respected.threshold, threshold) << value;
        }
    }
    ASSERT_EQ(::setenv("UCX_RNDV_THRESH", "500", 1), 0);
    EXPECT_EQ(rendezvous_for(replay::Buffering::native).threshold, 500U);
    EXPECT_EQ(rendezvous_for(replay::Buffering::native, {{"UCX_RNDV_THRESH", "600"}}).threshold, 600U);
    const Rendezvous infinite = rendezvous_for(replay::Buffering::infinite, {{"UCX_RNDV_THRESH", "600"}});
    ASSERT_EQ(infinite.settings.size(), 1U);
    EXPECT_EQ(infinite.settings[0].second, "inf");
    EXPECT_EQ(infinite.threshold, replay::no_rendezvous);
    ::unsetenv("UCX_RNDV_THRESH");
}

}  // namespace
}  // namespace dampi::launch
