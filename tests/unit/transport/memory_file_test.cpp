#include "transport/memory/memory_file.hpp"

#include "base/check.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string>
#include <utility>

#include <sys/resource.h>
#include <unistd.h>

namespace dampi::transport::memory {
namespace {

constexpr std::uint64_t size = std::uint64_t{1} << 30;
constexpr std::uint64_t page = 4096;

MemoryFile made() { return MemoryFile::create("test", "memory for a test", size); }

TEST(MemoryFile, WhatOneWritesTheOtherReads) {
    const MemoryFile file = made();
    const MemoryFile other = MemoryFile::attach(file.attach_path().c_str(), "memory for a test", nullptr);
    EXPECT_EQ(other.size(), size);
    EXPECT_NE(other.base(), file.base());
    file.base()[5 * page] = 7;
    EXPECT_EQ(other.base()[5 * page], 7);
}

/// Whether a core dump leaves the mapping at this address out, as the kernel shows it.
bool is_left_out_of_dumps(const void* address) {
    char begin[32];
    std::snprintf(begin, sizeof begin, "%lx-", static_cast<unsigned long>(reinterpret_cast<std::uintptr_t>(address)));
    std::ifstream maps("/proc/self/smaps");
    std::string line;
    while (std::getline(maps, line) && !line.starts_with(begin)) {}
    while (std::getline(maps, line) && !line.starts_with("VmFlags:")) {}
    return line.find(" dd") != std::string::npos;
}

TEST(MemoryFile, CoreDumpsLeaveItOut) {
    const MemoryFile file = made();
    EXPECT_TRUE(is_left_out_of_dumps(file.base()));
    MemoryFile other = MemoryFile::attach(file.attach_path().c_str(), "memory for a test", nullptr);
    EXPECT_TRUE(is_left_out_of_dumps(other.base()));
    other.let_go();
    other.attach_again(file.attach_path().c_str());
    EXPECT_TRUE(is_left_out_of_dumps(other.base()));
}

TEST(MemoryFile, ErrorsSayWhatItWasFor) {
    try {
        MemoryFile::attach("/nonexistent", "memory for a test", nullptr);
        FAIL();
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("cannot open memory for a test"), std::string::npos) << error.what();
    }
}

TEST(MemoryFile, AdvisesToRaiseALimitOnlyWhereThereIsOne) {
    const auto refusal = [](std::uint64_t bytes) -> std::string {
        try {
            MemoryFile::create("test", "memory for a test", bytes);
        } catch (const Error& error) {
            return error.what();
        }
        return {};
    };
    constexpr std::uint64_t more_than_any_process_has = std::uint64_t{1} << 60;
    const std::string without = refusal(more_than_any_process_has);
    EXPECT_NE(without.find("with fewer processes it is less"), std::string::npos) << without;
    rlimit before{};
    ASSERT_EQ(getrlimit(RLIMIT_AS, &before), 0);
    const rlimit low{std::uint64_t{1} << 40, before.rlim_max};
    ASSERT_EQ(setrlimit(RLIMIT_AS, &low), 0);
    const std::string with = refusal(more_than_any_process_has);
    setrlimit(RLIMIT_AS, &before);
    EXPECT_NE(with.find("(ulimit -v)"), std::string::npos) << with;
}

TEST(MemoryFile, AttachingLeavesNoDescriptorBehind) {
    const MemoryFile file = made();
    const int before = dup(0);
    close(before);
    const MemoryFile other = MemoryFile::attach(file.attach_path().c_str(), "memory for a test", nullptr);
    const int after = dup(0);
    close(after);
    EXPECT_EQ(after, before);
}

TEST(MemoryFile, ClearedItIsZeroWhereverItWasWritten) {
    MemoryFile file = made();
    const MemoryFile other = MemoryFile::attach(file.attach_path().c_str(), "memory for a test", nullptr);
    // Twice the same pages, and then one more.
    for (const std::uint64_t last : {200 * page, 200 * page, 7000 * page}) {
        const std::uint64_t places[] = {0, 3 * page + 17, size - 1, last};
        for (const std::uint64_t place : places) {
            other.base()[place] = 1;
        }
        ASSERT_TRUE(file.clear());
        for (const std::uint64_t place : places) {
            EXPECT_EQ(file.base()[place], 0) << place;
        }
    }
}

TEST(MemoryFile, OneThatTakesMuchIsNotCleared) {
    MemoryFile file = made();
    std::fill_n(file.base(), 8U << 20, 1);
    EXPECT_FALSE(file.clear());
    EXPECT_EQ(file.base()[0], 1);
}

TEST(MemoryFile, AKeptMappingIsUsedAgainForTheSameFileOnly) {
    const MemoryFile file = made();
    const MemoryFile another = made();
    KeptMappings kept;
    MemoryFile first = MemoryFile::attach(file.attach_path().c_str(), "memory for a test", &kept);
    std::uint8_t* const base = first.base();
    first.leave_to(kept);
    EXPECT_EQ(first.base(), nullptr);
    EXPECT_EQ(kept.bytes(), size);
    EXPECT_TRUE(kept.begins_at(reinterpret_cast<std::uintptr_t>(base)));

    MemoryFile again = MemoryFile::attach(file.attach_path().c_str(), "memory for a test", &kept);
    EXPECT_EQ(again.base(), base);
    EXPECT_EQ(kept.bytes(), 0U);
    file.base()[0] = 9;
    EXPECT_EQ(again.base()[0], 9);
    again.leave_to(kept);

    const MemoryFile third = MemoryFile::attach(another.attach_path().c_str(), "memory for a test", &kept);
    EXPECT_EQ(third.base()[0], 0);
    EXPECT_EQ(kept.bytes(), 0U) << "what is not of this file is given up";
}

TEST(MemoryFile, AFileThatIsGoneIsNotTakenForItsSuccessor) {
    KeptMappings kept;
    auto file = made();
    MemoryFile first = MemoryFile::attach(file.attach_path().c_str(), "memory for a test", &kept);
    first.leave_to(kept);
    const std::string path = file.attach_path();
    file = MemoryFile();
    file = made();
    ASSERT_EQ(file.attach_path(), path) << "under the same descriptor";
    const MemoryFile second = MemoryFile::attach(path.c_str(), "memory for a test", &kept);
    second.base()[0] = 3;
    EXPECT_EQ(file.base()[0], 3);
}

TEST(MemoryFile, ThereIsRoomForTwoMappings) {
    const MemoryFile file = made();
    KeptMappings kept;
    for (int i = 0; i < 3; ++i) {
        MemoryFile own = MemoryFile::attach(file.attach_path().c_str(), "memory for a test", nullptr);
        own.leave_to(kept);
        EXPECT_EQ(own.base() == nullptr, i < 2) << i;
    }
    EXPECT_EQ(kept.bytes(), 2 * size);
    EXPECT_EQ(kept.take("/nonexistent").base, nullptr);
    EXPECT_EQ(kept.bytes(), 0U);
}

}  // namespace
}  // namespace dampi::transport::memory
