// dampi-run as a user meets it: what it refuses and in which words, its bounds, replay, and where output goes.
// Each test runs it as a process of its own, without a shell, in an empty folder named after the test.
#include "tests/cli/content_of.hpp"
#include "tests/cli/own_folder.hpp"
#include "tests/harness/report.hpp"
#include "tests/harness/supervised_run.hpp"

#include <algorithm>
#include <csignal>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <thread>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>
#include <sys/sysmacros.h>

namespace dampi::harness {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

const fs::path programs = DAMPI_CLI_PROGRAMS;
const std::string deadlocking = programs / "one_order_deadlocks";
const std::string any_order = programs / "any_order";
const std::string head_to_head = programs / "head_to_head";

void write(const fs::path& file, const std::string& content) {
    std::ofstream output(file);
    output << content;
    ASSERT_TRUE(output.flush());
}

struct Outcome {
    CommandResult result;
    std::string out;
    std::string err;
};

class Cli : public InOwnFolder {
protected:
    /// Runs dampi-run with these words in the test's folder.
    Outcome dampi_run(const std::vector<std::string>& words) { return run(command(words)); }

    [[nodiscard]] Command command(const std::vector<std::string>& words) const {
        Command result{.words = {DAMPI_RUN},
                       .stdout_file = work_ / "stdout",
                       .stderr_file = work_ / "stderr",
                       .working_directory = work_};
        result.words.insert(result.words.end(), words.begin(), words.end());
        const auto named = [&](const char* option) {
            return std::find(words.begin(), words.end(), option) != words.end();
        };
        if (!words.empty() && words.front() == "-n" && !named("--buffering") && !named("--replay")) {
            // What is not about the modes of buffering is tested with one.
            result.words.insert(result.words.begin() + 3, {"--buffering", "native"});
        }
        return result;
    }

    static Outcome run(const Command& command) {
        Outcome outcome{.result = run_supervised(command),
                        .out = content_of(command.stdout_file),
                        .err = content_of(command.stderr_file)};
        EXPECT_FALSE(outcome.result.timed_out);
        EXPECT_TRUE(outcome.result.left_behind.empty()) << outcome.result.left_behind.front();
        return outcome;
    }

    /// One clear sentence on stderr that says `pattern`, nothing on stdout, status 2, and no sweep begun.
    void expect_refused(const std::vector<std::string>& words, const std::string& pattern) {
        const Outcome outcome = dampi_run(words);
        EXPECT_EQ(outcome.result.status, 2) << describe(outcome.result);
        EXPECT_EQ(outcome.out, "");
        EXPECT_TRUE(outcome.err.starts_with("dampi-run: ")) << outcome.err;
        EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
        EXPECT_TRUE(std::regex_search(outcome.err, std::regex(pattern, std::regex::icase)))
            << "expected /" << pattern << "/, found: " << outcome.err;
        EXPECT_FALSE(fs::exists(work_ / "dampi-out" / "report.json"));
    }

    [[nodiscard]] Report report(const std::string& folder = "dampi-out") const {
        return read_report(work_ / folder / "report.json");
    }

