#include "scheduler/order/moments_of_run.hpp"

#include "transport/requests/moments.hpp"

#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

namespace dampi::scheduler {
namespace {

namespace fs = std::filesystem;
using namespace transport::requests;

class MomentsOfRun : public testing::Test {
protected:
    void SetUp() override {
        folder_ = fs::temp_directory_path() / ("dampi-moments-" + std::to_string(getpid()));
        fs::create_directories(folder_);
        write(file_of_rank(folder_.string(), mappings_name, 1),
              "1000-2000 rw-p 00000000 00:00 0    /a/b c\n2000-3000 r--p 0 0 0\n");
    }
    void TearDown() override { fs::remove_all(folder_); }

    static void write(const fs::path& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }
    void write_moments(const std::string& text) const { write(file_of_rank(folder_.string(), moments_name, 1), text); }

    void write_memory(std::uint32_t moment, std::uint64_t begin, const std::string& now, const std::string& before,
                      std::uint64_t size) const {
        const MemoryPiece head{.begin = begin, .size = size, .has_before = before.empty() ? 0U : 1U};
        std::ofstream file(memory_file(folder_.string(), 1, moment), std::ios::binary | std::ios::app);
        file.write(reinterpret_cast<const char*>(&head), sizeof head);
        file << now << before;
    }

    fs::path folder_;
};

TEST_F(MomentsOfRun, AreReadAsTheyWereWritten) {
    write_moments("received 1000 1008 2 7\nmoment 1 MPI_Send 40 1 a b 9000 41 100 5 42 200 6\n");
    const auto read = read_moments(folder_, 1);
    ASSERT_TRUE(read);
    ASSERT_EQ(read->moments.size(), 1U);
    const MomentOfRank& moment = read->moments.front();
    EXPECT_EQ(moment.function, "MPI_Send");
    EXPECT_EQ(moment.site, 0x40U);
    EXPECT_EQ(moment.state, (base::Digest{0xa, 0xb}));
    EXPECT_EQ(moment.received, 1U);
    ASSERT_EQ(moment.frames.size(), 1U) << "the last one says where the one before ends";
    EXPECT_EQ(moment.frames.front().sp, 0x100U);
    EXPECT_EQ(moment.frames.front().cfa, 0x200U);
    EXPECT_EQ(read->received.front().source, 2U);
    EXPECT_EQ(read->mappings.front().path, "/a/b c");
    EXPECT_TRUE(read->mappings.front().writable);
}

TEST_F(MomentsOfRun, WhatMakesNoSenseIsNotThere) {
    for (const std::string text : {"", "something else\n", "moment 2 MPI_Send 40 1 a b 9000\n",
                                   "moment 1 MPI_Send 40 0 a b 9000\n", "moment 1 MPI_Send\n", "received 10\n"}) {
        write_moments(text);
        EXPECT_FALSE(read_moments(folder_, 1)) << text;
    }
    write_moments("moment 1 MPI_Send 40 1 a b 9000\n");
    EXPECT_TRUE(read_moments(folder_, 1));
    EXPECT_FALSE(read_moments(folder_, 0));
    fs::remove(file_of_rank(folder_.string(), mappings_name, 1));
    EXPECT_FALSE(read_moments(folder_, 1));
}

TEST_F(MomentsOfRun, MemoryThatOneHasNotChangedIsAsItWasBefore) {
    write_memory(1, 0x1000, "abcd", "abxd", 4);
    write_memory(2, 0x2000, "q", "", 1);
    const auto one = MemoryOfRank::read(folder_, 1, 1);
    const auto other = MemoryOfRank::read(folder_, 1, 2);
    ASSERT_TRUE(one && other);
    EXPECT_EQ(MemoryOfRank::differences(*one, *other, 100), (std::vector<std::uint64_t>{0x1002, 0x2000}));
    EXPECT_EQ(MemoryOfRank::byte(*other, *one, 0x1002), std::uint8_t{'x'});
    EXPECT_EQ(MemoryOfRank::byte(*one, *other, 0x2000), std::uint8_t{0});
    EXPECT_FALSE(MemoryOfRank::byte(*one, *other, 0x3000));
    EXPECT_TRUE(MemoryOfRank::differences(*one, *one, 100).empty());
}

TEST_F(MomentsOfRun, MemoryThatIsNotWholeIsNotThere) {
    EXPECT_FALSE(MemoryOfRank::read(folder_, 1, 1));
    write_memory(1, 0x1000, "ab", "", 4);
    EXPECT_FALSE(MemoryOfRank::read(folder_, 1, 1));
    write_memory(2, 0x1000, "ab", "", std::uint64_t{1} << 50);
    EXPECT_FALSE(MemoryOfRank::read(folder_, 1, 2));
}

}  // namespace
}  // namespace dampi::scheduler
