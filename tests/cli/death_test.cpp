// Death of ranks and of dampi-run itself, in every form and at random moments: what was recorded up to then is in the
// report, and nothing is left behind, neither a process nor System V shared memory or semaphores nor a file in
// /dev/shm or a temporary file. DAMPI_TEST_DEATHS=N sets how often each random death is tried.
#include "tests/cli/own_folder.hpp"
#include "tests/harness/report.hpp"
#include "tests/harness/supervised_run.hpp"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <random>
#include <set>
#include <sstream>
#include <thread>

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>

namespace dampi::harness {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

const fs::path programs = DAMPI_CLI_PROGRAMS;
const std::string mortal = programs / "mortal";
const std::string any_order = programs / "any_order";
const std::string shares_node = programs / "shares_node";
const std::string slow = programs / "slow";

/// Whether somebody has the file mapped. Only what nobody uses any more is left behind: the machine has other users.
bool is_mapped(const fs::path& file) {
    std::error_code ignored;
    for (const auto& process : fs::directory_iterator("/proc", ignored)) {
        std::ifstream maps(process.path() / "maps");
        for (std::string line; std::getline(maps, line);) {
            if (line.ends_with(file.string())) {
                return true;
            }
        }
    }
    return false;
}

/// Names of all that lies outside the processes and is not used: System V objects, files in /dev/shm.
std::set<std::string> unused_objects() {
    std::set<std::string> result;
    for (const std::string kind : {"shm", "sem"}) {
        std::ifstream table("/proc/sysvipc/" + kind);
        std::string line;
        std::getline(table, line);
        while (std::getline(table, line)) {
            std::istringstream fields(line);
            std::string key;
            std::string id;
            std::string permissions;
            std::string size;
            std::string creator;
            std::string last;
            std::string attached = "0";
            fields >> key >> id >> permissions >> size;
            if (kind == "shm") {
                fields >> creator >> last >> attached;
            }
            if (attached == "0") {
                result.insert(kind + " " + id);
            }
        }
    }
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator("/dev/shm", ignored)) {
        if (!is_mapped(entry.path())) {
            result.insert(entry.path());
        }
    }
    return result;
}

int deaths() {
    const char* wanted = std::getenv("DAMPI_TEST_DEATHS");
    return wanted != nullptr ? std::max(1, std::atoi(wanted)) : 6;
}

class Death : public InOwnFolder {
protected:
    static void SetUpTestSuite() {
        // Where it is allowed (to root), what others have is out of sight. Otherwise it is told apart.
        if (unshare(CLONE_NEWIPC) != 0) {
            std::cout << "others' System V objects are in sight\n";
        }
        if (unshare(CLONE_NEWNS) != 0 || mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
            mount("none", "/dev/shm", "tmpfs", 0, nullptr) != 0) {
            std::cout << "others' files in /dev/shm are in sight\n";
        }
    }

    void SetUp() override {
        InOwnFolder::SetUp();
        fs::create_directories(work_ / "tmp");
        before_ = unused_objects();
        const auto seed = std::random_device()();
        std::cout << "seed " << seed << '\n';
        random_.seed(seed);
    }

    /// dampi-run with these words in the test's folder.
    [[nodiscard]] Command command(const std::vector<std::string>& words) const {
        Command result{.words = {DAMPI_RUN},
                       .stdout_file = work_ / "stdout",
                       .stderr_file = work_ / "stderr",
                       .environment = {{"TMPDIR", work_ / "tmp"}},
                       .working_directory = work_};
        result.words.insert(result.words.end(), words.begin(), words.end());
        if (words.front() == "-n") {
            result.words.insert(result.words.begin() + 3, {"--buffering", "native"});
        }
        return result;
    }

    /// Runs it to its end and sees that nothing is left.
    CommandResult run(const Command& command) {
        const CommandResult result = run_supervised(command);
        EXPECT_FALSE(result.timed_out);
        EXPECT_TRUE(result.left_behind.empty()) << result.left_behind.front();
        expect_nothing_left();
        return result;
    }

