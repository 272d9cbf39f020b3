// Ranks that are forked from a prepared process, as a user meets them: the program cannot tell, those that could are
// executed instead, and nothing stays behind.
#include "tests/cli/content_of.hpp"
#include "tests/cli/own_folder.hpp"
#include "tests/harness/report.hpp"
#include "tests/harness/supervised_run.hpp"

#include <csignal>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace dampi::harness {
namespace {

namespace fs = std::filesystem;

const fs::path programs = DAMPI_CLI_PROGRAMS;
const std::string forked = "ranks are forked from a prepared process";

class Prepared : public InOwnFolder {
protected:
    [[nodiscard]] Command command(const std::vector<std::string>& words) const {
        Command result{.words = {DAMPI_RUN, "-v", "-n", "3", "--buffering", "native"},
                       .stdout_file = work_ / "stdout",
                       .stderr_file = work_ / "stderr",
                       .working_directory = work_};
        result.words.insert(result.words.end(), words.begin(), words.end());
        return result;
    }

    /// Runs it; what it says.
    std::string run(const Command& command, int status = 0) {
        const CommandResult result = run_supervised(command);
        EXPECT_EQ(result.status, status) << describe(result) << content_of(work_ / "stderr");
        EXPECT_TRUE(result.left_behind.empty()) << result.left_behind.front();
        return content_of(work_ / "stdout");
    }
    std::string run(const std::vector<std::string>& words, int status = 0) { return run(command(words), status); }

