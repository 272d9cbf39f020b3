// What makes two sweeps the same, what differs, and that a sweep's options come back from its journal.
#include "scheduler/cli/sweep_identity.hpp"

#include "scheduler/cli/parse_options.hpp"

#include "base/check.hpp"

#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace dampi::scheduler {
namespace {

namespace fs = std::filesystem;

SweepIdentity an_identity() {
    return {.build = {.version = "1.2.3", .dampi_run = "aa", .layer = "bb"},
            .name = "./app",
            .program = "/work/app",
            .program_fingerprint = "11",
            .mpi = "auto",
            .mpi_library = "/lib/libmpich.so.12",
            .mpi_library_fingerprint = "22",
            .arguments = {"a", "b c"},
            .processes = 4,
            .working_directory = "/work",
            .clock = clocks::Protocol::vector,
            .buffering = {replay::Buffering::native},
            .piggyback = replay::Piggyback::shared,
            .explore_polls = 2,
            .virtual_time = false,
            .fresh_directory = false,
            .hang_limit = {},
            .livelock_limit = std::chrono::milliseconds(3000),
            .message_leaks = false,
            .launcher = {},
            .settings = {{"A", "1"}, {"B", "2"}},
            .environment = {{"UCX_TLS", "posix"}}};
}

FreeOptions some_options() {
    return {.jobs = 3,
            .max_interleavings = 100,
            .time_limit = std::chrono::milliseconds(2500),
            .stop_on_first = true,
            .show_output = false,
            .verbosity = 1,
            .progress = ProgressKind::json,
            .keep_output = KeptOutput::all};
}

std::string error_of(const std::function<void()>& action) {
    try {
        action();
    } catch (const Error& error) {
        return error.what();
    }
    ADD_FAILURE() << "no error";
    return {};
}

TEST(SweepIdentity, TheSameSweepDoesNotDiffer) {
    EXPECT_TRUE(differences(an_identity(), an_identity()).empty());
    EXPECT_NO_THROW(require_same_sweep("dir", an_identity(), an_identity()));
}

TEST(SweepIdentity, OfAnotherMachineNothingIsSaidOfTime) {
    SweepIdentity there = an_identity();
    there.program_fingerprint = "x";
    there.mpi_library_fingerprint = "y";
    there.processes = 3;
    there.fresh_directory = true;
    EXPECT_EQ(differences(an_identity(), there, Compared::elsewhere),
              (std::vector<std::string>{
                  "/work/app is another one there (fingerprint x, of the sweep 11)",
                  "the program's MPI library is another one there (fingerprint y, of the sweep 22)",
                  "-n is 4 in the sweep, and 3 there", "--fresh-dir in the sweep is not given and is"}));
}

TEST(SweepIdentity, EachDifferenceIsASentence) {
    using Change = std::pair<std::function<void(SweepIdentity&)>, std::string>;
    const std::vector<Change> changes{
        {[](auto& now) { now.build.version = "1.2.4"; }, "dampi was version 1.2.3 and is version 1.2.4"},
        {[](auto& now) { now.build.dampi_run = "x"; }, "dampi-run was built anew since (fingerprint aa, now x)"},
        {[](auto& now) { now.build.layer = "x"; }, "libdampi.so was built anew since (fingerprint bb, now x)"},
        {[](auto& now) { now.program = "/other"; }, "the program was '/work/app' and is '/other'"},
        {[](auto& now) { now.program_fingerprint = "x"; }, "the program was built anew since (fingerprint 11, now x)"},
        {[](auto& now) { now.mpi = "native"; }, "--mpi was 'auto' and is 'native'"},
        {[](auto& now) { now.mpi_library = "/x"; }, "the program's MPI library was '/lib/libmpich.so.12' and is '/x'"},
        {[](auto& now) { now.mpi_library_fingerprint = "x"; },
         "the program's MPI library was built anew since (fingerprint 22, now x)"},
        {[](auto& now) { now.arguments = {}; }, "the list of the program's arguments was 'a' 'b c' and is none"},
        {[](auto& now) { now.processes = 3; }, "-n was 4 and is 3"},
        {[](auto& now) {
             now.hosts = {{"a", 2}, {"b", 0}};
         },
         "the list of --hosts was none and is 'a:2' 'b'"},
        {[](auto& now) {
             now.hosts = {{"", 2}};
         },
         "the list of --hosts was none and is 'a node of Slurm's:2'"},
        {[](auto& now) { now.working_directory = "/"; }, "the working directory was '/work' and is '/'"},
        {[](auto& now) { now.clock = clocks::Protocol::lamport; }, "--clock was vector and is lamport"},
        {[](auto& now) { now.engine = replay::EngineKind::central; }, "--engine was distributed and is central"},
        {[](auto& now) { now.buffering.push_back(replay::Buffering::zero); }, "--buffering was native and is both"},
        {[](auto& now) { now.piggyback = replay::Piggyback::native; }, "--piggyback was shared and is native"},
        {[](auto& now) { now.explore_polls = 0; }, "--explore-polls was 2 and is 0"},
        {[](auto& now) { now.virtual_time = true; }, "the time was real (--real-time) and is virtual (--virtual-time)"},
        {[](auto& now) { now.fresh_directory = true; }, "--fresh-dir was not given and is"},
        {[](auto& now) { now.hang_limit = std::chrono::milliseconds(1500); }, "--hang-limit was not given and is 1.5"},
        {[](auto& now) { now.livelock_limit = std::chrono::milliseconds(500); }, "--livelock-limit was 3 and is 0.5"},
        {[](auto& now) { now.message_leaks = true; }, "--no-message-leaks was given and is not"},
        {[](auto& now) { now.warns_unusual = true; }, "--warn unusual was not given and is"},
        {[](auto& now) { now.checks_buffers = true; }, "--check-buffers was not given and is"},
        {[](auto& now) {
             now.good_exits = {1, 2};
         },
         "--exit-ok was not given and is 1,2"},
        {[](auto& now) { now.wrappers = {"f"}; }, "--wrapper was none and is 'f'"},
        {[](auto& now) { now.launcher = "mpiexec"; }, "--launcher was not given and is 'mpiexec'"},
        {[](auto& now) {
             now.settings = {{"A", "1"}, {"B", "3"}};
         },
         "--env B was '2' and is '3'"},
        {[](auto& now) {
             now.settings = {{"A", "1"}};
         },
         "--env B was '2' and is not set"},
        {[](auto& now) { now.environment = {}; }, "the environment variable UCX_TLS was 'posix' and is not set"},
        {[](auto& now) { now.environment["FI_X"] = ""; }, "the environment variable FI_X was not set and is ''"},
    };
    for (const auto& [change, sentence] : changes) {
        SweepIdentity now = an_identity();
        change(now);
        EXPECT_EQ(differences(an_identity(), now), std::vector{sentence});
    }
}

TEST(SweepIdentity, AllDifferencesAreNamed) {
    SweepIdentity now = an_identity();
    now.processes = 3;
    now.program_fingerprint = "x";
    EXPECT_EQ(error_of([&] { require_same_sweep("some/dir", an_identity(), now); }),
              "the sweep in 'some/dir' cannot go on, for it would not be the same: "
              "the program was built anew since (fingerprint 11, now x); -n was 4 and is 3");
}

TEST(SweepIdentity, WhatChangesNothingIsNoDifference) {
    SweepIdentity now = an_identity();
    now.name = "/work/app";                               // as it was given: the same file
    now.settings = {{"B", "1"}, {"B", "2"}, {"A", "1"}};  // the last one counts
    EXPECT_TRUE(differences(an_identity(), now).empty());
}

TEST(SweepIdentity, VariablesThatMatter) {
    const char* const variables[] = {
        "MPIR_CVAR_X=1", "UCX_TLS=a=b",       "HWLOC_XMLFILE=", "FI_PROVIDER=tcp", "PATH=/bin",  "OMP_NUM_THREADS=2",
        "LD_PRELOAD=x",  "LD_LIBRARY_PATH=y", "LD_DEBUG=all",   "HOME=/",          "UCX_BROKEN", nullptr};
    const std::map<std::string, std::string> expected{
        {"MPIR_CVAR_X", "1"},     {"UCX_TLS", "a=b"},  {"HWLOC_XMLFILE", ""},   {"FI_PROVIDER", "tcp"},
        {"OMP_NUM_THREADS", "2"}, {"LD_PRELOAD", "x"}, {"LD_LIBRARY_PATH", "y"}};
    EXPECT_EQ(variables_that_matter(variables), expected);
    EXPECT_TRUE(variables_that_matter(nullptr).empty());
}

TEST(SweepIdentity, IsMadeOfTheOptions) {
    Options options;
    options.program = "./app";
    options.arguments = {"x"};
    options.processes = 2000;
    options.buffering = {replay::Buffering::zero};
    options.explore_polls = 7;
    options.virtual_time = true;
    options.fresh_directory = true;
    options.hang_limit = std::chrono::milliseconds(5);
    options.message_leaks = false;
    options.environment = {{"A", "1"}};
    ::setenv("UCX_DAMPI_TEST", "here", 1);
    const launch::Program program{.path = "/work/app", .mpi_library = "/proc/self/exe", .fingerprint = "f"};
    const SweepIdentity identity = identity_of(options, program, {.version = "v", .dampi_run = "r", .layer = "l"});
    ::unsetenv("UCX_DAMPI_TEST");
    EXPECT_EQ(identity.build, (Build{.version = "v", .dampi_run = "r", .layer = "l"}));
    EXPECT_EQ(identity.name, "./app");
    EXPECT_EQ(identity.program, "/work/app");
    EXPECT_EQ(identity.program_fingerprint, "f");
    EXPECT_EQ(identity.mpi_library, "/proc/self/exe");
    EXPECT_FALSE(identity.mpi_library_fingerprint.empty());
    EXPECT_EQ(identity.arguments, std::vector<std::string>{"x"});
    EXPECT_EQ(identity.processes, 2000);
    EXPECT_EQ(identity.working_directory, fs::current_path());
    EXPECT_EQ(identity.clock, clocks::Protocol::lamport);
    EXPECT_EQ(identity.buffering, options.buffering);
    EXPECT_EQ(identity.piggyback, replay::Piggyback::shared);
    EXPECT_EQ(identity.explore_polls, 7U);
    EXPECT_TRUE(identity.virtual_time);
    EXPECT_TRUE(identity.fresh_directory);
    EXPECT_EQ(identity.hang_limit, options.hang_limit);
    EXPECT_EQ(identity.livelock_limit, std::chrono::milliseconds(3000));
    EXPECT_FALSE(identity.message_leaks);
    EXPECT_EQ(identity.settings, options.environment);
    EXPECT_EQ(identity.environment.at("UCX_DAMPI_TEST"), "here");
}

TEST(SweepIdentity, TheNativePiggybackNeedsALibraryThatOffersIt) {
    Options options;
    options.piggyback = replay::Piggyback::native;
    const auto refusal = [&](const char* library) {
        const launch::Program program{.path = "/work/app", .mpi_library = library, .fingerprint = "f"};
        return error_of([&] { (void)piggyback_of(options, program); });
    };
    EXPECT_EQ(
        refusal("/proc/self/exe"),
        "the native piggyback needs a patched MPI library, which /proc/self/exe is not: build one with build-mpich, "
        "or run the program with --piggyback shared");
    EXPECT_NE(refusal("").find("shows only when it runs"), std::string::npos);
    EXPECT_NE(refusal("/there/is/none").find("/there/is/none is not"), std::string::npos);
}

TEST(SweepIdentity, HeadersComeBack) {
    const StoredSweep sweep{.identity = an_identity(), .options = some_options()};
    EXPECT_EQ(read_header("dir", header_bytes(sweep), sweep.identity.build), sweep);
    const StoredSweep bare{};
    EXPECT_EQ(read_header("dir", header_bytes(bare), bare.identity.build), bare);
}

TEST(SweepIdentity, AHeaderOfAnotherBuildIsRefusedWithoutUnderstandingIt) {
    const StoredSweep sweep{.identity = an_identity(), .options = some_options()};
    Build other = sweep.identity.build;
    other.version = "2.0";
    other.layer = "cc";
    EXPECT_EQ(error_of([&] { (void)read_header("dir", header_bytes(sweep), other); }),
              "the sweep in 'dir' cannot go on, for it would not be the same: dampi was version 1.2.3 and is version "
              "2.0; libdampi.so was built anew since (fingerprint bb, now cc)");
    std::string bytes = header_bytes(sweep);
    bytes.pop_back();
    EXPECT_THROW((void)read_header("dir", bytes, sweep.identity.build), Error);
}

TEST(SweepIdentity, OwnBuild) {
    const Build build = own_build("/proc/self/exe");
    EXPECT_EQ(build.version, DAMPI_VERSION);
    EXPECT_FALSE(build.layer.empty());
    EXPECT_EQ(build.layer, build.dampi_run);
    EXPECT_THROW((void)own_build("/there/is/none"), Error);
}

Options parse(std::vector<std::string> words) {
    words.insert(words.begin(), "dampi-run");
    std::vector<char*> argv;
    for (auto& word : words) {
        argv.push_back(word.data());
    }
    const ParsedOptions parsed = parse_options(static_cast<int>(words.size()), argv.data());
    EXPECT_FALSE(parsed.exit_status);
    return parsed.options;
}

/// Through the journal's header and back, as a sweep goes on that is told `words`.
Options resumed(const Options& begun, std::vector<std::string> words) {
    const launch::Program program{.path = "/work/app", .mpi_library = "/proc/self/exe", .fingerprint = "f"};
    const StoredSweep sweep{.identity = identity_of(begun, program, {}), .options = free_options_of(begun)};
    words.insert(words.begin(), {"--resume", "dir"});
    return restore(read_header("dir", header_bytes(sweep), {}), parse(words));
}

void expect_same_but_free(const Options& then, const Options& now) {
    EXPECT_EQ(now.processes, then.processes);
    EXPECT_EQ(now.output, "dir");
    EXPECT_EQ(now.resume, "dir");
    EXPECT_FALSE(now.replay);
    EXPECT_EQ(now.hang_limit, then.hang_limit);
    EXPECT_EQ(now.livelock_limit, then.livelock_limit.value_or(std::chrono::milliseconds(3000)));
    EXPECT_EQ(now.protocol(), then.protocol());
    EXPECT_EQ(now.explore_polls, then.explore_polls);
    EXPECT_EQ(now.buffering, then.buffering);
    EXPECT_EQ(now.piggyback, then.piggyback.value_or(replay::Piggyback::shared));
    EXPECT_EQ(now.virtual_time, then.virtual_time.value_or(false));
    EXPECT_EQ(now.fresh_directory, then.fresh_directory);
    EXPECT_EQ(now.environment, then.environment);
    EXPECT_EQ(now.message_leaks, then.message_leaks);
    EXPECT_EQ(now.warns_unusual, then.warns_unusual);
    EXPECT_EQ(now.checks_buffers, then.checks_buffers);
    EXPECT_EQ(now.good_exits, then.good_exits);
    EXPECT_EQ(now.wrappers, then.wrappers);
    EXPECT_EQ(now.program, then.program);
    EXPECT_EQ(now.arguments, then.arguments);
}

TEST(Restore, TheWholeCommandLineComesBack) {
    for (const std::vector<std::string>& words :
         std::vector<std::vector<std::string>>{{"-n", "3", "./app"},
                                               {"-n", "2000", "./app", "-n", "x", ""},
                                               {"-n",
                                                "4",
                                                "-o",
                                                "elsewhere",
                                                "--env",
                                                "A=1",
                                                "--env",
                                                "B=x=y",
                                                "--max-interleavings",
                                                "9",
                                                "--time-limit",
                                                "1.5",
                                                "--hang-limit",
                                                "7",
                                                "--livelock-limit",
                                                "0.5",
                                                "--stop-on-first",
                                                "--clock",
                                                "lamport",
                                                "--engine",
                                                "central",
                                                "--explore-polls",
                                                "3",
                                                "--buffering",
                                                "all",
                                                "--piggyback",
                                                "shared",
                                                "--virtual-time",
                                                "--fresh-dir",
                                                "--no-message-leaks",
                                                "--warn",
                                                "unusual",
                                                "--exit-ok",
                                                "1,2",
                                                "--wrapper",
                                                "my_*",
                                                "-v",
                                                "-j",
                                                "5",
                                                "--progress",
                                                "json",
                                                "--keep-output",
                                                "all",
                                                "--show-output",
                                                "app",
                                                "arg"}}) {
        const Options then = parse(words);
        const Options now = resumed(then, {});
        expect_same_but_free(then, now);
        EXPECT_EQ(free_options_of(now), free_options_of(then));
    }
}

TEST(Restore, WhatIsFreeMayBeGivenAnew) {
    const Options then = parse({"-n", "3", "-j", "2", "--max-interleavings", "9", "--time-limit", "3", "-v",
                                "--progress", "json", "--keep-output", "all", "app"});
    const Options now = resumed(then, {"-j", "auto", "--max-interleavings", "none", "--time-limit", "4", "-q",
                                       "--progress", "auto", "--keep-output=findings", "--stop-on-first"});
    expect_same_but_free(then, now);
    EXPECT_EQ(free_options_of(now),
              (FreeOptions{.time_limit = std::chrono::milliseconds(4000), .stop_on_first = true, .verbosity = -1}));
}

TEST(Restore, TheWholeCommandMayBeGivenAnew) {
    const Options then = parse({"-n", "3", "--max-interleavings", "9", "./app", "x"});
    const Options now = resumed(then, {"-n", "3", "-j", "7", "/work/app", "x"});
    expect_same_but_free(then, now);
    EXPECT_EQ(now.jobs, 7);
    EXPECT_EQ(now.max_interleavings, 9U);
}

}  // namespace
}  // namespace dampi::scheduler