    /// All that the program wrote to one of its streams, as kept in the sweep's folder.
    [[nodiscard]] std::string kept(const std::string& stream, const std::string& folder = "dampi-out") const {
        std::string result;
        for (const auto& entry : fs::directory_iterator(work_ / folder / "output")) {
            if (entry.path().extension() == (stream == "stdout" ? ".out" : ".err")) {
                result += content_of(entry.path());
            }
        }
        return result;
    }
};

// ---- help, version, usage ----

TEST_F(Cli, HelpNamesEveryOption) {
    const Outcome outcome = dampi_run({"--help"});
    EXPECT_EQ(outcome.result.status, 0);
    EXPECT_EQ(outcome.err, "");
    for (const char* option :
         {"-n",         "-o",          "--replay",        "--max-interleavings", "--time-limit", "--stop-on-first",
          "--clock",    "--buffering", "--explore-polls", "--virtual-time",      "--real-time",  "--env",
          "--launcher", "--mpi",       "--piggyback",     "--verbose",           "--quiet",      "--help",
          "--version",  "--explain"}) {
        EXPECT_NE(outcome.out.find(option), std::string::npos) << option;
    }
}

TEST_F(Cli, VersionIsTheProjects) {
    const Outcome outcome = dampi_run({"--version"});
    EXPECT_EQ(outcome.result.status, 0);
    EXPECT_NE(outcome.out.find(DAMPI_VERSION), std::string::npos) << outcome.out;
}

TEST_F(Cli, ExplainsAKindOfFinding) {
    const Outcome outcome = dampi_run({"--explain", "rma/race"});
    EXPECT_EQ(outcome.result.status, 0);
    EXPECT_EQ(outcome.err, "");
    EXPECT_TRUE(outcome.out.starts_with("rma/race (error)\n")) << outcome.out;
    EXPECT_EQ(dampi_run({"--explain=rma/race"}).out, outcome.out);
}

TEST_F(Cli, ListsTheKindsOfFindings) {
    const Outcome outcome = dampi_run({"--explain"});
    EXPECT_EQ(outcome.result.status, 0);
    EXPECT_TRUE(outcome.out.starts_with("abort ")) << outcome.out;
    EXPECT_NE(outcome.out.find("\nrma/race "), std::string::npos) << outcome.out;
    EXPECT_EQ(dampi_run({"--explain", "list"}).out, outcome.out);
}

TEST_F(Cli, ExplainsWhatIsNotChecked) {
    const Outcome outcome = dampi_run({"--explain", "not-checked"});
    EXPECT_EQ(outcome.result.status, 0);
    EXPECT_NE(outcome.out.find("\nloads and stores in some buffers\n"), std::string::npos) << outcome.out;
}

TEST_F(Cli, UnknownKindIsRefused) { expect_refused({"--explain", "race"}, "nearest: rma/race"); }
TEST_F(Cli, UnknownOptionIsRefused) { expect_refused({"-n", "2", "--frobnicate", any_order}, "--frobnicate"); }
TEST_F(Cli, MissingProcessCountIsRefused) { expect_refused({any_order}, "-n"); }
TEST_F(Cli, ZeroProcessesAreRefused) { expect_refused({"-n", "0", any_order}, "-n"); }
TEST_F(Cli, NegativeProcessesAreRefused) { expect_refused({"-n", "-3", any_order}, "-n"); }
TEST_F(Cli, ProcessesThatAreNoNumberAreRefused) { expect_refused({"-n", "two", any_order}, "two"); }
TEST_F(Cli, HugeProcessCountIsRefused) { expect_refused({"-n", "99999999999999999999", any_order}, "-n"); }
TEST_F(Cli, NoProgramIsRefused) { expect_refused({"-n", "2"}, "program"); }
TEST_F(Cli, NothingAtAllIsRefused) { expect_refused({}, "-n"); }
TEST_F(Cli, ZeroInterleavingsAreRefused) {
    expect_refused({"-n", "2", "--max-interleavings", "0", any_order}, "--max-interleavings");
}
TEST_F(Cli, NegativeTimeIsRefused) { expect_refused({"-n", "2", "--time-limit", "-1", any_order}, "--time-limit"); }
TEST_F(Cli, EnvWithoutEqualsSignIsRefused) { expect_refused({"-n", "2", "--env", "NAME", any_order}, "NAME=VALUE"); }
TEST_F(Cli, UnknownClockIsRefused) {
    expect_refused({"-n", "2", "--clock", "sundial", any_order}, "vector or lamport");
}
TEST_F(Cli, UnknownBufferingIsRefused) {
    expect_refused({"-n", "2", "--buffering", "some", any_order}, "native, zero, infinite or all");
}
TEST_F(Cli, TooManyFalseAnswersAreRefused) {
    expect_refused({"-n", "2", "--explore-polls", "1000001", any_order}, "at most 1000000");
}
TEST_F(Cli, VerboseAndQuietExcludeEachOther) {
    expect_refused({"-n", "2", "--verbose", "--quiet", any_order}, "--quiet");
}

// ---- unsuitable programs ----

TEST_F(Cli, NonsensicalLaunchersAreRefused) {
    expect_refused({"-n", "2", "--launcher", "", any_order}, "empty");
    expect_refused({"-n", "2", "--launcher", "mpiexec {command} {command}", any_order}, "more than once");
    expect_refused({"-n", "2", "--launcher", "./no_such_launcher -n {n}", any_order}, "no_such_launcher.*No such file");
    expect_refused({"-n", "2", "--launcher", "true", any_order}, "0 of 2 ranks.*exit status 0");
}

TEST_F(Cli, ALauncherWhoseRanksAreElsewhereIsRefusedAtOnce) {
    // What dampi-rank prints there (tests/hosts has the real thing), through a launcher that puts marks before lines.
    const std::string elsewhere =
        "sh -c 'printf \"[1] dampi-rank: all ranks must run on dampi-run\\047s machine, "
        "this is node7\\n\" >&2; sleep 1000; : {command}'";
    expect_refused({"-n", "2", "--launcher", elsewhere, any_order}, "starts ranks on node7, and all must run on .*");
}

TEST_F(Cli, ALauncherWhoseRanksDoNotFindEachOtherIsRefused) {
    const std::string alone = "sh -c 'for r in 0 1; do SLURM_PROCID=$r SLURM_STEP_NUM_TASKS=2 {command} & done; wait'";
    expect_refused({"-n", "2", "--launcher", alone, any_order},
                   "rank . of 2 has begun MPI as rank 0 of 1: .*--mpi=pmi2");
}

TEST_F(Cli, AnMpiLibraryThatIsNoneIsRefused) {
    expect_refused({"-n", "2", "--mpi", "", any_order}, "needs auto, native");
    expect_refused({"-n", "2", "--mpi", "no_such_prefix", any_order},
                   "there is no patched MPI library in .*no_such_prefix");
    expect_refused({"-n", "2", "--mpi=/usr", any_order}, "there is no patched MPI library in /usr");
}

TEST_F(Cli, AnotherLauncherAsTheProgramIsRefused) {
    expect_refused({"-n", "4", "mpiexec", "-n", "4", any_order, "word"},
                   "leave out mpiexec: dampi-run starts the ranks itself: dampi-run -n 4 [^ ]*any_order word");
    expect_refused({"-n", "2", "mpirun.openmpi", "--mca", "btl", "self", any_order}, "dampi-run -n 2 [^ ]*any_order");
    expect_refused({"-n", "2", "srun", "--mpi=pmi2"}, "dampi-run -n 2 PROGRAM");
}

TEST_F(Cli, BeingLaunchedAsRanksAreIsRefused) {
    using Variables = decltype(Command::environment);
    for (const auto& [launcher, variables] : std::vector<std::pair<std::string, Variables>>{
             {"mpiexec", {{"PMI_RANK", "1"}, {"PMI_SIZE", "2"}}},
             {"mpirun", {{"OMPI_COMM_WORLD_RANK", "0"}, {"OMPI_COMM_WORLD_SIZE", "2"}}},
             {"srun", {{"SLURM_STEP_ID", "0"}, {"SLURM_STEP_NUM_TASKS", "2"}}}}) {
        Command launched = command({"-n", "2", any_order});
        launched.environment = variables;
        const Outcome outcome = run(launched);
        EXPECT_EQ(outcome.result.status, 2);
        EXPECT_NE(outcome.err.find("leave out " + launcher), std::string::npos) << outcome.err;
    }
    // One is as many as are wanted, and who starts what may have been one of several.
    Command alone = command({"-n", "2", any_order});
    alone.environment = {{"SLURM_STEP_ID", "0"}, {"SLURM_STEP_NUM_TASKS", "1"}, {"PMI_SIZE", "2"}};
    EXPECT_EQ(run(alone).result.status, 0);
}

TEST_F(Cli, AnAllocationOfOneNodeSaysHowManyProcessesThereAre) {
    Command inside = command({any_order});
    inside.environment = {{"SLURM_JOB_ID", "7"}, {"SLURM_JOB_NODELIST", "here"}, {"SLURM_TASKS_PER_NODE", "3"}};
    const Outcome outcome = run(inside);
    EXPECT_EQ(outcome.result.status, 0);
    EXPECT_NE(outcome.out.find("with 3 processes"), std::string::npos) << outcome.out;
    inside.environment.emplace_back("SLURM_STEP_ID", "0");
    EXPECT_EQ(run(inside).result.status, 2) << "a step need not be for the ranks";
}

TEST_F(Cli, EnvironmentAsMpiexecTakesItIsRefused) {
    expect_refused({"-n", "2", "-genv", "NAME", "VALUE", any_order}, "--env NAME=VALUE");
}

TEST_F(Cli, MissingProgramIsRefused) { expect_refused({"-n", "2", "./nowhere"}, "nowhere"); }
TEST_F(Cli, FolderIsRefused) { expect_refused({"-n", "2", "/tmp"}, "directory"); }

TEST_F(Cli, FileThatIsNotExecutableIsRefused) {
    fs::copy_file(any_order, work_ / "program");
    fs::permissions(work_ / "program", fs::perms::owner_read);
    expect_refused({"-n", "2", "./program"}, "not executable");
}

TEST_F(Cli, ScriptWithoutMpiIsRefused) {
    write(work_ / "script", "#!/bin/sh\nexit 0\n");
    fs::permissions(work_ / "script", fs::perms::owner_all);
    expect_refused({"-n", "2", "./script"}, "no rank has called MPI");
}

TEST_F(Cli, EmptyFileIsRefused) {
    write(work_ / "empty", "");
    fs::permissions(work_ / "empty", fs::perms::owner_all);
    expect_refused({"-n", "2", "./empty"}, "empty");
}

TEST_F(Cli, CutOffExecutableIsRefused) {
    write(work_ / "cut", content_of(any_order).substr(0, 100));
    fs::permissions(work_ / "cut", fs::perms::owner_all);
    expect_refused({"-n", "2", "./cut"}, "cut");
}

TEST_F(Cli, ProgramThatNeverCallsMpiIsRefused) {
    for (const std::string engine : {"distributed", "central"}) {
        expect_refused({"-n", "2", "-o", engine, "--engine", engine, programs / "keeps_out", "all"},
                       "no rank has called MPI_Init");
    }
}

TEST_F(Cli, ARankThatEndsWithoutMpiInitKeepsTheOthersWaiting) {
    for (const std::string engine : {"distributed", "central"}) {
        const Outcome outcome = dampi_run({"-n", "3", "--engine", engine, programs / "keeps_out", "1"});
        EXPECT_EQ(outcome.result.status, 1) << describe(outcome.result);
        EXPECT_EQ(report().kinds(), std::set<std::string>{"exit"});
        EXPECT_NE(outcome.out.find("rank 1 exited with status 0 without calling MPI_Init"), std::string::npos);
    }
}

TEST_F(Cli, StaticProgramIsRefused) { expect_refused({"-n", "2", programs / "cli_no_mpi_static"}, "static"); }
TEST_F(Cli, ProgramWithoutMpiIsRefused) { expect_refused({"-n", "2", programs / "cli_no_mpi"}, "not an MPI program"); }
TEST_F(Cli, ProgramOfAnotherMpiIsRefused) {
    expect_refused({"-n", "2", programs / "cli_other_mpi_user"}, "libmpi.so.12");
}

// ---- what a sweep does ----

TEST_F(Cli, CleanProgramIsVerified) {
    const Outcome outcome = dampi_run({"-n", "3", any_order});
    EXPECT_EQ(outcome.result.status, 0) << outcome.out << outcome.err;
    EXPECT_EQ(report().verdict, "clean");
    EXPECT_EQ(report().explored, 2U);
    EXPECT_EQ(outcome.err, "") << "no progress line where stderr is no terminal";
    EXPECT_NE(outcome.out.find("clean"), std::string::npos);
}

TEST_F(Cli, OutputGoesToTheNamedFolder) {
    EXPECT_EQ(dampi_run({"-n", "3", "-o", "a/b", any_order}).result.status, 0);
    EXPECT_EQ(report("a/b").verdict, "clean");
    EXPECT_FALSE(fs::exists(work_ / "dampi-out"));
}

TEST_F(Cli, SecondSweepReplacesTheFirst) {
    EXPECT_EQ(dampi_run({"-n", "3", deadlocking}).result.status, 1);
    EXPECT_EQ(dampi_run({"-n", "3", any_order}).result.status, 0);
    EXPECT_EQ(report().verdict, "clean");
    EXPECT_EQ(kept("stdout"), "") << "the first sweep's output must be gone";
}

TEST_F(Cli, ProgramIsFoundInTheWorkingDirectory) {
    fs::copy_file(any_order, work_ / "here");
    EXPECT_EQ(dampi_run({"-n", "2", "here"}).result.status, 0);
    EXPECT_EQ(dampi_run({"-n", "2", "./here"}).result.status, 0);
}

TEST_F(Cli, ProgramIsFoundInPath) {
    Command in_path = command({"-n", "2", "any_order"});
    in_path.environment = {{"PATH", programs.string() + ":/usr/bin:/bin"}};
    EXPECT_EQ(run(in_path).result.status, 0);
}

TEST_F(Cli, MaxInterleavingsBoundsTheSweep) {
    const Outcome outcome = dampi_run({"-n", "4", "--max-interleavings", "2", any_order});
    EXPECT_EQ(outcome.result.status, 3);
    EXPECT_EQ(report().verdict, "incomplete");
    EXPECT_FALSE(report().complete);
    EXPECT_EQ(report().explored, 2U);
    EXPECT_GT(report().pending, 0U);
    EXPECT_NE(outcome.out.find("max-interleavings"), std::string::npos) << "the bound is named:\n" << outcome.out;
}

TEST_F(Cli, ByDefaultSendsAreAlsoTakenToWait) {
    const Outcome outcome = dampi_run({"-o", "default", "-n", "2", head_to_head, "4"});
    EXPECT_EQ(outcome.result.status, 1) << outcome.err;
    EXPECT_NE(outcome.out.find("found under zero buffering, not under native buffering: only if standard sends"),
              std::string::npos)
        << outcome.out;
    EXPECT_NE(outcome.out.find("under native and zero buffering; complete)"), std::string::npos) << outcome.out;
    const Report report = read_report(work_ / "default" / "report.json");
    EXPECT_EQ(report.kinds(), std::set<std::string>{"deadlock"});
    EXPECT_EQ(dampi_run({"-n", "2", head_to_head, "4"}).result.status, 0) << "with --buffering native";
    EXPECT_EQ(
        dampi_run({"-o", "replayed", "-n", "2", "--replay", "default/decisions/deadlock-1.json", head_to_head, "4"})
            .result.status,
        1);
    const Outcome as_in_sweep = dampi_run({"-o", "replayed", "-n", "2", "--fail-on", "error", "--replay",
                                           "default/decisions/deadlock-1.json", head_to_head, "4"});
    EXPECT_EQ(as_in_sweep.result.status, 3) << "incomplete, as any replay:\n" << as_in_sweep.out;
    EXPECT_NE(as_in_sweep.out.find("severity: portability; this MPI library buffers what is sent, another one need "
                                   "not; so says the decision file"),
              std::string::npos)
        << as_in_sweep.out;
    const Outcome correct = dampi_run({"-o", "correct", "-n", "3", any_order});
    EXPECT_EQ(correct.result.status, 0) << correct.err;
    EXPECT_NE(correct.out.find("clean (complete: 4 interleavings under native and zero buffering;"), std::string::npos)
        << correct.out;
}

TEST_F(Cli, WhatARankExecutesInItsPlaceIsToldAndFollowedWhereEnvBegins) {
    const std::string program = programs / "executes_itself";
    const Outcome left_out = dampi_run({"-n", "2", program});
    EXPECT_EQ(left_out.result.status, 3) << left_out.out << left_out.err;
    EXPECT_NE(left_out.out.find("ranks executed another program in their place (execv, ...) before they had called "
                                "MPI_Init"),
              std::string::npos)
        << left_out.out;
    EXPECT_NE(left_out.out.find("env PROGRAM"), std::string::npos) << left_out.out;
    EXPECT_EQ(left_out.out.find("ended without calling MPI_Init"), std::string::npos) << left_out.out;
    EXPECT_EQ(dampi_run({"-n", "2", "-o", "followed", "env", program}).result.status, 0);
    EXPECT_EQ(dampi_run({"-n", "2", "-o", "once", "--env", "DAMPI_TEST_SECOND_TIME=1", program}).result.status, 0);
}

TEST_F(Cli, WhatABoundLeavesOutOfWaitingSendsIsSaidAndCanBeAddedLater) {
    const Outcome outcome = dampi_run({"-o", "out", "-n", "2", "--max-interleavings", "1", head_to_head, "4"});
    EXPECT_EQ(outcome.result.status, 3) << outcome.err;
    EXPECT_NE(outcome.out.find("under native buffering; left out: --max-interleavings, nothing was run with zero"),
              std::string::npos)
        << outcome.out;
    const Outcome resumed = dampi_run({"--resume", "out", "--max-interleavings", "none"});
    EXPECT_EQ(resumed.result.status, 1) << resumed.err;
    EXPECT_NE(resumed.out.find("under native and zero buffering; complete)"), std::string::npos) << resumed.out;
}

TEST_F(Cli, BoundThatIsNotReachedLeavesTheSweepComplete) {
    EXPECT_EQ(dampi_run({"-n", "3", "--max-interleavings", "2", any_order}).result.status, 0);
    EXPECT_TRUE(report().complete);
}

TEST_F(Cli, StopOnFirstStopsAtTheViolation) {
    EXPECT_EQ(dampi_run({"-n", "3", "--stop-on-first", deadlocking}).result.status, 1);
    ASSERT_EQ(report().violations.size(), 1U);
    EXPECT_EQ(report().violations[0].first_interleaving, report().explored);
}

TEST_F(Cli, TimeLimitEndsARunThatComputes) {
    const Outcome outcome = dampi_run({"-n", "2", "--time-limit", "1.5", programs / "slow", "100"});
    EXPECT_EQ(outcome.result.status, 3) << outcome.out << outcome.err;
    EXPECT_EQ(report().verdict, "incomplete");
    EXPECT_TRUE(report().violations.empty()) << "a rank that computes is no deadlock";
    EXPECT_NE(outcome.out.find("time-limit"), std::string::npos) << "the bound is named:\n" << outcome.out;
    EXPECT_NE(outcome.out.find("  ranks 0, 1 outside MPI at "), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find("slow.c:10 (main)"), std::string::npos) << "where they were:\n" << outcome.out;
}

TEST_F(Cli, DeadlockNamesTheCallsThatHaveMadeItsRequests) {
    for (const std::string engine : {"distributed", "central"}) {
        const Outcome outcome =
            dampi_run({"-n", "2", "--buffering", "native", "--engine", engine, programs / "waits_for_requests"});
        EXPECT_EQ(outcome.result.status, 1);
        for (const char* const line : {"12), and waits", "13)", "16)"}) {
            EXPECT_NE(outcome.out.find(std::string("(the request was made at waits_for_requests.c:") + line),
                      std::string::npos)
                << engine << ", " << line << '\n'
                << outcome.out;
        }
    }
}

TEST_F(Cli, RankThatComputesIsNoDeadlock) {
    EXPECT_EQ(dampi_run({"-n", "2", programs / "slow", "6"}).result.status, 0);
    EXPECT_EQ(report().verdict, "clean");
}

TEST_F(Cli, WhatARunHoldsBackIsNotPolledForInVain) {
    // Within the limit, polls are answered "nothing yet" more than a thousand times while a message is late.
    const Outcome outcome = dampi_run({"-n", "3", "--engine", "central", "--livelock-limit", "0.02",
                                       "--max-interleavings", "60", programs / "testany_server_ok"});
    EXPECT_EQ(outcome.result.status, 3) << outcome.out << outcome.err;
    EXPECT_TRUE(report().violations.empty()) << outcome.out;
}

TEST_F(Cli, InterruptEndsCleanlyWithAReport) {
    Command interrupted = command({"-n", "2", programs / "slow", "100"});
    bool sent = false;
    interrupted.meanwhile = [&](pid_t dampi_run) {
        if (!sent && ranks_of(dampi_run).size() == 2) {
            sent = kill(dampi_run, SIGINT) == 0;
        }
    };
    const Outcome outcome = run(interrupted);
    EXPECT_EQ(outcome.result.status, 3) << describe(outcome.result) << outcome.err;
    EXPECT_EQ(report().verdict, "incomplete");
}

TEST_F(Cli, ASecondInterruptSaysHowToGoOn) {
    Command interrupted = command({"-n", "2", programs / "slow", "100"});
    bool sent = false;
    interrupted.meanwhile = [&](pid_t dampi_run) {
        if (!sent && ranks_of(dampi_run).size() == 2) {
            sent = kill(dampi_run, SIGSTOP) == 0 && kill(dampi_run, SIGINT) == 0 && kill(dampi_run, SIGTERM) == 0 &&
                   kill(dampi_run, SIGCONT) == 0;
        }
    };
    const Outcome outcome = run(interrupted);
    EXPECT_TRUE(outcome.result.status == 128 + SIGINT || outcome.result.status == 128 + SIGTERM)
        << describe(outcome.result);
    EXPECT_NE(outcome.err.find("dampi-run: ended at once by a second signal, without a report; go on with: dampi-run "
                               "--resume dampi-out\n"),
              std::string::npos)
        << outcome.err;
}

TEST_F(Cli, OfAnOptionThatIsGivenTwiceTheLastValueCounts) {
    const Outcome outcome = dampi_run(
        {"-n", "4", "--max-interleavings", "1", "--max-interleavings=2", "-o", "out", "-o", "out", any_order});
    EXPECT_EQ(outcome.result.status, 3) << describe(outcome.result);
    EXPECT_EQ(report("out").explored, 2U);
    EXPECT_EQ(outcome.err, "dampi-run: the option --max-interleavings is given as 1 and as 2: the last one counts\n");
    EXPECT_EQ(dampi_run({"-n", "4", "--explore", "a", "--explore", "b", any_order}).err, "");
}

TEST_F(Cli, WhatWasFoundIsToldWhereAReportCannotBeWritten) {
    const Outcome outcome = dampi_run({"-n", "2", "--junit", "/dev/full", programs / "head_to_head"});
    EXPECT_EQ(outcome.result.status, 2) << describe(outcome.result);
    EXPECT_NE(outcome.out.find("verdict: violations"), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.err.find("/dev/full"), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.err.find("with its reports the exit status would be 1"), std::string::npos) << outcome.err;
}

// ---- runs side by side, progress, what is kept ----

std::set<std::string> outcomes_of(const Report& report) {
    std::set<std::string> all;
    for (const ReportedOutcome& each : report.outcomes.value_or(std::vector<ReportedOutcome>{})) {
        EXPECT_TRUE(all.insert(each.outcome).second) << "run twice: " << each.outcome;
    }
    return all;
}

TEST_F(Cli, AnyNumberOfJobsComesToTheSame) {
    for (const char* jobs : {"1", "2", "5", "auto"}) {
        EXPECT_EQ(dampi_run({"-n", "4", "-j", jobs, "-o", jobs, any_order}).result.status, 0);
        EXPECT_EQ(report(jobs).explored, 6U);
        EXPECT_EQ(outcomes_of(report(jobs)), outcomes_of(report("1")));
    }
}

TEST_F(Cli, WhatTheCentralizedEngineRefusesInTheMiddleTheOtherOneGoesOnWith) {
    const std::string program = programs / "refused_in_one_order";
    for (const std::string jobs : {"1", "3"}) {
        const Outcome outcome = dampi_run({"-n", "3", "-j", jobs, "--engine", "auto", program});
        EXPECT_EQ(outcome.result.status, 0) << outcome.out << outcome.err;
        EXPECT_EQ(report().explored, 2U);
        EXPECT_TRUE(report().complete);
        EXPECT_NE(outcome.err.find("does not model MPI_Win_create"), std::string::npos) << outcome.err;
        EXPECT_NE(outcome.out.find("the centralized engine began, and handed over"), std::string::npos) << outcome.out;
    }
    const Outcome central = dampi_run({"-n", "3", "--engine", "central", program});
    EXPECT_EQ(central.result.status, 2) << central.out;
    EXPECT_NE(central.err.find("MPI_Win_create, which rank 0 has called: use --engine distributed"), std::string::npos)
        << central.err;
}

TEST_F(Cli, MpiRepeatsTheFirstRunAndGoesOnWhereItGoesAnotherWay) {
    const Outcome agreed = dampi_run({"-n", "4", any_order});
    EXPECT_EQ(agreed.result.status, 0);
    EXPECT_NE(agreed.out.find("repeated by MPI itself: the first run, with the same result"), std::string::npos)
        << agreed.out;
    for (const std::string jobs : {"1", "3"}) {
        const Outcome outcome = dampi_run({"-n", "3", "-j", jobs, programs / "knows_engine", "first"});
        EXPECT_EQ(outcome.result.status, 1) << outcome.out << outcome.err;
        EXPECT_NE(outcome.err.find("the program's MPI library went another way than the centralized engine"),
                  std::string::npos)
            << outcome.err;
        EXPECT_NE(outcome.out.find("left out: MPI itself went another way in the first run"), std::string::npos)
            << outcome.out;
        EXPECT_EQ(report().explored, 2U);
        EXPECT_EQ(report().kinds(), std::set<std::string>{"abort"});
    }
}

TEST_F(Cli, MpiRepeatsTheRunsThatShowFindings) {
    const auto repeated = [&](const std::string& what) {
        const Outcome outcome = dampi_run({"-n", "3", programs / "knows_engine", what});
        EXPECT_EQ(outcome.result.status, 1) << outcome.out << outcome.err;
        const Json all = Json::parse(content_of(work_ / "dampi-out" / "report.json")).at("violations");
        EXPECT_EQ(all.size(), 1U);
        EXPECT_NE(outcome.out.find("  repeated by MPI itself: this run, "), std::string::npos) << outcome.out;
        return all.at(0).at("repeated_by_mpi").at("result").get<std::string>();
    };
    EXPECT_EQ(repeated("both"), "agreed");
    EXPECT_EQ(repeated("finding"), "differed");
}

TEST_F(Cli, NothingIsCleanThatMpiItselfDoesNotEnd) {
    const Outcome outcome = dampi_run({"-n", "3", programs / "knows_engine", "stays"});
    EXPECT_EQ(outcome.result.status, 3) << outcome.out << outcome.err;
    const Json report = Json::parse(content_of(work_ / "dampi-out" / "report.json"));
    EXPECT_EQ(report.at("first_run_repeated_by_mpi").at("result"), "no end");
    EXPECT_EQ(report.at("left_out").at(0).at("reason"), "first-run");
    EXPECT_NE(outcome.out.find("left out: MPI itself did not end the first run"), std::string::npos) << outcome.out;
}

TEST_F(Cli, MpiGoesOnWhereItIsPlainlyFaster) {
    const Outcome outcome = dampi_run({"-n", "3", programs / "knows_engine", "slow"});
    EXPECT_EQ(outcome.result.status, 0) << outcome.out << outcome.err;
    EXPECT_EQ(report().explored, 2U);
    EXPECT_NE(outcome.out.find("the centralized engine began, and handed over: MPI itself ran this program in "),
              std::string::npos)
        << outcome.out;
}

TEST_F(Cli, WhatSaysWhatMpiIsToDoNeedsIt) {
    const Outcome outcome = dampi_run({"-n", "4", "--piggyback", "shared", any_order});
    EXPECT_EQ(outcome.result.status, 0);
    EXPECT_NE(outcome.out.find("not the centralized engine, which is faster: --piggyback is about MPI's own messages"),
              std::string::npos)
        << outcome.out;
}

TEST_F(Cli, RanksThatMayAskForTheirProcessorsHaveAll) {
    if (std::thread::hardware_concurrency() < 2) {
        GTEST_SKIP() << "there is one processor only";
    }
    // The ranks of each mode are forked from another process, which is started when runs of the one before were short.
    const Outcome outcome = dampi_run({"-n", "5", "-j", "3", "--engine", "central", "--buffering", "all",
                                       "--keep-output", "all", programs / "counts_processors"});
    EXPECT_EQ(outcome.result.status, 0) << outcome.out << outcome.err;
    EXPECT_EQ(kept("stdout"), "");
}

TEST_F(Cli, ProgressForOtherPrograms) {
    const Outcome outcome = dampi_run({"-n", "4", "--progress", "json", any_order});
    EXPECT_EQ(outcome.result.status, 0);
    std::istringstream lines(outcome.err);
    Json last;
    for (std::string line; std::getline(lines, line);) {
        last = Json::parse(line);
        EXPECT_LE(last.at("explored"), 6U);
    }
    EXPECT_EQ(last.at("explored"), 6U);
    EXPECT_EQ(last.at("pending"), 0U);
    EXPECT_EQ(last.at("finished"), true);
    EXPECT_EQ(dampi_run({"-n", "4", any_order}).err, "") << "nothing into a pipe";
}

TEST_F(Cli, RandomWalksEstimateHowManyInterleavingsThereAre) {
    const Outcome outcome =
        dampi_run({"-n", "5", "--sample", "10", "--seed", "3", "--max-interleavings", "2", any_order});
    EXPECT_EQ(outcome.result.status, 3);
    EXPECT_NE(outcome.out.find("estimate: about 24 (+-0%) interleavings in all, of which these are 8.3%"),
              std::string::npos)
        << outcome.out;
    const Json whole = Json::parse(content_of(work_ / "dampi-out" / "report.json"));
    const Json& size = whole["size_estimate"];
    EXPECT_NEAR(size["interleavings"].get<double>(), 24, 1e-9) << "one rank chooses, and always among as many";
    EXPECT_EQ(size["standard_error"], 0.0);
    EXPECT_EQ(size["walks"], 10);
    EXPECT_EQ(size["ended"], 10);
    EXPECT_EQ(size["runs"], whole["interleavings"]["walk_runs"]);
    EXPECT_EQ(report().explored, 2U);
    EXPECT_EQ(dampi_run({"--resume", "dampi-out", "--max-interleavings", "none"}).result.status, 0);
    EXPECT_EQ(report().explored, 24U);
    // Walks are not made again, but for some that needed no run of their own, each from a run that is made again.
    const Json again = Json::parse(content_of(work_ / "dampi-out" / "report.json"))["size_estimate"];
    EXPECT_EQ(again["interleavings"], size["interleavings"]);
    ASSERT_GT(size["runs"].get<int>(), 10);
    EXPECT_LE(again["runs"].get<int>(), size["runs"].get<int>() + 10);
}

TEST_F(Cli, RandomWalksThroughFalseAnswersAreRefused) {
    expect_refused({"-n", "5", "--sample", "10", "--explore-polls", "1", any_order}, "--explore-polls");
}

TEST_F(Cli, OutputIsKeptForFindingsAndTheLastRuns) {
    const auto runs = [&](const std::string& folder) {
        std::set<std::string> names;
        for (const auto& entry : fs::directory_iterator(work_ / folder / "output")) {
            if (entry.is_regular_file()) {
                names.insert(entry.path().stem());
            }
        }
        return names;
    };
    const std::string five = programs / "talkative";
    EXPECT_EQ(dampi_run({"-n", "5", "-j", "1", "-o", "some", five}).result.status, 1);
    EXPECT_EQ(report("some").explored, 24U);
    const std::set<std::string> some = runs("some");
    EXPECT_LE(some.size(), 12U);
    EXPECT_TRUE(some.contains("000024"));
    ASSERT_EQ(report("some").violations.size(), 1U);
    const auto first = report("some").violations[0].first_interleaving;
    EXPECT_TRUE(some.contains("0000" + std::string(first < 10 ? "0" : "") + std::to_string(first))) << first;
    EXPECT_EQ(dampi_run({"-n", "5", "--keep-output", "all", "-o", "all", five}).result.status, 1);
    EXPECT_EQ(runs("all").size(), 24U);
}

// ---- going on with a sweep ----

TEST_F(Cli, AnInterruptedSweepIsResumed) {
    const fs::path hold = work_ / "hold";
    Command interrupted =
        command({"-n", "5", "-j", "2", "--env", "DAMPI_TEST_HOLD=" + hold.string(), programs / "talkative", "clean"});
    std::ofstream(hold).flush();
    bool sent = false;
    interrupted.meanwhile = [&](pid_t dampi_run) {
        if (!sent && fs::file_size(hold) > 5) {
            sent = kill(dampi_run, SIGINT) == 0;
        }
    };
    const Outcome begun = run(interrupted);
    fs::remove(hold);
    EXPECT_EQ(begun.result.status, 3) << describe(begun.result) << begun.err;
    EXPECT_NE(begun.out.find("go on with: dampi-run --resume dampi-out\n"), std::string::npos) << begun.out;
    const auto done = report().explored;
    EXPECT_GT(done, 0U);
    EXPECT_LT(done, 24U);
    const Outcome resumed = dampi_run({"--resume", "dampi-out"});
    EXPECT_EQ(resumed.result.status, 0) << resumed.out << resumed.err;
    EXPECT_EQ(report().explored, 24U);
    EXPECT_EQ(outcomes_of(report()).size(), 24U);
    EXPECT_TRUE(report().complete);
    EXPECT_EQ(resumed.out.find("go on with"), std::string::npos);
    const Outcome again = dampi_run({"--resume", "dampi-out"});
    EXPECT_EQ(again.result.status, 0);
    EXPECT_NE(again.out.find("had come to its end before"), std::string::npos) << again.out;
    EXPECT_EQ(report().explored, 24U);
}

TEST_F(Cli, ABoundOfASweepIsRaisedWhenItIsResumed) {
    EXPECT_EQ(dampi_run({"-n", "4", "--max-interleavings", "2", any_order}).result.status, 3);
    EXPECT_EQ(dampi_run({"--resume", "dampi-out", "--max-interleavings", "4"}).result.status, 3);
    EXPECT_EQ(report().explored, 4U);
    EXPECT_EQ(dampi_run({"--resume", "dampi-out", "--max-interleavings", "none"}).result.status, 0);
    EXPECT_EQ(report().explored, 6U);
}

TEST_F(Cli, WhatPassesIsAsItWasWhenASweepIsResumed) {
    EXPECT_EQ(dampi_run({"-n", "4", "--max-interleavings", "2", "--expect", "deadlock", any_order}).result.status, 1);
    const Outcome resumed = dampi_run({"--resume", "dampi-out", "--max-interleavings", "none"});
    EXPECT_EQ(resumed.result.status, 1) << resumed.out;
    EXPECT_NE(resumed.out.find("expected and not found: deadlock"), std::string::npos) << resumed.out;
    EXPECT_EQ(dampi_run({"-n", "4", "--max-interleavings", "2", "--incomplete-ok", any_order}).result.status, 0);
    EXPECT_EQ(dampi_run({"--resume", "dampi-out"}).result.status, 0);
    write(work_ / "lived-with.supp", "deadlock fun:main # known\n");
    const Outcome lived_with = dampi_run({"-n", "2", "--suppressions", "lived-with.supp", head_to_head, "1000000"});
    EXPECT_EQ(lived_with.result.status, 0) << lived_with.out << lived_with.err;
    const Outcome suppressed = dampi_run({"--resume", "dampi-out"});
    EXPECT_EQ(suppressed.result.status, 0) << suppressed.out << suppressed.err;
    EXPECT_EQ(dampi_run({"--resume", "dampi-out", "--fail-on", "deadlock"}).result.status, 0);
}

TEST_F(Cli, AReportIsNotWrittenOverWhatIsNeeded) {
    const Outcome over_report = dampi_run({"-n", "4", "-o", "out", "--junit", "out/report.json", any_order});
    EXPECT_EQ(over_report.result.status, 2);
    EXPECT_NE(over_report.err.find("the folder of out/report.json does not exist"), std::string::npos)
        << over_report.err;
    fs::create_directory(work_ / "out");
    const Outcome again = dampi_run({"-n", "4", "-o", "out", "--junit", "out/report.json", any_order});
    EXPECT_EQ(again.result.status, 2);
    EXPECT_NE(again.err.find("which is needed itself"), std::string::npos) << again.err;
    fs::copy_file(any_order, work_ / "app");
    EXPECT_EQ(dampi_run({"-n", "4", "--sarif", "app", "./app"}).result.status, 2);
    EXPECT_EQ(fs::file_size(work_ / "app"), fs::file_size(any_order));
}

TEST_F(Cli, ADeviceStaysADevice) {
    // Another one than the system's own, if that may be made.
    const fs::path device = work_ / "null";
    if (mknod(device.c_str(), S_IFCHR | 0600, makedev(1, 3)) != 0 || !std::ofstream(device)) {
        GTEST_SKIP() << "no device can be made here, or none be used";
    }
    EXPECT_EQ(dampi_run({"-n", "4", "--junit", "null", "--sarif", "null", any_order}).result.status, 0);
    EXPECT_TRUE(fs::is_character_file(device));
    const Outcome shown = dampi_run({"-n", "4", "-q", "--sarif", "/dev/stdout", any_order});
    EXPECT_NE(shown.out.find("\"runs\""), std::string::npos) << shown.out;
    EXPECT_NE(shown.out.find("verdict: clean"), std::string::npos) << shown.out;
}

TEST_F(Cli, ASweepGoesOnByAsManyAsItsBound) {
    EXPECT_EQ(dampi_run({"-n", "4", "--max-interleavings", "2", any_order}).result.status, 3);
    const Outcome resumed = dampi_run({"--resume", "dampi-out"});
    EXPECT_EQ(resumed.result.status, 3) << resumed.out;
    EXPECT_EQ(report().explored, 4U);
    EXPECT_NE(resumed.out.find("go on with: dampi-run --resume dampi-out\n"), std::string::npos) << resumed.out;
    dampi_run({"--resume", "dampi-out"});
    EXPECT_EQ(report().explored, 6U);
    EXPECT_EQ(dampi_run({"--resume", "dampi-out"}).result.status, 0);
}

TEST_F(Cli, WhatDoesNotRepeatItselfIsNotVerified) {
    const Outcome outcome = dampi_run({"-n", "3", programs / "goes_by_what_is_left"});
    EXPECT_EQ(outcome.result.status, 3) << outcome.out << outcome.err;
    EXPECT_NE(outcome.out.find("the program does not repeat itself"), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find("--fresh-dir"), std::string::npos) << outcome.out;
    fs::remove(work_ / "left");
    const Outcome fresh = dampi_run({"-n", "3", "--fresh-dir", programs / "goes_by_what_is_left"});
    EXPECT_EQ(fresh.result.status, 1) << fresh.out << fresh.err;
    EXPECT_EQ(report().kinds(), std::set<std::string>{"abort"});
}

TEST_F(Cli, TheFirstViolationIsFollowedByTheNext) {
    EXPECT_EQ(dampi_run({"-n", "5", "-j", "1", "--stop-on-first", programs / "talkative"}).result.status, 1);
    const auto first = report().explored;
    EXPECT_LT(first, 24U);
    EXPECT_EQ(dampi_run({"--resume", "dampi-out"}).result.status, 1);
    EXPECT_EQ(report().explored, 24U) << "there is no other violation";
}

TEST_F(Cli, AnotherSweepIsNotResumed) {
    fs::copy_file(any_order, work_ / "app");
    EXPECT_EQ(dampi_run({"-n", "4", "--max-interleavings", "2", "./app", "x"}).result.status, 3);
    const auto refused = [&](const std::vector<std::string>& words, const std::string& pattern) {
        const Outcome outcome = dampi_run(words);
        EXPECT_EQ(outcome.result.status, 2) << outcome.out;
        EXPECT_TRUE(std::regex_search(outcome.err, std::regex(pattern))) << outcome.err;
        EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    };
    refused({"--resume", "nowhere"}, "no sweep in nowhere");
    refused({"--resume", "dampi-out", "-n", "3", "./app", "x"}, "-n was 4 and is 3");
    refused({"--resume", "dampi-out", "-n", "4", "./app", "y"}, "argument");
    refused({"--resume", "dampi-out", "-n", "4", "--clock", "lamport", "./app", "x"}, "clock");
    refused({"--resume", "dampi-out", "--clock", "lamport"}, "--clock");
    fs::copy_file(deadlocking, work_ / "app", fs::copy_options::overwrite_existing);
    refused({"--resume", "dampi-out"}, "built anew");
    EXPECT_EQ(report().explored, 2U) << "the report is still there";
    fs::copy_file(any_order, work_ / "app", fs::copy_options::overwrite_existing);
    EXPECT_EQ(dampi_run({"--resume", "dampi-out", "--max-interleavings", "none"}).result.status, 0)
        << "nothing of it was lost";
    EXPECT_EQ(report().explored, 6U);
}

TEST_F(Cli, ANewSweepSetsAnUnfinishedOneAside) {
    EXPECT_EQ(dampi_run({"-n", "4", "--max-interleavings", "2", any_order}).result.status, 3);
    const Outcome outcome = dampi_run({"-n", "4", any_order});
    EXPECT_EQ(outcome.result.status, 0);
    EXPECT_NE(outcome.err.find("journal.unfinished"), std::string::npos) << outcome.err;
    fs::rename(work_ / "dampi-out" / "journal.unfinished", work_ / "dampi-out" / "journal");
    EXPECT_EQ(dampi_run({"--resume", "dampi-out", "--max-interleavings", "none"}).result.status, 0);
    EXPECT_EQ(report().explored, 6U);
}

TEST_F(Cli, ADamagedJournalIsRefused) {
    EXPECT_EQ(dampi_run({"-n", "4", "--max-interleavings", "2", any_order}).result.status, 3);
    const fs::path journal = work_ / "dampi-out" / "journal";
    const std::string whole = content_of(journal);
    std::string changed = whole;
    changed[whole.size() / 2] = static_cast<char>(changed[whole.size() / 2] ^ 1);
    write(journal, changed);
    EXPECT_EQ(dampi_run({"--resume", "dampi-out"}).result.status, 2);
    write(journal, "nonsense");
    EXPECT_EQ(dampi_run({"--resume", "dampi-out"}).result.status, 2);
    write(journal, whole);
    EXPECT_EQ(dampi_run({"--resume", "dampi-out", "--max-interleavings", "none"}).result.status, 0);
    EXPECT_EQ(report().explored, 6U);
}

// ---- the program's environment, arguments and streams ----

TEST_F(Cli, EnvReachesTheProgram) {
    dampi_run({"-n", "3", "--env", "DAMPI_TEST_WORD=a=b c", deadlocking});
    EXPECT_NE(kept("stdout").find("out of rank 1: a=b c, 0 arguments"), std::string::npos) << kept("stdout");
}

TEST_F(Cli, LaterEnvWins) {
    dampi_run({"-n", "3", "--env", "DAMPI_TEST_WORD=one", "--env", "DAMPI_TEST_WORD=two", deadlocking});
    EXPECT_NE(kept("stdout").find("out of rank 1: two"), std::string::npos) << kept("stdout");
}

TEST_F(Cli, ArgumentsNeverPassThroughAShell) {
    dampi_run({"-n", "3", deadlocking, "$(touch hit); `touch hit` > hit *", "--help", "-n", "9"});
    EXPECT_NE(kept("stdout").find("4 arguments, the first: $(touch hit); `touch hit` > hit *"), std::string::npos);
    EXPECT_FALSE(fs::exists(work_ / "hit"));
}

std::multiset<std::string> sorted_lines(const std::string& text) {
    std::istringstream lines(text);
    std::multiset<std::string> result;
    for (std::string line; std::getline(lines, line);) {
        result.insert(line);
    }
    return result;
}

TEST_F(Cli, AnotherLauncherMakesNoDifference) {
    const std::string launcher = "sh -c 'exec mpiexec.mpich -n {n} {command}'";
    EXPECT_EQ(dampi_run({"-n", "3", "--env", "DAMPI_TEST_WORD=a=b c", "-o", "own", deadlocking, "it's"}).result.status,
              1);
    const Outcome other = dampi_run(
        {"-n", "3", "--env", "DAMPI_TEST_WORD=a=b c", "--launcher", launcher, "-o", "other", deadlocking, "it's"});
    EXPECT_EQ(other.result.status, 1) << other.err;
    EXPECT_EQ(report("other").kinds(), report("own").kinds());
    EXPECT_EQ(report("other").explored, report("own").explored);
    EXPECT_EQ(report("other").complete, report("own").complete);
    for (const char* stream : {"stdout", "stderr"}) {
        EXPECT_EQ(sorted_lines(kept(stream, "other")), sorted_lines(kept(stream, "own")));
    }
    EXPECT_NE(other.out.find("--launcher 'sh -c "), std::string::npos) << "the command of the replay: " << other.out;
    const std::string file = work_ / "other" / *report("other").violations[0].decisions;
    EXPECT_EQ(dampi_run({"-n", "3", "--replay", file, "--launcher", launcher, deadlocking, "it's"}).result.status, 1);
    EXPECT_EQ(report("dampi-replay").kinds(), report("own").kinds());
}

TEST_F(Cli, ALauncherThatIsInterruptedWhileItStartsRanks) {
    Command waiting = command({"-n", "2", "--launcher", "sleep 1000", any_order});
    waiting.signal = SIGINT;
    waiting.signal_after = std::chrono::milliseconds(700);
    const Outcome outcome = run(waiting);
    EXPECT_EQ(outcome.result.status, 3) << describe(outcome.result) << outcome.err;
}

TEST_F(Cli, StreamsAreKeptAndNotShown) {
    const Outcome outcome = dampi_run({"-n", "3", deadlocking});
    for (const char* rank : {"rank 0", "rank 1", "rank 2"}) {
        EXPECT_NE(kept("stdout").find(std::string("out of ") + rank), std::string::npos);
        EXPECT_NE(kept("stderr").find(std::string("err of ") + rank), std::string::npos);
    }
    EXPECT_EQ(outcome.out.find("out of rank"), std::string::npos);
    EXPECT_EQ(outcome.err.find("err of rank"), std::string::npos);
}

TEST_F(Cli, ShowOutputShowsTheStreams) {
    const Outcome outcome = dampi_run({"-n", "3", "--show-output", deadlocking});
    EXPECT_NE(outcome.out.find("out of rank 1"), std::string::npos);
    EXPECT_NE(outcome.err.find("err of rank 1"), std::string::npos);
}

TEST_F(Cli, QuietPrintsOneLinePerViolationAndTheVerdict) {
    const Outcome outcome = dampi_run({"-n", "3", "--quiet", deadlocking});
    EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 2) << outcome.out;
}

