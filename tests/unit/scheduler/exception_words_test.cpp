#include "scheduler/judgement/exception_words.hpp"

#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

namespace dampi::scheduler {
namespace {

template <typename Read>
auto read_from(const std::string& text, Read&& read) {
    const auto file = std::filesystem::temp_directory_path() / ("dampi-exception-words-" + std::to_string(getpid()));
    std::ofstream(file) << text;
    auto words = read(file);
    std::filesystem::remove(file);
    return words;
}

AllExceptionWords words_in(const std::string& text) {
    return read_from(text, [](const auto& file) { return exception_words(file); });
}

std::optional<std::string> before_abort_in(const std::string& text, base::Rank rank) {
    return read_from(text, [&](const auto& file) { return words_before_abort(file, rank); });
}

constexpr const char* traceback =
    "Traceback (most recent call last):\n"
    "  File \"/home/me/solver.py\", line 31, in <module>\n"
    "    exchange()\n"
    "  File \"/home/me/solver.py\", line 12, in exchange\n"
    "    numpy.zeros(-1)\n"
    "  File \"/usr/lib/python3/dist-packages/numpy/core.py\", line 5, in zeros\n"
    "ValueError: negative\n";

TEST(ExceptionWords, ATracebackIsToldByItsLastLineAndTheProgramsInnermostLine) {
    const AllExceptionWords found = words_in(std::string("before\n") + traceback + "behind\n");
    ASSERT_TRUE(found.python);
    EXPECT_EQ(found.python->text, "ValueError: negative");
    EXPECT_EQ(found.python->where.file, "/home/me/solver.py");
    EXPECT_EQ(found.python->where.line, 12);
    EXPECT_EQ(found.python->where.function, "exchange");
    EXPECT_EQ(quoted(*found.python), "standard error: ValueError: negative (solver.py:12)");
    EXPECT_FALSE(found.cpp);
}

TEST(ExceptionWords, TheSameOfSeveralRanksIsToldAndDifferentOnesAreNot) {
    EXPECT_TRUE(words_in(std::string(traceback) + traceback).python);
    EXPECT_FALSE(words_in(std::string(traceback) +
                          "Traceback (most recent call last):\n  File \"a.py\", line 1, in f\nKeyError: 3\n")
                     .python);
}

TEST(ExceptionWords, OfAChainTheLastCounts) {
    const AllExceptionWords found =
        words_in(std::string(traceback) + "\nDuring handling of the above exception, another exception occurred:\n\n" +
                 "Traceback (most recent call last):\n  File \"a.py\", line 1, in f\nKeyError: 3\n");
    ASSERT_TRUE(found.python);
    EXPECT_EQ(found.python->text, "KeyError: 3");
}

TEST(ExceptionWords, WhatIsNotWholeIsNotTold) {
    EXPECT_FALSE(words_in("Traceback (most recent call last):\n  File \"a.py\", line 1, in f\n").python);
    EXPECT_FALSE(words_in(std::string("Traceback (most recent call last):\n") + traceback).python);
    EXPECT_FALSE(words_in("Traceback (most recent call last):\nKeyError: 3\n").python);
}

TEST(ExceptionWords, WhatTheRuntimeLibraryOfCppPrintsIsTold) {
    const std::string thrown = "terminate called after throwing an instance of 'std::runtime_error'\n";
    const AllExceptionWords with_text = words_in(thrown + "  what():  order 3 first\nmore\n");
    ASSERT_TRUE(with_text.cpp);
    EXPECT_EQ(quoted(*with_text.cpp), "standard error: std::runtime_error: order 3 first");
    const AllExceptionWords without = words_in("terminate called after throwing an instance of 'int'\nmore\n");
    ASSERT_TRUE(without.cpp);
    EXPECT_EQ(without.cpp->text, "int");
    EXPECT_FALSE(words_in(thrown + "  what():  one\n" + thrown + "  what():  two\n").cpp);
}

TEST(ExceptionWords, WhatStandsLastBeforeAnAbortIsTold) {
    const std::string aborts =
        "Abort(3) on node 1 (rank 1 in comm 0): application called MPI_Abort(MPI_COMM_WORLD, 3) - process 1\n";
    EXPECT_EQ(before_abort_in("first\nFATAL: no room\n\n" + aborts + "behind\n", 1), "standard error: FATAL: no room");
    EXPECT_FALSE(before_abort_in("FATAL: no room\n" + aborts, 0)) << "another rank's";
    EXPECT_FALSE(before_abort_in(aborts, 1));
    EXPECT_FALSE(before_abort_in("dampi: something\n" + aborts, 1));
    EXPECT_FALSE(before_abort_in("FATAL: no room\n", 1));
    EXPECT_FALSE(before_abort_in("Abort(1) on node 1 (rank 1 in comm 0): Fatal error in internal_Send: Invalid\n", 1));
}

}  // namespace
}  // namespace dampi::scheduler