    void expect_nothing_left() {
        for (const auto& entry : fs::recursive_directory_iterator(work_)) {
            EXPECT_EQ(entry.path().filename().string().find(".tmp"), std::string::npos) << entry.path();
        }
        EXPECT_TRUE(fs::is_empty(work_ / "tmp"));
        // What others are just making or removing is gone when one looks again.
        std::vector<std::string> left;
        const auto end = Clock::now() + 20s;
        do {
            left.clear();
            const auto now = unused_objects();
            std::set_difference(now.begin(), now.end(), before_.begin(), before_.end(), std::back_inserter(left));
            if (!left.empty()) {
                std::this_thread::sleep_for(100ms);
            }
        } while (!left.empty() && Clock::now() < end);
        for (const std::string& object : left) {
            ADD_FAILURE() << "left behind: " << object;
        }
        before_.insert(left.begin(), left.end());
    }

    /// From 0 to below `limit`.
    std::int64_t random_below(std::int64_t limit) {
        return std::uniform_int_distribution<std::int64_t>(0, limit - 1)(random_);
    }

    [[nodiscard]] Report report() const { return read_report(work_ / "dampi-out" / "report.json"); }

    std::set<std::string> before_;
    std::mt19937_64 random_;
};

// ---- ranks ----

TEST_F(Death, RankThatKillsItselfLeavesItsRecord) {
    EXPECT_EQ(run(command({"-n", "3", mortal, "die"})).status, 1);
    const Report found = report();
    ASSERT_EQ(found.kinds(), std::set<std::string>{"crash"});
    EXPECT_NE(found.violations[0].message.find("SIGKILL"), std::string::npos) << found.violations[0].message;
    EXPECT_EQ(found.explored, 2U) << "the message that came second is known as an alternative";
    std::set<std::string> epochs;
    for (const auto& epoch : found.violations[0].epochs) {
        epochs.insert(std::to_string(epoch.at("rank").get<int>()) + "#" + std::to_string(epoch.at("index").get<int>()) +
                      "<-" + std::to_string(epoch.at("matched").at("source").get<int>()));
    }
    EXPECT_TRUE(epochs == (std::set<std::string>{"0#0<-1", "0#1<-2", "1#0<-2"}) ||
                epochs == (std::set<std::string>{"0#0<-2", "0#1<-1", "1#0<-2"}))
        << testing::PrintToString(epochs);
}

TEST_F(Death, WhoeverStartedIt) {
    // The last two take all ranks away with the one that aborts or dies: they hear of it past dampi-rank.
    const std::vector<std::pair<std::string, bool>> launchers = {{"mpiexec", true},
                                                                 {"mpiexec.mpich -n {n}", true},
                                                                 {"mpiexec.mpich -pmi-port -n {n}", false},
                                                                 {"mpirun.mpich -pmi-port -np {n}", false}};
    for (const std::string how : {"die", "crash", "abort", "error"}) {
        // By the same engine as under launchers: others repeat runs, and may end elsewhere.
        EXPECT_EQ(run(command({"-n", "3", "--engine", "distributed", mortal, how})).status, 1);
        const Report own = report();
        EXPECT_EQ(own.kinds(), std::set<std::string>{how == "abort"   ? "abort"
                                                     : how == "error" ? "argument/rank"
                                                                      : "crash"});
        for (const auto& [launcher, same] : launchers) {
            if (!same && how == "die") {
                continue;  // nobody notes SIGKILL
            }
            EXPECT_EQ(run(command({"-n", "3", "--launcher", launcher, mortal, how})).status, 1) << launcher;
            const Report other = report();
            std::set<std::string> kinds = other.kinds();
            if (!same && how == "error") {
                kinds.erase("abort");  // the library may give up in the others, too
            }
            EXPECT_EQ(kinds, own.kinds()) << launcher << ' ' << how;
            EXPECT_EQ(other.explored, own.explored) << launcher << ' ' << how;
            if (same) {
                EXPECT_EQ(other.complete, own.complete) << launcher << ' ' << how;
            }
        }
    }
}

