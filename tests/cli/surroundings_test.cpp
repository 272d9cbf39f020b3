// What dampi-run finds around itself and must not stumble over: what others have laid into its directory, a full disk,
// a system without /proc, and whatever its standard input is. What only root can prepare is skipped, with the reason.
#include "tests/cli/content_of.hpp"
#include "tests/cli/own_folder.hpp"
#include "tests/harness/report.hpp"
#include "tests/harness/supervised_run.hpp"

#include <algorithm>
#include <fstream>

#include <gtest/gtest.h>
#include <sys/mount.h>
#include <unistd.h>

namespace dampi::harness {
namespace {

namespace fs = std::filesystem;

const fs::path programs = DAMPI_CLI_PROGRAMS;
const std::string any_order = programs / "any_order";

class Surroundings : public InOwnFolder {
protected:
    [[nodiscard]] CommandResult run(std::vector<std::string> words) {
        const Command command{.words = std::move(words),
                              .stdout_file = work_ / "stdout",
                              .stderr_file = work_ / "stderr",
                              .working_directory = work_};
        CommandResult result = run_supervised(command);
        out_ = content_of(command.stdout_file);
        err_ = content_of(command.stderr_file);
        EXPECT_TRUE(result.left_behind.empty()) << result.left_behind.front();
        return result;
    }

    /// A sweep is refused with one sentence that says this.
    void expect_refused(std::vector<std::string> words, const std::string& saying) {
        const CommandResult result = run(std::move(words));
        EXPECT_EQ(result.status, 2) << describe(result);
        EXPECT_TRUE(err_.starts_with("dampi-run: ")) << err_;
        EXPECT_EQ(std::count(err_.begin(), err_.end(), '\n'), 1) << err_;
        EXPECT_NE(err_.find(saying), std::string::npos) << err_;
    }

    const std::vector<std::string> sweep_{DAMPI_RUN, "-n", "3", any_order};
    std::string out_;
    std::string err_;
};

// ---- what it may use ----

TEST_F(Surroundings, TooLowLimitsAreRefusedAtOnce) {
    const auto limited = [](const std::string& limit, const std::string& more) {
        return std::vector<std::string>{"sh", "-c",
                                        "ulimit " + limit + "; exec " + DAMPI_RUN + " " + more + " " + any_order};
    };
    expect_refused(limited("-n 30", "-n 3"), "raise the limit (ulimit -n 52)");
    expect_refused(limited("-n 60", "-n 3 -j 8"), "or let fewer runs go on side by side (-j)");
    EXPECT_EQ(run(limited("-n 52", "-n 3")).status, 0) << err_;
    EXPECT_EQ(run(limited("-n 52", "-n 3 --engine distributed")).status, 0) << err_;
    expect_refused(limited("-v 70000", "-n 3"), "take it away (ulimit -v unlimited)");
}

// ---- what others have prepared ----

TEST_F(Surroundings, ALinkInThePlaceOfTheMarkIsNotWrittenThrough) {
    std::ofstream(work_ / "precious") << "precious";
    fs::create_directory(work_ / "dampi-out");
    fs::create_symlink(work_ / "precious", work_ / "dampi-out" / ".dampi-sweep");
    expect_refused(sweep_, "dampi-out/.dampi-sweep is a symbolic link");
    EXPECT_EQ(content_of(work_ / "precious"), "precious");
    fs::remove(work_ / "dampi-out" / ".dampi-sweep");
    EXPECT_EQ(run(sweep_).status, 0) << err_;
}

TEST_F(Surroundings, NoLinkInTheDirectoryIsFollowed) {
    for (const char* part :
         {"journal", "journal.lock", "journal.new", "output", "decisions", "graphs", "report.json", "report.html"}) {
        fs::remove_all(work_ / "dampi-out");
        ASSERT_EQ(run(sweep_).status, 0) << err_;
        fs::remove_all(work_ / "dampi-out" / part);
        fs::create_symlink(work_ / "elsewhere", work_ / "dampi-out" / part);
        expect_refused(sweep_, std::string(part) + " is a symbolic link");
        EXPECT_FALSE(fs::exists(work_ / "elsewhere"));
    }
}

TEST_F(Surroundings, ADirectoryThatIsALinkIsNotUsed) {
    fs::create_directory(work_ / "elsewhere");
    fs::create_directory_symlink(work_ / "elsewhere", work_ / "link");
    fs::create_directory_symlink(work_ / "nowhere", work_ / "dangling");
    for (const char* name : {"link", "link/", "dangling"}) {
        expect_refused({DAMPI_RUN, "-n", "3", "-o", name, any_order}, "is a symbolic link");
    }
    EXPECT_TRUE(fs::is_empty(work_ / "elsewhere"));
    EXPECT_FALSE(fs::exists(work_ / "nowhere"));
    // What lies below a link is named by who names the link.
    EXPECT_EQ(run({DAMPI_RUN, "-n", "3", "-o", "link/own", any_order}).status, 0) << err_;
}

TEST_F(Surroundings, WhatBelongsToAnotherUserIsNotUsed) {
    if (geteuid() != 0) {
        GTEST_SKIP() << "only root can make a directory of another user's";
    }
    constexpr uid_t another = 65534;
    fs::create_directory(work_ / "dampi-out");
    ASSERT_EQ(chown((work_ / "dampi-out").c_str(), another, another), 0);
    expect_refused(sweep_, "dampi-out belongs to another user (number 65534)");
    EXPECT_TRUE(fs::is_empty(work_ / "dampi-out"));

    ASSERT_EQ(chown((work_ / "dampi-out").c_str(), geteuid(), getegid()), 0);
    ASSERT_EQ(run(sweep_).status, 0) << err_;
    ASSERT_EQ(chown((work_ / "dampi-out" / "journal").c_str(), another, another), 0);
    expect_refused(sweep_, "dampi-out/journal belongs to another user");
    expect_refused({DAMPI_RUN, "--resume", "dampi-out"}, "dampi-out/journal belongs to another user");
}

// ---- a full disk ----

/// A small file system in the place of a folder, as long as it lives.
class SmallDisk {
public:
    explicit SmallDisk(fs::path place) : place_(std::move(place)) {
        fs::create_directory(place_);
        mounted_ = mount("none", place_.c_str(), "tmpfs", 0, "size=64k") == 0;
    }
    ~SmallDisk() {
        if (mounted_) {
            umount(place_.c_str());
        }
    }
    SmallDisk(const SmallDisk&) = delete;
    SmallDisk& operator=(const SmallDisk&) = delete;

