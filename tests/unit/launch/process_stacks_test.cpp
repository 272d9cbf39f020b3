// Call stacks of real processes, read from outside.
#include "launch/observe/process_stacks.hpp"

#include "launch/program/source_lines.hpp"
#include "tests/unit/launch/processes.hpp"

#include <algorithm>
#include <csignal>
#include <fstream>
#include <string>
#include <thread>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace dampi::launch {
namespace {

using namespace std::chrono_literals;

[[gnu::noinline]] void wait_for_ever() {
    for (;;) {
        pause();
        asm volatile("");
    }
}

[[gnu::noinline]] void compute_for_ever() {
    for (;;) {
        asm volatile("");
    }
}

char state_of(pid_t process) {
    std::ifstream file("/proc/" + std::to_string(process) + "/stat");
    std::string text;
    std::getline(file, text);
    const auto parenthesis = text.rfind(')');
    return parenthesis == std::string::npos || text.size() < parenthesis + 3 ? '-' : text[parenthesis + 2];
}

bool comes_to(pid_t process, char state) {
    for (int i = 0; i < 6000 && state_of(process) != state; ++i) {
        std::this_thread::sleep_for(5ms);
    }
    return state_of(process) == state;
}

/// Whether the stack, resolved, has a function whose name contains this.
bool has(const std::vector<replay::CodePlace>& stack, const std::string& name) {
    SourceLines lines;
    return std::any_of(stack.begin(), stack.end(), [&](replay::CodePlace place) {
        lines.resolve(place);
        return place.function.find(name) != std::string::npos;
    });
}

TEST(ProcessStacks, AreReadWhetherAProcessWaitsOrComputes) {
    const Child waits(wait_for_ever);
    const Child computes(compute_for_ever);
    ASSERT_TRUE(comes_to(waits.process(), 'S'));
    const auto stacks = read_stacks({waits.process(), computes.process()}, 10s);
    ASSERT_EQ(stacks.size(), 2U);
    if (stacks[0].empty() && stacks[1].empty()) {
        GTEST_SKIP() << "this system does not let a process be looked into";
    }
    EXPECT_TRUE(has(stacks[0], "wait_for_ever"));
    EXPECT_TRUE(has(stacks[0], "main"));
    EXPECT_TRUE(has(stacks[1], "compute_for_ever") || has(stacks[1], "Child"));  // it may just begin
    // They go on as they were.
    EXPECT_TRUE(comes_to(waits.process(), 'S'));
    EXPECT_TRUE(comes_to(computes.process(), 'R'));
}

TEST(ProcessStacks, LeaveAStoppedProcessStopped) {
    const Child child([] {
        raise(SIGSTOP);
        wait_for_ever();
    });
    ASSERT_TRUE(comes_to(child.process(), 'T'));
    const auto stacks = read_stacks({child.process()}, 10s);
    ASSERT_EQ(stacks.size(), 1U);
    EXPECT_TRUE(comes_to(child.process(), 'T'));
    kill(child.process(), SIGCONT);
    EXPECT_TRUE(comes_to(child.process(), 'S'));
}

TEST(ProcessStacks, AreEmptyOfAProcessThatHasEndedAndLeaveItToBeWaitedFor) {
    const pid_t child = fork();
    if (child == 0) {
        _exit(7);
    }
    ASSERT_TRUE(comes_to(child, 'Z'));
    const auto stacks = read_stacks({child}, 10s);
    ASSERT_EQ(stacks.size(), 1U);
    EXPECT_TRUE(stacks[0].empty());
    int status = 0;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(WEXITSTATUS(status), 7);
    EXPECT_TRUE(read_stacks({}, 10s).empty());
}

}  // namespace
}  // namespace dampi::launch