TEST_F(Death, RecordIsCompleteUpToTheKill) {
    for (int i = 0; i < deaths() / 3 + 1; ++i) {
        Command killed = command({"-n", "3", "--engine", "distributed", "--max-interleavings", "1", mortal, "take",
                                  (work_ / "progress").string()});
        fs::remove(work_ / "progress");
        bool done = false;
        const auto moment = milliseconds(1 + random_below(30));
        std::optional<Clock::time_point> taking;
        killed.meanwhile = [&](pid_t dampi_run) {
            if (!taking && fs::exists(work_ / "progress")) {
                taking = Clock::now();
            }
            if (done || !taking || Clock::now() < *taking + moment) {
                return;
            }
            done = true;
            const auto ranks = ranks_of(dampi_run);
            ASSERT_FALSE(ranks.empty());
            kill(ranks[0], SIGKILL);
        };
        EXPECT_EQ(run(killed).status, 1);
        const auto taken = fs::file_size(work_ / "progress");
        const Report found = report();
        ASSERT_EQ(found.kinds(), std::set<std::string>{"crash"});
        std::ifstream file(work_ / "dampi-out" / "report.json");
        const auto omitted = nlohmann::json::parse(file).at("violations")[0].at("epochs_omitted").get<std::size_t>();
        std::size_t matched = omitted;
        for (const auto& epoch : found.violations[0].epochs) {
            matched += epoch.at("matched").is_null() ? 0 : 1;
        }
        EXPECT_GE(matched, taken);
        EXPECT_LE(matched, taken + (omitted != 0 ? 2 : 1));
    }
}

TEST_F(Death, RankKilledAtAnyMoment) {
    for (int i = 0; i < deaths(); ++i) {
        Command killed = command({"-n", "4", any_order});
        const auto moment = Clock::now() + milliseconds(random_below(200));
        bool hit = false;
        killed.meanwhile = [&](pid_t dampi_run) {
            if (hit || Clock::now() < moment) {
                return;
            }
            const auto ranks = ranks_of(dampi_run);
            if (ranks.empty()) {
                return;
            }
            hit = kill(ranks[static_cast<std::size_t>(random_below(static_cast<std::int64_t>(ranks.size())))],
                       SIGKILL) == 0;
        };
        const CommandResult result = run(killed);
        // It may have been hit when it had nothing to do any more. A guided run then did not follow its decisions.
        EXPECT_TRUE(result.status == 0 || result.status == 1 || result.status == 3) << describe(result);
        for (const std::string& kind : report().kinds()) {
            EXPECT_TRUE(kind == "crash" || kind == "divergence") << kind;
        }
    }
}

// ---- dampi-run ----

TEST_F(Death, KilledAtAnyMoment) {
    const std::vector<std::vector<std::string>> sweeps = {
        {"-n", "6", any_order}, {"-n", "4", shares_node, "100"}, {"-n", "3", "--stop-on-first", mortal, "die"}};
    for (int i = 0; i < deaths(); ++i) {
        for (const auto& words : sweeps) {
            Command killed = command(words);
            killed.signal = SIGKILL;
            killed.signal_after = milliseconds(random_below(150));
            run(killed);
            const fs::path file = work_ / "dampi-out" / "report.json";
            EXPECT_TRUE(!fs::exists(file) || read_report(file).explored > 0) << "half a report";
            fs::remove_all(work_ / "dampi-out");
        }
    }
}

