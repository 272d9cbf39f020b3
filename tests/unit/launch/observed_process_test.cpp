#include "launch/observe/observed_process.hpp"

#include "launch/observe/traced_thread.hpp"
#include "tests/unit/launch/processes.hpp"

#include <chrono>
#include <csignal>
#include <fstream>
#include <string>
#include <thread>

#include <gtest/gtest.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

namespace dampi::launch {
namespace {

using namespace std::chrono_literals;

void wait_for_ever() {
    for (;;) {
        pause();
    }
}

pid_t tracer_of(pid_t process) {
    std::ifstream file("/proc/" + std::to_string(process) + "/status");
    for (std::string word; file >> word;) {
        if (word == "TracerPid:") {
            pid_t tracer = 0;
            file >> tracer;
            return tracer;
        }
    }
    return -1;
}

template <typename Condition>
bool comes_true(Condition condition) {
    for (int i = 0; i < 6000 && !condition(); ++i) {
        std::this_thread::sleep_for(5ms);
    }
    return condition();
}

/// What a busy machine does: the process has got no processor to stop on before nobody waits for it any more.
TEST(ProcessState, WhoWasAskedToStopTooLateIsLetGo) {
    const Child child(wait_for_ever);
    { const TracedThread traced(child.process()); }
    EXPECT_TRUE(comes_true([&] {
        EXPECT_EQ(state_of_process(child.process()).tracer, 0);
        return tracer_of(child.process()) == 0;
    }));
}

TEST(ProcessState, WeAreNoDebugger) {
    const Child child(wait_for_ever);
    ASSERT_EQ(ptrace(PTRACE_SEIZE, child.process(), nullptr, nullptr), 0);
    EXPECT_EQ(tracer_of(child.process()), getpid());
    EXPECT_EQ(state_of_process(child.process()).tracer, 0);
}

TEST(ProcessState, SomebodyElsesDebuggerIsSeen) {
    const Child child(wait_for_ever);
    const Child debugger([&child] {
        ptrace(PTRACE_SEIZE, child.process(), nullptr, nullptr);
        wait_for_ever();
    });
    EXPECT_TRUE(comes_true([&] { return state_of_process(child.process()).tracer == debugger.process(); }));
}

}  // namespace
}  // namespace dampi::launch
