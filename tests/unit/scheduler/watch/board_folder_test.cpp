#include "scheduler/watch/board_folder.hpp"

#include <chrono>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

namespace dampi::scheduler::watch {
namespace {

namespace fs = std::filesystem;

void make_old(const fs::path& folder) {
    fs::last_write_time(folder, fs::file_time_type::clock::now() - std::chrono::hours{1});
}

fs::path make_folder(const BoardFolder& beside) {
    std::string name = beside.path().parent_path() / "dampi-watch.testXXXXXX";
    EXPECT_NE(mkdtemp(name.data()), nullptr);
    std::ofstream(fs::path(name) / "1.board") << "something";
    return name;
}

TEST(BoardFolder, IsGoneWithItsObject) {
    fs::path path;
    {
        const BoardFolder folder;
        path = folder.path();
        EXPECT_TRUE(fs::is_directory(path));
        std::ofstream(path / "1.board") << "something";
    }
    EXPECT_FALSE(fs::exists(path));
}

TEST(BoardFolder, OneThatNobodyHasIsRemoved) {
    const BoardFolder first;
    const fs::path abandoned = make_folder(first);
    make_old(abandoned);
    const BoardFolder second;
    EXPECT_FALSE(fs::exists(abandoned));
}

TEST(BoardFolder, OneThatSomebodyHasStays) {
    const BoardFolder first;
    make_old(first.path());
    const fs::path of_rank = make_folder(first);
    const BoardFolder second(of_rank);
    make_old(of_rank);
    const BoardFolder third;
    EXPECT_TRUE(fs::exists(first.path()));
    EXPECT_TRUE(fs::exists(of_rank));
}

TEST(BoardFolder, OneThatARankMayJustHaveMadeStays) {
    const BoardFolder first;
    const fs::path made = make_folder(first);
    const BoardFolder second;
    EXPECT_TRUE(fs::exists(made));
    fs::remove_all(made);
}

}  // namespace
}  // namespace dampi::scheduler::watch
