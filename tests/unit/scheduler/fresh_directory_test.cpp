#include "scheduler/engines/fresh_directory.hpp"

#include "base/check.hpp"

#include <chrono>
#include <csignal>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

namespace dampi::scheduler {
namespace {

namespace fs = std::filesystem;

std::string content_of(const fs::path& file) {
    std::ifstream input(file);
    return {std::istreambuf_iterator<char>(input), {}};
}

class FreshDirectoryTest : public testing::Test {
protected:
    FreshDirectoryTest() {
        std::string pattern = fs::canonical(fs::temp_directory_path()) / "dampi-fresh-XXXXXX";
        folder_ = ::mkdtemp(pattern.data());
        here_ = folder_ / "here";
        fs::create_directories(here_ / "below");
        write(here_ / "file", "content");
        write(here_ / "below" / "other", "");
    }
    ~FreshDirectoryTest() override { remove_tree(folder_); }

    static void write(const fs::path& file, const std::string& text) { std::ofstream(file) << text; }
    [[nodiscard]] fs::path place() const { return folder_ / "fresh" / "000001"; }

    fs::path folder_;
    fs::path here_;
};

TEST_F(FreshDirectoryTest, HasTheSameFilesWithModesAndTimesAsLongAsItLives) {
    const auto time = fs::file_time_type::clock::now() - std::chrono::hours(24);
    fs::permissions(here_ / "file", fs::perms(0640));
    fs::last_write_time(here_ / "file", time);
    fs::permissions(here_ / "below", fs::perms(0550));
    fs::last_write_time(here_ / "below", time);
    {
        const FreshDirectory copy(here_, place());
        EXPECT_EQ(copy.path(), place());
        EXPECT_EQ(content_of(place() / "file"), "content");
        EXPECT_TRUE(fs::exists(place() / "below" / "other"));
        for (const char* name : {"file", "below"}) {
            EXPECT_EQ(fs::status(place() / name).permissions(), fs::status(here_ / name).permissions()) << name;
            EXPECT_EQ(fs::last_write_time(place() / name), fs::last_write_time(here_ / name)) << name;
        }
        write(place() / "file", "changed");
        fs::remove(place() / "below" / "none");
    }
    EXPECT_FALSE(fs::exists(place()));
    EXPECT_EQ(content_of(here_ / "file"), "content");
}

TEST_F(FreshDirectoryTest, LinksLeadToTheCopyOrWhereTheyLedBefore) {
    write(folder_ / "outside", "outside");
    fs::create_symlink("../file", here_ / "below" / "up");
    fs::create_symlink("../outside", here_ / "out");
    fs::create_symlink(folder_ / "outside", here_ / "absolutely_out");
    fs::create_symlink(here_ / "below" / "other", here_ / "absolutely_in");
    fs::create_symlink("nowhere", here_ / "dangling");
    const FreshDirectory copy(here_, place());
    write(place() / "file", "the copy's");
    EXPECT_EQ(content_of(place() / "below" / "up"), "the copy's");
    EXPECT_EQ(content_of(place() / "out"), "outside");
    EXPECT_EQ(content_of(place() / "absolutely_out"), "outside");
    write(place() / "absolutely_in", "written");
    EXPECT_EQ(content_of(place() / "below" / "other"), "written");
    EXPECT_EQ(content_of(here_ / "below" / "other"), "");
    EXPECT_EQ(fs::read_symlink(place() / "dangling"), "nowhere");
}

TEST_F(FreshDirectoryTest, LinksThatLeadInOrOutByOthersStayRight) {
    fs::create_directories(folder_ / "elsewhere" / "deep");
    write(folder_ / "elsewhere" / "file", "elsewhere");
    fs::create_symlink(here_, folder_ / "other_name");
    fs::create_symlink(folder_ / "other_name" / "file", here_ / "in_by_other_name");
    fs::create_symlink("../elsewhere/deep", here_ / "deep");
    fs::create_symlink("deep/../file", here_ / "out_behind_link");
    fs::create_symlink("..", here_ / "below" / "parent");
    const FreshDirectory copy(here_, place());
    write(place() / "file", "the copy's");
    EXPECT_EQ(content_of(place() / "in_by_other_name"), "the copy's");
    EXPECT_EQ(content_of(place() / "out_behind_link"), "elsewhere");
    EXPECT_EQ(content_of(place() / "below" / "parent" / "file"), "the copy's");
}

TEST_F(FreshDirectoryTest, IsNotWholeWhenItIsToStop) {
    std::stop_source stop;
    {
        const FreshDirectory whole(here_, place(), stop.get_token());
        EXPECT_TRUE(whole.is_whole());
        stop.request_stop();
        EXPECT_TRUE(whole.is_whole());
    }
    {
        const FreshDirectory part(here_, place(), stop.get_token());
        EXPECT_FALSE(part.is_whole());
        EXPECT_FALSE(fs::exists(place() / "file"));
    }
    EXPECT_FALSE(fs::exists(place()));
}

TEST_F(FreshDirectoryTest, HolesStayHoles) {
    constexpr off_t large = off_t{1} << 40;
    write(here_ / "large", "first");
    ASSERT_EQ(::truncate((here_ / "large").c_str(), large), 0);
    const FreshDirectory copy(here_, place());
    struct stat status {};
    ASSERT_EQ(::stat((place() / "large").c_str(), &status), 0);
    EXPECT_EQ(status.st_size, large);
    EXPECT_LT(status.st_blocks * 512, 1 << 20);
    std::string beginning(6, 'x');
    std::ifstream(place() / "large").read(beginning.data(), 6);
    EXPECT_EQ(beginning, std::string("first\0", 6));
}

TEST_F(FreshDirectoryTest, PipesAreMadeAnewAndSocketsAndSweepsLeftOut) {
    ASSERT_EQ(::mkfifo((here_ / "pipe").c_str(), 0600), 0);
    fs::create_directories(here_ / "sweep" / "output");
    write(here_ / "sweep" / ".dampi-sweep", "");
    const int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, (here_ / "socket").c_str(), sizeof address.sun_path - 1);
    ASSERT_EQ(::bind(socket, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    const FreshDirectory copy(here_, place());
    EXPECT_TRUE(fs::is_fifo(place() / "pipe"));
    EXPECT_FALSE(fs::exists(fs::symlink_status(place() / "socket")));
    EXPECT_FALSE(fs::exists(place() / "sweep"));
    ::close(socket);
}

TEST_F(FreshDirectoryTest, WhatAProgramHasMadeUnwritableIsRemoved) {
    {
        const FreshDirectory copy(here_, place());
        fs::create_directories(place() / "a" / "b");
        write(place() / "a" / "b" / "file", "");
        fs::permissions(place() / "a" / "b", fs::perms(0500));
        fs::permissions(place() / "a", fs::perms::none);
    }
    EXPECT_FALSE(fs::exists(place()));
}

TEST_F(FreshDirectoryTest, WhatIsThereIsReplaced) {
    fs::create_directories(place() / "old");
    const FreshDirectory copy(here_, place());
    EXPECT_FALSE(fs::exists(place() / "old"));
}

TEST_F(FreshDirectoryTest, SaysWhatCannotBeCopiedAndLeavesNothing) {
    write(here_ / "large", std::string(100'000, 'x'));
    std::string said;
    const auto before = std::signal(SIGXFSZ, SIG_IGN);
    rlimit limit{};
    ::getrlimit(RLIMIT_FSIZE, &limit);
    rlimit low = limit;
    low.rlim_cur = 1000;
    ::setrlimit(RLIMIT_FSIZE, &low);
    try {
        const FreshDirectory copy(here_, place());
    } catch (const Error& error) {
        said = error.what();
    }
    ::setrlimit(RLIMIT_FSIZE, &limit);
    std::signal(SIGXFSZ, before);
    EXPECT_TRUE(said.starts_with("cannot copy " + (here_ / "large").string() + " for --fresh-dir (File too large)"))
        << said;
    EXPECT_FALSE(fs::exists(place()));
    EXPECT_EQ(content_of(here_ / "file"), "content");
}

TEST_F(FreshDirectoryTest, IsNotMadeOfADirectoryThatItLiesIn) {
    EXPECT_THROW(require_outside("/a/b", "/a/b"), Error);
    EXPECT_THROW(require_outside("/a/b", "/a"), Error);
    require_outside("/a/b", "/a/b/out");
    require_outside("/a/b", "/a/bc");
    require_outside("/a/b", "/c");
}

}  // namespace
}  // namespace dampi::scheduler
