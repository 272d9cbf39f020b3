// dampi-isp as scripts and GEM meet it: exit status and phrases for each kind of error, and the log.
#include "tests/cli/content_of.hpp"
#include "tests/cli/own_folder.hpp"
#include "tests/harness/isp_log.hpp"
#include "tests/harness/supervised_run.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace dampi::harness {
namespace {

namespace fs = std::filesystem;

const fs::path programs = DAMPI_CLI_PROGRAMS;

std::string program(const char* name) { return programs / name; }

bool says(const std::string& text, const std::string& what) { return text.find(what) != std::string::npos; }

class Isp : public InOwnFolder {
protected:
    void SetUp() override {
        InOwnFolder::SetUp();
        fs::create_directories(work_ / "tmp");
    }

    /// Runs dampi-isp with these words in the test's folder and sees that it leaves nothing but what was asked for.
    void run(const std::vector<std::string>& words) {
        Command command{.words = {DAMPI_ISP},
                        .stdout_file = work_ / "stdout",
                        .stderr_file = work_ / "stderr",
                        .environment = {{"TMPDIR", work_ / "tmp"}},
                        .working_directory = work_};
        command.words.insert(command.words.end(), words.begin(), words.end());
        result_ = run_supervised(command);
        out_ = content_of(command.stdout_file);
        err_ = content_of(command.stderr_file);
        EXPECT_FALSE(result_.timed_out);
        EXPECT_TRUE(result_.left_behind.empty()) << result_.left_behind.front();
        EXPECT_TRUE(fs::is_empty(work_ / "tmp"));
        EXPECT_FALSE(fs::exists(work_ / "dampi-out"));
    }

    void expect(int status, const std::vector<std::string>& phrases) {
        EXPECT_EQ(result_.status, status) << describe(result_) << '\n' << out_ << err_;
        for (const std::string& phrase : phrases) {
            EXPECT_TRUE(says(out_, phrase)) << "expected '" << phrase << "' in: " << out_;
        }
    }

    IspLog log() {
        IspLog read = read_isp_log(work_ / "log");
        const std::vector<std::string> wrong = contradictions(read);
        EXPECT_TRUE(wrong.empty()) << wrong.front();
        return read;
    }