TEST_F(Cli, VerbosePrintsALineForEachInterleaving) {
    const Outcome outcome = dampi_run({"-n", "3", "--verbose", any_order});
    EXPECT_NE(outcome.out.find("{0#0<-1 0#1<-2}"), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find("{0#0<-2 0#1<-1}"), std::string::npos) << outcome.out;
}

// ---- clocks ----

TEST_F(Cli, TheReportSaysWhichClockWasUsed) {
    for (const std::string asked : {"auto", "vector", "lamport"}) {
        const std::string used = asked == "auto" ? "vector" : asked;
        const Outcome outcome = dampi_run({"-n", "3", "--clock", asked, any_order});
        EXPECT_EQ(outcome.result.status, 0) << asked;
        EXPECT_EQ(report().clock, used);
        EXPECT_EQ(report().explored, 2U) << asked;
        EXPECT_NE(outcome.out.find(used + " clocks"), std::string::npos) << outcome.out;
        EXPECT_EQ(outcome.out.find("can go unseen") != std::string::npos, used == "lamport") << outcome.out;
        EXPECT_EQ(outcome.out.find("imprecise matches"), std::string::npos) << outcome.out;
    }
}

// ---- what a verdict speaks of ----

TEST_F(Cli, ACleanVerdictNamesWhatItDoesNotSpeakOf) {
    for (const std::string engine : {"distributed", "central"}) {
        const Outcome outcome =
            dampi_run({"-n", "3", "--engine", engine, "--buffering", "native", programs / "other_types", "bytes"});
        EXPECT_EQ(outcome.result.status, 0) << outcome.out;
        EXPECT_NE(outcome.out.find("(complete: 2 interleavings under native buffering; all outcomes of the modelled "
                                   "calls)"),
                  std::string::npos)
            << outcome.out;
        EXPECT_TRUE(report().not_checked.empty());
        (void)dampi_run({"-n", "2", "--engine", engine, "--buffering", "native", programs / "many_calls"});
        const std::vector<std::string> words = report().not_checked;
        EXPECT_EQ(std::count(words.begin(), words.end(), "loads and stores in some buffers"), 1)
            << "of what is pending";
    }
}