    [[nodiscard]] bool mounted() const { return mounted_; }
    void enlarge() const { ASSERT_EQ(mount("none", place_.c_str(), "tmpfs", MS_REMOUNT, "size=16m"), 0); }

private:
    fs::path place_;
    bool mounted_ = false;
};

class FullDisk : public Surroundings, public testing::WithParamInterface<const char*> {};

TEST_P(FullDisk, MakesNoFindingAndTheSweepGoesOn) {
    const SmallDisk disk(work_ / "disk");
    if (!disk.mounted()) {
        GTEST_SKIP() << "a small file system can only be made by root";
    }
    const std::string program = programs / "writes_order";
    const auto sweep = [&](const char* folder) {
        return std::vector<std::string>{DAMPI_RUN,       "-n",  "5",  "--engine", GetParam(), "--buffering", "native",
                                        "--keep-output", "all", "-o", folder,     program};
    };
    ASSERT_EQ(run(sweep("undisturbed")).status, 1) << err_;
    const Report expected = read_report(work_ / "undisturbed" / "report.json");
    ASSERT_EQ(expected.explored, 24U);
    ASSERT_EQ(expected.kinds(), std::set<std::string>{"crash"});

    EXPECT_EQ(run(sweep("disk/out")).status, 2) << out_;
    EXPECT_NE(err_.find("free some space and"), std::string::npos) << err_;
    EXPECT_EQ(out_.find("abort in rank"), std::string::npos) << out_;

    disk.enlarge();
    EXPECT_EQ(run({DAMPI_RUN, "--resume", "disk/out"}).status, 1) << err_;
    const Report resumed = read_report(work_ / "disk" / "out" / "report.json");
    EXPECT_TRUE(resumed.complete);
    EXPECT_EQ(resumed.explored, expected.explored);
    EXPECT_EQ(resumed.kinds(), expected.kinds());
    ASSERT_EQ(resumed.violations.size(), expected.violations.size());
    EXPECT_EQ(resumed.violations.front().count, expected.violations.front().count);
}

INSTANTIATE_TEST_SUITE_P(Engines, FullDisk, testing::Values("distributed", "central"));

// ---- a system without /proc ----

// ---- the standard input ----

class PipedInput : public Surroundings {
protected:
    /// `script` for the shell, in which $RUN is a sweep of reads_input.
    void run_script(const std::string& script) {
        const CommandResult result =
            run({"sh", "-c", "RUN='" DAMPI_RUN " -n 3 " + (programs / "reads_input").string() + "'; " + script});
        status_ = result.status;
    }
    [[nodiscard]] bool says(const std::string& what) const { return (out_ + err_).find(what) != std::string::npos; }

