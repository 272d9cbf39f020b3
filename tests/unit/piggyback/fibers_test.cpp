// What ThreadSanitizer is told of operations, with a runtime that writes down what it is told.
#include "piggyback/rank/sanitizers/fibers.hpp"

#include "piggyback/rank/sanitizers/thread_runtime.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <string>
#include <utility>
#include <vector>

namespace dampi::piggyback::sanitizers {
namespace {

struct Told {
    std::vector<std::string> words;
    std::deque<std::string> fibers{"thread"};
    void* now = &fibers.front();
};
Told* told = nullptr;

std::string& name_of(void* fiber) { return *static_cast<std::string*>(fiber); }

const ThreadRuntime runtime{
    .create_fiber =
        [](unsigned /*flags*/) {
            told->words.push_back("made by " + name_of(told->now));
            return static_cast<void*>(&told->fibers.emplace_back("new"));
        },
    .name_fiber = [](void* fiber, const char* name) { name_of(fiber) = name; },
    .current_fiber = [] { return told->now; },
    .switch_to_fiber =
        [](void* fiber, unsigned no_order) {
            told->words.push_back((no_order == 0 ? "to " : "unordered to ") + name_of(fiber));
            told->now = fiber;
        },
    .read_range = [](void* /*begin*/, unsigned long size,
                     void* /*place*/) { told->words.push_back("reads " + std::to_string(size)); },
    .write_range = [](void* /*begin*/, unsigned long size,
                      void* /*place*/) { told->words.push_back("writes " + std::to_string(size)); },
    .acquire = [](void* /*moment*/) { told->words.push_back("acquires"); },
    .release = [](void* /*moment*/) { told->words.push_back("releases"); },
    .ignore_begin = [](const char* /*file*/, int /*line*/) {},
    .ignore_end = [](const char* /*file*/, int /*line*/) {},
};

class FibersTest : public testing::Test {
protected:
    FibersTest() {
        told = &told_;
        thread_runtime = &runtime;
    }
    ~FibersTest() override { thread_runtime = nullptr; }
    FibersTest(const FibersTest&) = delete;
    FibersTest& operator=(const FibersTest&) = delete;

    using Words = std::vector<std::string>;
    Words said() { return std::exchange(told_.words, {}); }
    static constexpr auto receives = [](auto&& access) { access(Region{.begin = 4096, .end = 4100}, true); };
    static constexpr auto sends = [](auto&& access) { access(Region{.begin = 4096, .end = 4104}, false); };

    Told told_;
    Fibers fibers_;
};

TEST_F(FibersTest, AnOperationKnowsItsThreadWhichKnowsOfItAtItsEndOnly) {
    const auto token = fibers_.begin({.function = "MPI_Irecv", .site = 1}, receives);
    EXPECT_EQ(said(), (Words{"made by thread", "to MPI_Irecv", "writes 4", "unordered to thread"}));
    fibers_.go_on(token, {.function = "MPI_Irecv", .site = 1}, sends);
    EXPECT_EQ(said(), (Words{"to MPI_Irecv", "reads 8", "unordered to thread"}));
    fibers_.end(token);
    EXPECT_EQ(said(), (Words{"unordered to MPI_Irecv", "to thread"}));
}

TEST_F(FibersTest, TwoAtOnceAreTwoFibersAndOneAfterTheOtherIsOne) {
    const auto first = fibers_.begin({.function = "MPI_Isend", .site = 1}, sends);
    const auto second = fibers_.begin({.function = "MPI_Irecv", .site = 2}, receives);
    EXPECT_NE(first, second);
    fibers_.end(first);
    EXPECT_EQ(fibers_.begin({.function = "MPI_Iprobe", .site = 3}, receives), first);
    EXPECT_EQ(told_.fibers.size(), 3U) << "with the thread";
}

TEST_F(FibersTest, WhatKnowsOnlyAMomentIsMadeThen) {
    const int moment = 0;
    void* const then = const_cast<int*>(&moment);
    EXPECT_EQ(fibers_.begin_knowing(then, {}, {.function = "MPI_Put", .site = 1}, receives), Fibers::none)
        << "made now it would know of now";
    said();
    fibers_.remember(then);
    EXPECT_EQ(said(), (Words{"made by thread", "made by thread", "releases"}));
    for (int i = 0; i < 2; ++i) {
        const auto token = fibers_.begin_knowing(then, {}, {.function = "MPI_Put", .site = 1}, receives);
        EXPECT_EQ(said(), (Words{"unordered to MPI_Put", "acquires", "writes 4", "unordered to thread"}));
        fibers_.end(token);
        said();
    }
}

TEST_F(FibersTest, WhatKnowsALaterMomentCanKnowNoLessAgain) {
    const char moment = 0;
    void* const then = const_cast<char*>(&moment);
    const char place = 0;
    void* const later = const_cast<char*>(&place);
    const auto begin = [&](std::uint64_t number) {
        const Fibers::Token token =
            fibers_.begin_knowing(then, {.moment = number == 0 ? nullptr : later, .number = number},
                                  {.function = "MPI_Put", .site = 1}, receives);
        if (token != Fibers::none) {
            fibers_.end(token);
        }
        return token;
    };
    fibers_.remember(then);
    Fibers::note(later);
    said();
    const Fibers::Token first = begin(5);
    EXPECT_EQ(said(), (Words{"unordered to MPI_Put", "acquires", "acquires", "writes 4", "unordered to thread",
                             "unordered to MPI_Put", "to thread"}));
    EXPECT_EQ(begin(7), first) << "the one that knows most";
    const Fibers::Token second = begin(6);
    EXPECT_NE(second, Fibers::none);
    EXPECT_NE(second, first);
    EXPECT_EQ(begin(6), second);
    EXPECT_EQ(begin(0), Fibers::none) << "all know more";
    fibers_.remember(then);
    EXPECT_NE(begin(0), Fibers::none) << "no more than then";
}

TEST_F(FibersTest, TooManyAtOnceAreNotTold) {
    Fibers::Token last = Fibers::none;
    int begun = 0;
    do {
        last = fibers_.begin({.function = "MPI_Isend", .site = 1}, sends);
        ++begun;
    } while (last != Fibers::none && begun < 5000);
    EXPECT_EQ(last, Fibers::none);
    said();
    fibers_.go_on(last, {.function = "MPI_Isend", .site = 1}, sends);
    EXPECT_EQ(said(), Words{});
}

}  // namespace
}  // namespace dampi::piggyback::sanitizers