    CommandResult result_;
    std::string out_;
    std::string err_;
};

// ---- exit status and phrases ----

TEST_F(Isp, ACorrectProgramIsVerified) {
    run({"-n", "4", program("any_order")});
    expect(0, {"ISP detected no deadlocks!", "Total Explored Interleavings: 6",
               "Interleaving Exploration Mode: All Relevant Interleavings"});
    EXPECT_EQ(err_, "");
    EXPECT_FALSE(says(out_, "resource leaks detected"));
}

TEST_F(Isp, ADeadlockEndsWith1) {
    run({"-n", "3", program("one_order_deadlocks")});
    expect(1, {"ISP detected deadlock!!!", "Detected a DEADLOCK in interleaving 2", "Total Explored Interleavings: 2",
               "out of rank 0"});
}

TEST_F(Isp, BlockingSendsDeadlockHeadToHead) {
    run({"-n", "2", "-b", program("head_to_head"), "1"});
    expect(1, {"ISP detected deadlock!!!", "Blocking Sends: Enabled"});
    run({"-n", "2", "-g", program("head_to_head"), "100000"});
    expect(0, {"ISP detected no deadlocks!", "Blocking Sends: Disabled"});
}

TEST_F(Isp, CollectivesThatDoNotFitAreADeadlock) {
    run({"-n", "4", program("mismatch_operation")});
    expect(1, {"No matching MPI call found!", "ISP detected deadlock!!!"});
}

TEST_F(Isp, AFailedAssertionEndsWith3) {
    run({"-n", "3", program("assert_one_order")});
    expect(3, {"Program assertion failed!", "assert_one_order.c:22", "ISP detected no deadlocks!",
               "Total Explored Interleavings: 2"});
}

TEST_F(Isp, AnAssertionThatFailsInATrialOfAPollingCallIsTold) {
    run({"-n", "3", "-l", "log", program("assert_in_trial")});
    expect(3, {"Program assertion failed!", "assert_in_trial.c:"});
    EXPECT_EQ(log().assertions.size(), 1U);
}

TEST_F(Isp, AnErrorThatIspDoesNotKnowEndsWith22) {
    run({"-n", "3", program("other_types")});
    expect(22, {"a message", "ISP detected no deadlocks!"});
}

TEST_F(Isp, AnAbortEndsWith4) {
    run({"-n", "3", program("abort_one_order")});
    expect(4, {"MPI_Abort on rank 0 caused abort on all ranks."});
}

TEST_F(Isp, AnInvalidRankEndsWith5) {
    run({"-n", "2", program("invalid_rank")});
    expect(5, {"Invalid rank in MPI_Send at ", "invalid_rank.c:15"});
}

TEST_F(Isp, ACrashEndsWith22) {
    run({"-n", "3", program("segv_one_order")});
    expect(22, {"Receiving empty buffer - Terminating ..."});
}

TEST_F(Isp, LeaksAreToldAndNoError) {
    run({"-n", "2", program("leak_communicator")});
    expect(0, {"resource leaks detected.", "Communicator: ", "leak_communicator.c:"});
}

TEST_F(Isp, WhatCannotStartEndsWith11) {
    run({"-n", "2", work_ / "not_there"});
    expect(11, {});
    EXPECT_TRUE(err_.starts_with("dampi-isp: ")) << err_;
    run({"-n", "2", program("cli_no_mpi")});
    expect(11, {});
    run({"-n", "0", program("any_order")});
    expect(11, {});
}

TEST_F(Isp, ALogThatCannotBeWrittenEndsWith20) {
    run({"-n", "2", "-l", work_ / "no folder" / "log", program("any_order")});
    expect(20, {});
    EXPECT_TRUE(says(err_, "cannot be written")) << err_;
    if (fs::exists("/dev/full")) {
        run({"-n", "2", "-l", "/dev/full", program("any_order")});
        expect(20, {});
    }
}

TEST_F(Isp, WhatIsLeftOutIsSaid) {
    run({"-n", "4", "--bound=0", program("any_order")});
    expect(2, {"ISP detected no deadlocks!"});
    EXPECT_TRUE(says(err_, "not everything is verified: ")) << err_;
    EXPECT_TRUE(says(err_, "beyond --bound 0")) << err_;
    run({"-n", "4", "-E", "left_most", program("any_order")});
    expect(2, {"Total Explored Interleavings: 1"});
    EXPECT_TRUE(says(err_, "as --exp-mode asks")) << err_;
    EXPECT_FALSE(says(err_, "--max-interleavings")) << err_;
}

TEST_F(Isp, AdviceThatIsForDampiRunSaysSo) {
    run({"-n", "3", program("polls")});
    expect(2, {"ISP detected no deadlocks!"});
    EXPECT_TRUE(says(err_, "dampi-run --explore-polls 1")) << err_;
}

TEST_F(Isp, OneInterleavingIsRunOnRequest) {
    run({"-n", "4", "-E", "left_most", program("any_order")});
    expect(2, {"Total Explored Interleavings: 1", "Interleaving Exploration Mode: First Available Choice"});
}

TEST_F(Isp, StopsAtADeadlockOnRequest) {
    run({"-n", "2", "-b", "-D", program("head_to_head"), "1"});
    expect(1, {"ISP detected deadlock!!!", "Total Explored Interleavings: 1"});
    EXPECT_FALSE(says(out_, "Verification stopped"));  // there was nothing left
}

TEST_F(Isp, OptionsWithoutEffectAreSaidToHaveNone) {
    run({"-n", "2", "-p", "9999", "-x", "-f", program("any_order")});
    expect(0, {});
    EXPECT_EQ(err_,
              "dampi-isp: the option -p does nothing here\n"
              "dampi-isp: the option -x does nothing here\n"
              "dampi-isp: the option -f does nothing here\n");
}

TEST_F(Isp, CallsAreCounted) {
    run({"-n", "2", "-m", program("any_order")});
    expect(0, {"Rank 0: 2 MPI calls trapped.", "Rank 1: 2 MPI calls trapped."});
}

TEST_F(Isp, QuietPrintsOnlyWhatTheProgramPrints) {
    run({"-n", "3", "-q", program("one_order_deadlocks")});
    expect(1, {"out of rank 0"});
    EXPECT_FALSE(says(out_, "ISP")) << out_;
}

// ---- the log ----

TEST_F(Isp, TheLogHasEveryInterleaving) {
    run({"-n", "3", "-l", "log", program("one_order_deadlocks")});
    const IspLog log = this->log();
    EXPECT_EQ(log.processes, 3);
    EXPECT_EQ(log.interleavings, 2);
    EXPECT_EQ(log.deadlocks, std::vector<int>{2});
    std::set<int> first_partners;
    for (int interleaving = 1; interleaving <= 2; ++interleaving) {
        const auto receives = log.find(interleaving, 0, "Recv");
        ASSERT_EQ(receives.size(), interleaving == 1 ? 2U : 3U);
        EXPECT_EQ(receives[0].arguments, (std::vector<std::string>{"-1", "0", "0_0:1:2:"}));
        first_partners.insert(receives[0].match_rank);
        EXPECT_EQ(receives[0].within, std::vector<int>{1});
        EXPECT_EQ(receives[0].across, (std::vector<std::pair<int, int>>{{receives[0].match_rank, 0}}));
        const auto send = log.find(interleaving, receives[0].match_rank, "Send");
        ASSERT_EQ(send.size(), 1U);
        EXPECT_EQ(send[0].match_rank, 0);
        EXPECT_EQ(send[0].match_index, 0);
        EXPECT_TRUE(send[0].file.ends_with("one_order_deadlocks.c"));
        EXPECT_EQ(send[0].line, 21);
    }
    EXPECT_EQ(first_partners, (std::set<int>{1, 2}));
    const IspCall blocked = log.find(2, 0, "Recv").back();
    EXPECT_EQ(blocked.issue, -1);
    EXPECT_EQ(blocked.match_rank, -1);
}

TEST_F(Isp, TheLogHasEveryKindOfCall) {
    run({"-n", "2", "-b", "-l", "log", program("many_calls")});
    expect(0, {});
    const IspLog log = this->log();
    EXPECT_EQ(log.interleavings, 1);
    const auto count = [&](int rank, const char* function) { return log.find(1, rank, function).size(); };
    for (int rank = 0; rank < 2; ++rank) {
        EXPECT_EQ(count(rank, "Isend"), 1U);
        EXPECT_EQ(count(rank, "Issend"), 1U);
        EXPECT_EQ(count(rank, "Waitall"), 1U);
        EXPECT_EQ(count(rank, "Startall"), 2U);
        EXPECT_EQ(count(rank, "Wait"), 2U);
        EXPECT_EQ(count(rank, "Waitany"), 1U);
        EXPECT_EQ(count(rank, "Ibarrier"), 1U);
        for (const char* function : {"Comm_dup", "Comm_split", "Bcast", "Allreduce"}) {
            ASSERT_EQ(count(rank, function), 1U) << function;
            const IspCall call = log.find(1, rank, function).front();
            EXPECT_NE(call.issue, -1) << function;
            ASSERT_EQ(call.across.size(), 1U) << function;
            EXPECT_EQ(call.across.front().first, 1 - rank) << function;
        }
        EXPECT_EQ(log.find(1, rank, "Bcast").front().arguments, std::vector<std::string>{"0_0:1:"});
        EXPECT_EQ(log.find(1, rank, "Allreduce").front().arguments, std::vector<std::string>{"1_0:1:"});
        EXPECT_EQ(count(rank, "Finalize"), 1U);
        const IspCall all = log.find(1, rank, "Waitall").front();
        for (const char* function : {"Irecv", "Isend", "Issend"}) {
            for (const IspCall& call : log.find(1, rank, function)) {
                if (call.index < all.index) {
                    EXPECT_TRUE(std::find(call.within.begin(), call.within.end(), all.index) != call.within.end())
                        << function;
                }
            }
        }
    }
    EXPECT_EQ(count(1, "Probe"), 1U);
    EXPECT_EQ(count(1, "Mprobe"), 1U);
    EXPECT_EQ(count(1, "Test"), 1U);
    // All that are no completions have met somebody.
    for (const IspCall& call : log.calls) {
        EXPECT_NE(call.issue, -1) << call.function;
        EXPECT_TRUE(call.arguments.size() != 3 || call.match_rank != -1) << call.function;
        EXPECT_TRUE(call.file.ends_with("many_calls.c")) << call.function;
    }
}

TEST_F(Isp, TheLogHasLeaksAndAssertions) {
    run({"-n", "2", "-l", "log", program("leak_communicator")});
    const IspLog leaky = log();
    ASSERT_FALSE(leaky.leaks.empty());
    EXPECT_EQ(leaky.leaks.front().resource, "Communicator");
    EXPECT_TRUE(leaky.leaks.front().file.ends_with("leak_communicator.c"));
    EXPECT_GT(leaky.leaks.front().line, 0);

    run({"-n", "3", "-l", "log", program("assert_one_order")});
    const IspLog failed = log();
    ASSERT_EQ(failed.assertions.size(), 1U);
    EXPECT_EQ(failed.assertions.front().rank, 0);
    EXPECT_TRUE(says(failed.assertions.front().message, "first < second"));
    EXPECT_EQ(failed.assertions.front().function, "main");
    EXPECT_EQ(failed.interleavings, 2);
    EXPECT_TRUE(failed.deadlocks.empty());
}

TEST_F(Isp, NumbersGoOnThroughTheLog) {
    run({"-n", "4", "-l", "log", program("any_order")});
    const IspLog log = this->log();
    EXPECT_EQ(log.interleavings, 6);
    int most = 0;
    for (const IspCall& call : log.calls) {
        most = std::max(most, call.order);
    }
    EXPECT_EQ(most, static_cast<int>(log.calls.size()));
}

}  // namespace
}  // namespace dampi::harness