TEST_F(Cli, OtherTypesAreFoundInTheInterleavingThatHasThemAndBeforeItIsRun) {
    for (const std::string engine : {"distributed", "central"}) {
        const Outcome outcome =
            dampi_run({"-n", "3", "--engine", engine, "--buffering", "native", programs / "other_types"});
        EXPECT_EQ(outcome.result.status, 1) << outcome.out;
        Json found = Json::parse(content_of(work_ / "dampi-out" / "report.json"));
        ASSERT_EQ(found["violations"].size(), 2U) << outcome.out;
        for (const Json& violation : found["violations"]) {
            EXPECT_EQ(violation["kind"], "type/message");
            EXPECT_EQ(violation["count"], 1);
            EXPECT_EQ(violation["foreseen"], false);
        }
        // Whichever of the two comes first.
        const Outcome one = dampi_run({"-n", "3", "--engine", engine, "--buffering", "native", "--max-interleavings",
                                       "1", programs / "other_types"});
        EXPECT_EQ(one.result.status, 1) << one.out;
        found = Json::parse(content_of(work_ / "dampi-out" / "report.json"));
        ASSERT_FALSE(found["violations"].empty()) << one.out;
        EXPECT_EQ(found["violations"][0]["kind"], "type/message");
    }
}

// ---- buffering ----

