#include "scheduler/judgement/library_words.hpp"

#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

namespace dampi::scheduler {
namespace {

LibraryWords words_in(const std::string& text, base::Rank rank) {
    const auto file = std::filesystem::temp_directory_path() / ("dampi-library-words-" + std::to_string(getpid()));
    std::ofstream(file) << text;
    LibraryWords words = library_words(file, rank);
    std::filesystem::remove(file);
    return words;
}

TEST(LibraryWords, AnErrorAndItsStackAreThoseOfTheRank) {
    const std::string text =
        "the program's own words\n"
        "Abort(1) on node 1 (rank 1 in comm 0): another\n"
        "Abort(40) on node 0 (rank 0 in comm 0): Fatal error in internal_Send: Invalid rank, error stack:\n"
        "internal_Send(120): MPI_Send(buf=0x7ffd, count=1) failed\n"
        "internal_Send(78).: Invalid rank has value 7\n"
        "the program's own words (12): again\n";
    const LibraryWords words = words_in(text, 0);
    EXPECT_EQ(words.end,
              "Abort(40) on node 0 (rank 0 in comm 0): Fatal error in internal_Send: Invalid rank, error stack:");
    EXPECT_EQ(words.stack, "MPI_Send(buf=0x7ffd, count=1) failed: Invalid rank has value 7");
    EXPECT_EQ(words.assertion, "");
    EXPECT_EQ(words_in(text, 1).end, "Abort(1) on node 1 (rank 1 in comm 0): another");
    EXPECT_EQ(words_in(text, 1).stack, "");
    EXPECT_EQ(words_in(text, 2).end, "");
}

TEST(LibraryWords, AnErrorWithoutACommunicatorHasTheRankAsItsNode) {
    const std::string text =
        "Abort(671089683) on node 1: Fatal error in MPI_Comm_call_errhandler: Request pending due to failure, error "
        "stack:\n"
        "MPI_Waitall(0): Invalid argument\n";
    EXPECT_TRUE(words_in(text, 1).end.starts_with("Abort(671089683) on node 1: Fatal error in "));
    EXPECT_EQ(words_in(text, 1).stack, "Invalid argument");
    EXPECT_EQ(words_in(text, 0).end, "");
}

TEST(LibraryWords, AFailedAssertionIsThatOfTheRankThatItEnds) {
    const std::string text =
        "Assertion failed in file src/mpid/x.c at line 12: win->handle\n"
        "/lib/libmpich.so.12(+0x123) [0x7f]\n"
        "Abort(1) on node 2: Internal error\n";
    EXPECT_EQ(words_in(text, 2).assertion, "Assertion failed in file src/mpid/x.c at line 12: win->handle");
    EXPECT_EQ(words_in(text, 2).end, "");
    EXPECT_EQ(words_in(text, 0).assertion, "");
    EXPECT_EQ(words_in("", 0).assertion, "");
}

}  // namespace
}  // namespace dampi::scheduler