    int status_ = -1;
};

TEST_F(PipedInput, IsReadByEachInterleaving) {
    run_script("echo 2 | $RUN");
    EXPECT_EQ(status_, 1) << out_ << err_;  // the rank whose message is the first one only in an alternative
    EXPECT_TRUE(says("violation 1: abort")) << out_;
    EXPECT_TRUE(says(" < dampi-out/input\n")) << out_;
    const std::string replay = "  replay: dampi-run";
    const std::size_t at = out_.find(replay);
    ASSERT_NE(at, std::string::npos) << out_;
    const std::size_t arguments = at + replay.size();
    run_script(DAMPI_RUN + out_.substr(arguments, out_.find('\n', arguments) - arguments));
    EXPECT_TRUE(says("violation 1: abort")) << out_ << err_;
}

TEST_F(PipedInput, MayBeThatOfTheSweepBefore) {
    run_script("echo 2 | $RUN; $RUN < dampi-out/input");
    EXPECT_TRUE(says("violation 1: abort")) << out_ << err_;
    EXPECT_EQ(content_of(work_ / "dampi-out" / "input"), "2\n");
}

TEST_F(PipedInput, IsThatOfSeveralSweeps) {
    run_script("echo 2 | " DAMPI_RUN " -n 3,4 " + (programs / "reads_input").string());
    EXPECT_EQ(status_, 1) << out_ << err_;
    for (const std::string sweep : {"reads_input-n3", "reads_input-n4"}) {
        EXPECT_EQ(content_of(work_ / "dampi-suite" / sweep / "input"), "2\n") << sweep;
    }
}

TEST_F(PipedInput, ThroughAProgramThatOnlyStartsOthers) {
    run_script("echo 2 | timeout 60 $RUN");
    EXPECT_TRUE(says("violation 1: abort")) << out_ << err_;
}

TEST_F(PipedInput, IsLeftToTheShellThatReadsItAsWell) {
    run_script("printf '2\\n2\\n2\\n' | while read number; do $RUN -q; done");
    EXPECT_EQ(status_, 0) << out_ << err_;
    std::size_t sweeps = 0;
    for (std::size_t at = out_.find("verdict: clean"); at != std::string::npos;
         at = out_.find("verdict: clean", at + 1)) {
        ++sweeps;
    }
    EXPECT_EQ(sweeps, 3U) << out_;
    EXPECT_TRUE(says("it is left alone")) << err_;
}

TEST_F(PipedInput, InWhichNothingComesIsEmpty) {
    run_script("sleep 4 | $RUN");
    EXPECT_TRUE(says("nothing came for 2 s")) << err_;
    EXPECT_TRUE(says("verdict: clean")) << out_;
}

TEST_F(Surroundings, WithoutProcThereIsASentence) {
    const auto without_proc = [](std::vector<std::string> words) {
        words.insert(words.begin(), {"unshare", "-m", "sh", "-c", "mount -t tmpfs none /proc && exec \"$0\" \"$@\""});
        return words;
    };
    if (run(without_proc({"true"})).status != 0) {
        GTEST_SKIP() << "/proc can only be hidden by root: " << err_;
    }
    expect_refused(without_proc(sweep_), "/proc, which dampi-run and the ranks need, cannot be read");
    EXPECT_FALSE(fs::exists(work_ / "dampi-out"));
}

}  // namespace
}  // namespace dampi::harness