    /// The lines that all ranks of all runs have written, with the number of times.
    [[nodiscard]] std::map<std::string, int> output(const std::string& folder) const {
        std::map<std::string, int> lines;
        for (const auto& entry : fs::directory_iterator(work_ / folder / "output")) {
            std::ifstream file(entry.path());
            for (std::string line; std::getline(file, line);) {
                ++lines[entry.path().extension().string() + " " + line];
            }
        }
        return lines;
    }
};

TEST_F(Prepared, RanksSeeWhatTheySeeWhenTheyAreExecuted) {
    std::ofstream(work_ / "input") << "of rank 0\n";
    EXPECT_NE(run({programs / "introspect", "forked", "x y"}).find(forked), std::string::npos);
    EXPECT_NE(run({"--no-prepare", programs / "introspect", "executed", "x y"}).find("each rank is executed (--no-"),
              std::string::npos);
    for (const std::string rank : {"0", "1", "2"}) {
        const std::string seen = content_of(work_ / ("forked." + rank));
        EXPECT_NE(seen.find("variable PMI_RANK=" + rank + "\n"), std::string::npos);
        EXPECT_NE(seen.find("\ninput none\n"), std::string::npos);
        EXPECT_EQ(seen, content_of(work_ / ("executed." + rank)));
    }
}

/// What its constructors do, and why it is executed; empty: it is forked.
const std::vector<std::pair<std::string, std::string>> constructors = {
    {"nothing", ""},
    {"harmless", ""},
    {"initialized", ""},
    {"print", "it writes before main"},
    {"write", "it writes before main"},
    {"complain", "it writes before main"},
    {"save", "it writes before main"},
    {"thread", "it has several threads before main"},
    {"open", "it opens or closes descriptors before main"},
    {"pid", "it asks for its process number before main"},
    {"time", "it asks for the time before main"},
    {"random", "it asks for random numbers before main"},
    {"rank", "it asks for its rank before main"},
    {"init", "it calls MPI before main"},
    {"share", "it shares memory before main"},
    {"wipe", "it has memory before main that a fork loses"},
    {"fork", "it starts other processes before main"},
    {"alarm", "it sets a timer before main"},
    {"read", "it reads its input before main"},
};

TEST_F(Prepared, ConstructorsThatCouldTellAreRunInEachRank) {
    for (const auto& [action, why] : constructors) {
        SCOPED_TRACE(action);
        const std::string said = run({"-o", action, programs / "constructors", action, (work_ / "saved").string()});
        EXPECT_NE(said.find(why.empty() ? forked : "each rank is executed: the program cannot be prepared, " + why),
                  std::string::npos)
            << said;
        run({"-o", "executed", "--no-prepare", programs / "constructors", action, (work_ / "saved").string()});
        EXPECT_EQ(output(action), output("executed"));
        EXPECT_EQ(read_report(work_ / action / "report.json").explored, 2U);
    }
}

TEST_F(Prepared, StaticObjects) {
    for (const auto& [what, why] : std::map<std::string, std::string>{
             {"", ""}, {"clock", "it asks for the time before main"}, {"random", "it asks for random numbers"}}) {
        const std::string said = run({"--env", "WHAT=" + what, programs / "static_objects"});
        EXPECT_NE(said.find(why.empty() ? forked : why), std::string::npos) << said;
        EXPECT_EQ(output("dampi-out"), (std::map<std::string, int>{{".out destroyed", 6}}));
    }
}

TEST_F(Prepared, ProgramsThatDoNotComeToMain) {
    EXPECT_NE(run({programs / "constructors", "crash"}, 1).find("it ended before main"), std::string::npos);
    EXPECT_EQ(read_report(work_ / "dampi-out" / "report.json").kinds(), std::set<std::string>{"crash"});
    run({programs / "constructors", "exit"}, 2);
    EXPECT_NE(content_of(work_ / "stderr").find("no rank has called MPI_Init"), std::string::npos);
}

/// What its main does before MPI_Init, and why ranks are not forked behind that; empty: they are.
const std::vector<std::pair<std::string, std::string>> before_init = {
    {"nothing", ""},
    {"threads", ""},
    {"print", "it writes before MPI_Init"},
    {"flush", "it writes before MPI_Init"},
    {"complain", "it writes before MPI_Init"},
    {"pid", "it asks for its process number before MPI_Init"},
    {"time", "it asks for the time before MPI_Init"},
    {"rank", "it asks for its rank before MPI_Init"},
    {"file", "it looks at files before MPI_Init"},
    {"look", "it looks at files before MPI_Init"},
    {"later", ""},
};

TEST_F(Prepared, WithTheCentralizedEngineRanksAreForkedBehindInit) {
    const std::string behind = forked + " behind MPI_Init";
    for (const auto& [action, why] : before_init) {
        SCOPED_TRACE(action);
        const std::string said = run({"--engine", "central", "-o", action, programs / "before_init", action});
        EXPECT_NE(said.find(why.empty() ? behind : forked + " before main: behind MPI_Init it cannot be, " + why),
                  std::string::npos)
            << said;
        run({"--engine", "central", "-o", "executed", "--no-prepare", programs / "before_init", action});
        EXPECT_EQ(output(action), output("executed"));
        EXPECT_EQ(read_report(work_ / action / "report.json").explored, 2U);
    }
    for (const std::string action : {"leave", "crash"}) {
        EXPECT_NE(run({"--engine", "central", programs / "before_init", action}, 1)
                      .find("behind MPI_Init it cannot be, it ended before MPI_Init"),
                  std::string::npos);
    }
    EXPECT_NE(run({"--engine", "central", programs / "constructors"}).find("behind MPI_Init it cannot be, it imports"),
              std::string::npos);
}

TEST_F(Prepared, RanksOfCppProgramsComeBackWhereTheLibraryLeavesNothing) {
    const std::string program = programs / "any_order_cpp";
    const std::vector<std::string> start{"-n", "4", "-j", "1", "--engine", "central", "--keep-output", "all", "-o"};
    const auto sweep = [&](const std::string& folder, const std::vector<std::string>& options) {
        std::vector<std::string> words = start;
        words.push_back(folder);
        words.insert(words.end(), options.begin(), options.end());
        words.push_back(program);
        const std::string said = run(words);
        EXPECT_EQ(read_report(work_ / folder / "report.json").explored, 6U);
        return said;
    };
    EXPECT_NE(sweep("behind", {}).find(forked + " behind MPI_Init"), std::string::npos);
    EXPECT_NE(sweep("snapshots", {"--snapshots", "always"}).find("from which 5 runs"), std::string::npos);
    sweep("executed", {"--no-prepare"});
    const std::map<std::string, int> expected = output("executed");
    EXPECT_EQ(expected.size(), 7U);
    EXPECT_EQ(output("behind"), expected);
    EXPECT_EQ(output("snapshots"), expected);
    EXPECT_NE(run({"--engine", "central", "--env", "WHAT=", programs / "static_objects"})
                  .find("behind MPI_Init it cannot be, it imports _ZNSt13random_device"),
              std::string::npos);
}

/// The child that writes to what a prepared process is given instead of an output file.
std::optional<pid_t> prepared_process(pid_t dampi_run) {
    for (const pid_t child : children_of(dampi_run)) {
        std::error_code gone;
        const auto output = fs::read_symlink("/proc/" + std::to_string(child) + "/fd/1", gone);
        if (output.string().find("memfd:dampi-prepare") != std::string::npos) {
            return child;
        }
    }
    return std::nullopt;
}

TEST_F(Prepared, IsStartedAnewOnceIfItDies) {
    for (const int times : {1, 3}) {
        std::set<pid_t> killed;
        std::optional<pid_t> seen;
        int looks = 0;
        Command sweep =
            command({"-n", "6", "--engine", "distributed", "--max-interleavings", "60", programs / "any_order"});
        sweep.meanwhile = [&](pid_t dampi_run) {
            const auto process = prepared_process(dampi_run);
            looks = process == seen ? looks + 1 : 0;  // a rank looks like it for a moment
            seen = process;
            if (!process || looks < 5 || children_of(dampi_run).size() < 3) {
                return;
            }
            if (static_cast<int>(killed.size()) == times || killed.contains(*process)) {
                return;
            }
            kill(*process, SIGKILL);
            killed.insert(*process);
        };
        const std::string said = run(sweep, 3);
        EXPECT_EQ(static_cast<int>(killed.size()), std::min(times, 2));
        const auto says = [&](std::string_view what) { return said.find(what) != std::string::npos; };
        // The second one may be killed on its way to main.
        EXPECT_TRUE(times == 1 ? says(forked) : says("its prepared process has died") || says("it ended before main"))
            << said;
        EXPECT_EQ(read_report(work_ / "dampi-out" / "report.json").explored, 60U);
    }
}

}  // namespace
}  // namespace dampi::harness