TEST_F(Cli, AllModesOfBufferingAreExploredAndEachFindingSaysWhich) {
    const std::vector<std::pair<std::string, Json>> sizes{{"100", {"zero"}}, {"100000", {"native", "zero"}}};
    for (const auto& [size, modes] : sizes) {
        const Outcome outcome = dampi_run({"-n", "2", "--buffering", "all", head_to_head, size});
        EXPECT_EQ(outcome.result.status, 1) << outcome.out;
        const Json found = Json::parse(content_of(work_ / "dampi-out" / "report.json"));
        EXPECT_EQ(found["buffering"], "all");
        EXPECT_TRUE(found["complete"]);
        ASSERT_EQ(found["violations"].size(), 1U) << size;
        EXPECT_EQ(found["violations"][0]["kind"], "deadlock");
        EXPECT_EQ(found["violations"][0]["buffering"], modes) << size;
        EXPECT_EQ(found["violations"][0]["count"], modes.size());
        EXPECT_EQ(found["interleavings"]["explored"], 3);
        for (const auto& [mode, counts] : found["interleavings"]["by_buffering"].items()) {
            EXPECT_EQ(counts, (Json{{"explored", 1}, {"pending", 0}})) << mode;
        }
        std::vector<std::string> ran;
        for (const Json& run : found["outcomes"]) {
            ran.push_back(run["buffering"]);
            EXPECT_EQ(run["number"], ran.size());
            const bool deadlocks = std::find(modes.begin(), modes.end(), ran.back()) != modes.end();
            EXPECT_EQ(run["verdicts"], deadlocks ? Json{"deadlock"} : Json::array()) << size << ran.back();
        }
        EXPECT_EQ(ran, (std::vector<std::string>{"native", "zero", "infinite"}));
    }
    EXPECT_NE(content_of(work_ / "stdout").find("found under native and zero buffering, not under infinite buffering"),
              std::string::npos);
}

