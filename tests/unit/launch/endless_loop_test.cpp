// Whether a process goes round in a loop that it can never leave: of children that do.
#include "launch/observe/endless_loop.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <functional>
#include <thread>

#include <time.h>
#include <sys/prctl.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

namespace dampi::launch {
namespace {

using namespace std::chrono_literals;

volatile int flag = 0;
volatile unsigned long count = 0;
volatile double sum = 0;

/// Of a child that does this; it is ended afterwards.
bool loops(const std::function<void()>& work) {
    flag = 0;
    const pid_t child = fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        work();
        _exit(0);
    }
    std::this_thread::sleep_for(100ms);
    // On a busy machine it may not stop in time.
    constexpr int most_tries = 3;
    bool found = false;
    for (int i = 0; i < most_tries && !found; ++i) {
        found = loops_for_ever(child, {});
    }
    EXPECT_EQ(kill(child, 0), 0) << "it goes on";
    kill(child, SIGKILL);
    int status = 0;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    return found;
}

/// Where the system forbids to look, or the processor is another one, nothing is found.
bool can_look() {
    static const bool can = loops([] {
        for (;;) {}
    });
    return can;
}

int called(int value) { return value + flag; }

TEST(EndlessLoop, OneThatNothingCanEnd) {
    if (!can_look()) {
        GTEST_SKIP() << "processes cannot be followed here";
    }
    EXPECT_TRUE(loops([] {
        while (flag == 0) {}
    }));
    EXPECT_TRUE(loops([] {
        while (called(3) == 3) {  // writes to its stack
            sum = 0.5;
        }
    }));
    EXPECT_TRUE(loops([] {
        for (int i = 0; i < 1000;) {
            for (count = 0; count < 50;) {
                count = count + 1;
            }
            i += flag;
        }
    }));
}

TEST(EndlessLoop, OneThatGetsOnMayEnd) {
    EXPECT_FALSE(loops([] {
        while (count != ~0UL) {
            count = count + 1;
        }
    }));
    EXPECT_FALSE(loops([] {
        while (sum < 1e300) {
            sum = sum + 1e-9;
        }
    }));
}

TEST(EndlessLoop, OneThatAsksTheSystemOrTheClockMayEnd) {
    EXPECT_FALSE(loops([] {
        while (getppid() != 1) {}
    }));
    EXPECT_FALSE(loops([] {
        timespec now{};
        do {
            clock_gettime(CLOCK_MONOTONIC, &now);
        } while (now.tv_sec >= 0);
    }));
    EXPECT_FALSE(loops([] { pause(); }));
}

TEST(EndlessLoop, OneThatSleepsGoesOnSleeping) {
    const pid_t child = fork();
    if (child == 0) {
        timespec time{.tv_sec = 0, .tv_nsec = 300'000'000};
        _exit(nanosleep(&time, nullptr) == 0 ? 0 : 1);
    }
    std::this_thread::sleep_for(50ms);
    EXPECT_FALSE(loops_for_ever(child, {}));
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
}

TEST(EndlessLoop, OneThatASignalOrAThreadMayEndIsNone) {
    EXPECT_FALSE(loops([] {
        signal(SIGALRM, [](int) { flag = 1; });
        while (flag == 0) {}
    }));
    EXPECT_FALSE(loops([] {
        std::thread other([] {
            std::this_thread::sleep_for(60s);
            flag = 1;
        });
        while (flag == 0) {}
    }));
}

TEST(EndlessLoop, OfAProcessThatIsGoneNothingIsSaid) {
    const pid_t child = fork();
    if (child == 0) {
        _exit(0);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_FALSE(loops_for_ever(child, {}));
}

}  // namespace
}  // namespace dampi::launch