TEST_F(Death, KilledAtAnyMomentWithAnotherLauncher) {
    const std::vector<std::vector<std::string>> sweeps = {
        {"-n", "4", "--launcher", "mpiexec", any_order},
        {"-n", "3", "--launcher", "mpiexec.mpich -n {n}", mortal, "child-wait"},
        {"-n", "4", "--launcher", "sh -c 'mpiexec.mpich -n {n} {command}; sleep 1000'", shares_node, "100"}};
    for (int i = 0; i < deaths() / 2 + 1; ++i) {
        for (const auto& words : sweeps) {
            Command killed = command(words);
            killed.signal = SIGKILL;
            killed.signal_after = milliseconds(random_below(400));
            run(killed);
            fs::remove_all(work_ / "dampi-out");
        }
    }
}

TEST_F(Death, EndedBySignalsAtAnyMoment) {
    for (int i = 0; i < deaths(); ++i) {
        for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
            const bool twice = i % 2 != 0;
            fs::remove_all(work_ / "dampi-out");
            // 5,040 interleavings: it is never over by itself before it is told.
            Command ended = command({"-n", "8", "--merge-states", "never", any_order});
            const auto moment = Clock::now() + milliseconds(random_below(200));
            const auto pause = milliseconds(random_below(5));
            int sent = 0;
            ended.meanwhile = [&](pid_t dampi_run) {
                if (sent < (twice ? 2 : 1) && Clock::now() >= moment + sent * pause) {
                    kill(dampi_run, signal);
                    ++sent;
                }
            };
            const CommandResult result = run(ended);
            // Before it is prepared the signal simply ends it.
            const bool at_once = result.signal == signal || (twice && result.status == 128 + signal);
            EXPECT_TRUE(at_once || result.status == 3) << describe(result);
            if (result.status == 3) {
                EXPECT_EQ(report().verdict, "incomplete");
            }
        }
    }
}

TEST_F(Death, StoppedRanksGoWithDampiRun) {
    for (const int signal : {SIGKILL, SIGTERM}) {
        Command killed = command({"-n", "3", slow, "100"});
        std::optional<Clock::time_point> stopped;
        bool done = false;
        killed.meanwhile = [&](pid_t dampi_run) {
            const auto ranks = ranks_of(dampi_run);
            if (!stopped && ranks.size() == 3) {
                kill(ranks[1], SIGSTOP);
                kill(ranks[2], SIGSTOP);
                stopped = Clock::now();
            } else if (stopped && !done && Clock::now() > *stopped + 100ms) {
                kill(dampi_run, signal);
                done = true;
            }
        };
        const CommandResult result = run(killed);
        EXPECT_TRUE(result.signal == signal || result.status == 3) << describe(result);
    }
}

// ---- what ranks start ----

TEST_F(Death, ChildOfARankIsEndedWithTheRun) {
    EXPECT_EQ(run(command({"-n", "3", mortal, "child"})).status, 0);
    EXPECT_EQ(run(command({"-n", "3", "--show-output", mortal, "child"})).status, 0);
}

TEST_F(Death, ChildOfARankThatDiesIsEndedWithTheRun) {
    EXPECT_EQ(run(command({"-n", "3", mortal, "child-die"})).status, 1);
    EXPECT_EQ(report().kinds(), std::set<std::string>{"crash"});
}

TEST_F(Death, ChildOfARankIsEndedWithDampiRun) {
    for (const int signal : {SIGTERM, SIGKILL}) {
        Command killed = command({"-n", "3", mortal, "child-wait"});
        std::optional<Clock::time_point> born;
        bool done = false;
        killed.meanwhile = [&](pid_t dampi_run) {
            const auto ranks = ranks_of(dampi_run);
            if (!born && ranks.size() >= 2 && !children_of(ranks[1]).empty()) {
                born = Clock::now();
            }
            if (!born || done || Clock::now() < *born + 200ms) {
                return;
            }
            kill(dampi_run, signal);
            done = true;
        };
        const CommandResult result = run(killed);
        EXPECT_TRUE(result.signal == signal || result.status == 3) << describe(result);
    }
}

}  // namespace
}  // namespace dampi::harness