TEST_F(Cli, TheUsersThresholdForWaitingSendsIsRespected) {
    for (const auto& [size, status] : std::vector<std::pair<std::string, int>>{{"2047", 0}, {"2048", 1}}) {
        const Outcome outcome = dampi_run({"-n", "2", "--env", "UCX_RNDV_THRESH=2k", head_to_head, size});
        EXPECT_EQ(outcome.result.status, status) << outcome.out;
    }
    EXPECT_EQ(dampi_run({"-n", "2", head_to_head, "8255"}).result.status, 0);
    EXPECT_EQ(dampi_run({"-n", "2", head_to_head, "8256"}).result.status, 1);
    EXPECT_EQ(dampi_run({"-n", "2", "--env", "UCX_RNDV_THRESH=2k", "--buffering", "infinite", head_to_head, "2048"})
                  .result.status,
              0);
}

TEST_F(Cli, BoundsEndTheModesOfBufferingTogether) {
    EXPECT_EQ(dampi_run({"-n", "2", "--buffering=all", "--stop-on-first", head_to_head, "100"}).result.status, 1);
    const Json stopped = Json::parse(content_of(work_ / "dampi-out" / "report.json"));
    EXPECT_FALSE(stopped["complete"]);
    EXPECT_EQ(stopped["interleavings"]["explored"], 2);
    EXPECT_FALSE(stopped["interleavings"]["by_buffering"].contains("infinite"));
    const Outcome outcome = dampi_run({"-n", "2", "--buffering=all", "--max-interleavings", "1", head_to_head, "100"});
    EXPECT_EQ(outcome.result.status, 3);
    EXPECT_NE(outcome.out.find("nothing was run with zero buffering"), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find("nothing was run with infinite buffering"), std::string::npos) << outcome.out;
}

