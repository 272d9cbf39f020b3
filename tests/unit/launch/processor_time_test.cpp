#include "launch/observe/processor_time.hpp"

#include "tests/unit/launch/processes.hpp"

#include <chrono>
#include <thread>

#include <gtest/gtest.h>
#include <sched.h>
#include <unistd.h>

namespace dampi::launch {
namespace {

using namespace std::chrono_literals;

void be_busy_on_one_processor() {
    cpu_set_t all;
    CPU_ZERO(&all);
    sched_getaffinity(0, sizeof all, &all);
    int first = 0;
    while (CPU_ISSET(first, &all) == 0) {
        ++first;
    }
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(first, &one);
    sched_setaffinity(0, sizeof one, &one);
    for (;;) {
        asm volatile("");
    }
}

TEST(ProcessorTime, WhoSharesAProcessorWaitsForIt) {
    const Child one(be_busy_on_one_processor);
    const Child other(be_busy_on_one_processor);
    ProcessorTime time;
    for (int i = 0; i < 6000 && (time.waited < 20ms || time.ran < 20ms); ++i) {
        std::this_thread::sleep_for(5ms);
        time = processor_time_of(one.process());
    }
    EXPECT_GE(time.waited, 20ms);
    EXPECT_GE(time.ran, 20ms);
    EXPECT_TRUE(time.is_ready);
}

TEST(ProcessorTime, WhoSleepsIsNotReady) {
    const Child child([] {
        for (;;) {
            pause();
        }
    });
    ProcessorTime time{.is_ready = true};
    for (int i = 0; i < 6000 && (time.is_ready || time.ran == 0ns); ++i) {
        std::this_thread::sleep_for(5ms);
        time = processor_time_of(child.process());
    }
    EXPECT_FALSE(time.is_ready);
    EXPECT_GT(time.ran, 0ns);
}

TEST(ProcessorTime, OfWhoIsNotThereNothingIsKnown) {
    const ProcessorTime gone = processor_time_of(-1);
    EXPECT_EQ(gone.ran, 0ns);
    EXPECT_EQ(time_had(gone, gone, 100ms), 100ms);
}

TEST(ProcessorTime, WhoCanGoOnHasHadWhatItRan) {
    const ProcessorTime before{.is_ready = true, .ran = 10ms, .waited = 5ms};
    EXPECT_EQ(time_had(before, {.is_ready = true, .ran = 30ms, .waited = 5ms}, 100ms), 20ms);
    EXPECT_EQ(time_had(before, {.is_ready = true, .ran = 130ms, .waited = 5ms}, 100ms), 100ms);
}

TEST(ProcessorTime, WhoSleepsHasHadAllButItsWaits) {
    const ProcessorTime before{.is_ready = true, .ran = 10ms, .waited = 5ms};
    EXPECT_EQ(time_had(before, {.is_ready = false, .ran = 11ms, .waited = 45ms}, 100ms), 60ms);
}

}  // namespace
}  // namespace dampi::launch
