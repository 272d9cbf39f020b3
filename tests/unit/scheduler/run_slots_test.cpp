#include "scheduler/engines/central/run_slots.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <set>
#include <utility>
#include <vector>

namespace dampi::scheduler::central {
namespace {

using std::chrono::microseconds;
using std::chrono::seconds;

/// As many at the same time as there are processors.
std::vector<RunSlot> take_all(RunSlots& slots) {
    std::vector<RunSlot> taken;
    for (std::size_t i = 0; i < launch::own_processors().size(); ++i) {
        taken.push_back(slots.take());
    }
    return taken;
}

void put_back_all(RunSlots& slots, std::vector<RunSlot> taken, const Pace& pace) {
    for (RunSlot& slot : taken) {
        slots.put_back(std::move(slot), pace);
    }
}

TEST(RunSlots, WhatARunLeavesTheNextOneGets) {
    RunSlots slots;
    RunSlot first = slots.take();
    EXPECT_EQ(first.crew, 0);
    EXPECT_EQ(first.area.base(), nullptr);
    first.crew = 17;
    first.area = transport::memory::MemoryFile::create("test", "memory for a test", 4096);
    const auto* const base = first.area.base();
    slots.put_back(std::move(first), {.duration = microseconds{500}});
    const RunSlot again = slots.take();
    EXPECT_EQ(again.crew, 17);
    EXPECT_EQ(again.area.base(), base);
    EXPECT_EQ(slots.take().crew, 0) << "one run's at a time";
}

TEST(RunSlots, RunsOnAllProcessorsWhoseRanksTakeTurnsKeepToOneEach) {
    const Pace is_short{.duration = microseconds{500}};
    const Pace has_many_answers{.duration = seconds{1}, .answers = 2000};
    for (const Pace& pace : {is_short, has_many_answers}) {
        RunSlots slots;
        put_back_all(slots, take_all(slots), pace);
        std::multiset<int> used;
        for (const RunSlot& slot : take_all(slots)) {
            used.insert(slot.processor);
        }
        EXPECT_EQ(used, std::multiset<int>(launch::own_processors().begin(), launch::own_processors().end()));
    }
}

TEST(RunSlots, TheFirstRunsAndThoseThatComputeGoWhereTheyWant) {
    RunSlots slots;
    for (int i = 0; i < 2; ++i) {
        std::vector<RunSlot> taken = take_all(slots);
        for (const RunSlot& slot : taken) {
            EXPECT_EQ(slot.processor, launch::any_processor);
        }
        put_back_all(slots, std::move(taken), {.duration = seconds{1}, .answers = 200});
    }
}

TEST(RunSlots, OneRunAfterTheOtherGoesWhereItWants) {
    if (launch::own_processors().size() < 2) {
        GTEST_SKIP() << "there is one processor only";
    }
    RunSlots slots;
    for (int i = 0; i < 3; ++i) {
        RunSlot slot = slots.take();
        EXPECT_EQ(slot.processor, launch::any_processor);
        slots.put_back(std::move(slot), {.duration = microseconds{500}});
    }
}

}  // namespace
}  // namespace dampi::scheduler::central