// ---- replay ----

class Replay : public Cli {
protected:
    void SetUp() override {
        Cli::SetUp();
        ASSERT_EQ(dampi_run({"-n", "3", "-o", "sweep", deadlocking, "x"}).result.status, 1);
        ASSERT_EQ(report("sweep").violations.size(), 1U);
        file_ = work_ / "sweep" / report("sweep").violations[0].decisions.value();
    }

    void expect_replay_refused(const std::string& content, const std::string& pattern) {
        write(work_ / "changed.json", content);
        expect_refused({"-n", "3", "--replay", "changed.json", deadlocking, "x"}, pattern);
    }

    [[nodiscard]] Json decisions() const { return Json::parse(content_of(file_)); }

    fs::path file_;
};

TEST_F(Replay, ShowsTheViolationAgain) {
    EXPECT_EQ(dampi_run({"-n", "3", "--replay", file_, "-o", "replay", deadlocking, "x"}).result.status, 1);
    EXPECT_EQ(report("replay").kinds(), report("sweep").kinds());
    EXPECT_EQ(report("replay").explored, 1U);
}

TEST_F(Replay, LeavesTheSweepAlone) {
    const std::string before = content_of(work_ / "sweep" / "report.json");
    dampi_run({"-n", "3", "--replay", file_, deadlocking, "x"});
    EXPECT_EQ(content_of(work_ / "sweep" / "report.json"), before);
}

TEST_F(Replay, TheClockIsTheFiles) {
    EXPECT_EQ(decisions()["clock"], "vector");
    expect_refused({"-n", "3", "--clock", "vector", "--replay", file_, deadlocking, "x"}, "exclude");
    ASSERT_EQ(dampi_run({"-n", "3", "--clock", "lamport", "-o", "other", deadlocking, "x"}).result.status, 1);
    const fs::path file = work_ / "other" / report("other").violations[0].decisions.value();
    EXPECT_EQ(Json::parse(content_of(file))["clock"], "lamport");
    EXPECT_EQ(dampi_run({"-n", "3", "--replay", file, "-o", "replay", deadlocking, "x"}).result.status, 1);
    EXPECT_EQ(report("replay").clock, "lamport");
}

TEST_F(Replay, TheBufferingIsTheFiles) {
    EXPECT_EQ(decisions()["buffering"], "native");
    expect_refused({"-n", "3", "--buffering", "native", "--replay", file_, deadlocking, "x"}, "exclude");
    ASSERT_EQ(dampi_run({"-n", "2", "--buffering", "all", "-o", "other", head_to_head, "100"}).result.status, 1);
    const fs::path file = work_ / "other" / report("other").violations[0].decisions.value();
    EXPECT_EQ(Json::parse(content_of(file))["buffering"], "zero");
    EXPECT_EQ(dampi_run({"-n", "2", "--replay", file, "-o", "replay", head_to_head, "100"}).result.status, 1);
    const Json replayed = Json::parse(content_of(work_ / "replay" / "report.json"));
    EXPECT_EQ(replayed["buffering"], "zero");
    EXPECT_EQ(replayed["violations"][0]["buffering"], Json{"zero"});
}

TEST_F(Replay, AFileOfAnEarlierVersionIsRefused) {
    for (const char* version : {"dampi-decisions/1", "dampi-decisions/2"}) {
        Json old = decisions();
        old["format"] = version;
        expect_replay_refused(old.dump(), "an earlier version of dampi-run wrote it.*run the sweep again");
    }
}

TEST_F(Replay, AnotherProcessCountIsRefused) {
    expect_refused({"-n", "4", "--replay", file_, deadlocking, "x"}, "process");
}

TEST_F(Replay, AnotherProgramIsRefused) {
    expect_refused({"-n", "3", "--replay", file_, deadlocking + "_rebuilt", "x"}, "program");
}

TEST_F(Replay, OtherArgumentsAreRefused) {
    expect_refused({"-n", "3", "--replay", file_, deadlocking, "y"}, "argument");
}

TEST_F(Replay, MissingFileIsRefused) {
    expect_refused({"-n", "3", "--replay", "nowhere.json", deadlocking, "x"}, "nowhere.json");
}

TEST_F(Replay, FolderIsRefused) { expect_refused({"-n", "3", "--replay", "/tmp", deadlocking, "x"}, "/tmp"); }
TEST_F(Replay, EmptyFileIsRefused) { expect_replay_refused("", "changed.json"); }
TEST_F(Replay, TextThatIsNoJsonIsRefused) { expect_replay_refused("decisions, please", "JSON"); }
TEST_F(Replay, OtherJsonIsRefused) { expect_replay_refused("[1, 2, 3]", "changed.json"); }

TEST_F(Replay, CutOffFileIsRefused) {
    const std::string whole = content_of(file_);
    expect_replay_refused(whole.substr(0, whole.size() / 2), "JSON");
}

TEST_F(Replay, AnotherFormatVersionIsRefused) {
    std::string content = content_of(file_);
    const auto at = content.find("dampi-decisions/3");
    ASSERT_NE(at, std::string::npos);
    expect_replay_refused(content.replace(at, 17, "dampi-decisions/9"), "version|dampi-decisions/9");
}

TEST_F(Replay, EveryMissingFieldIsRefused) {
    // The first may be empty, the others are not in older files.
    const std::set<std::string> may_be_missing{"finding",   "engine",         "patched_mpi",
                                               "piggyback", "checks_buffers", "portability"};
    const Json whole = decisions();
    ASSERT_TRUE(whole.is_object());
    for (const auto& [key, value] : whole.items()) {
        if (may_be_missing.contains(key)) {
            continue;
        }
        Json changed = whole;
        changed.erase(key);
        expect_replay_refused(changed.dump(), key);
    }
}

TEST_F(Replay, EveryFieldOfAnotherTypeIsRefused) {
    const Json whole = decisions();
    for (const auto& [key, value] : whole.items()) {
        Json changed = whole;
        changed[key] = value.is_object() ? Json("text") : Json::object();
        expect_replay_refused(changed.dump(), key);
    }
}

}  // namespace
}  // namespace dampi::harness
