// Which pages buffers lie in, and what is left of them.
#include "piggyback/rank/touches/page_ranges.hpp"
#include "piggyback/rank/touches/memory_map.hpp"

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>
#include <sys/mman.h>

namespace dampi::piggyback::touches {
namespace {

using All = std::vector<Closed>;

constexpr Closed sent(std::uint64_t begin, std::uint64_t end) { return {.begin = begin, .end = end}; }
constexpr Closed received(std::uint64_t begin, std::uint64_t end) {
    return {.begin = begin, .end = end, .to_reads = true};
}

TEST(PageRanges, AreWholePages) {
    EXPECT_EQ(pages_of({}), All{});
    EXPECT_EQ(pages_of({sent(0x1010, 0x1020)}), All{sent(0x1000, 0x2000)});
    EXPECT_EQ(pages_of({received(0x1fff, 0x2001)}), All{received(0x1000, 0x3000)});
    EXPECT_EQ(pages_of({received(0x1000, 0x2000)}), All{received(0x1000, 0x2000)});
}

TEST(PageRanges, TakeWhatLiesTogetherOnce) {
    EXPECT_EQ(pages_of({sent(0x1010, 0x1020), sent(0x1030, 0x2010), sent(0x3000, 0x3001)}), All{sent(0x1000, 0x4000)});
    EXPECT_EQ(pages_of({sent(0x5000, 0x5001), sent(0x1000, 0x1001)}),
              (All{sent(0x1000, 0x2000), sent(0x5000, 0x6000)}));
}

TEST(PageRanges, AreClosedToReadsWhereSomethingIsReceived) {
    EXPECT_EQ(pages_of({sent(0x1000, 0x5000), received(0x2010, 0x2020)}),
              (All{sent(0x1000, 0x2000), received(0x2000, 0x3000), sent(0x3000, 0x5000)}));
    EXPECT_EQ(pages_of({received(0x1000, 0x1010), sent(0x1010, 0x1020), received(0x1f00, 0x2010)}),
              All{received(0x1000, 0x3000)});
}

TEST(PageRanges, LeaveOut) {
    All pages{sent(0x1000, 0x4000), received(0x5000, 0x6000)};
    leave_out(pages, 0x2000, 0x3000);
    EXPECT_EQ(pages, (All{sent(0x1000, 0x2000), sent(0x3000, 0x4000), received(0x5000, 0x6000)}));
    leave_out(pages, 0x3000, 0x7000);
    EXPECT_EQ(pages, All{sent(0x1000, 0x2000)});
    leave_out(pages, 0x0, 0x1000);
    EXPECT_EQ(pages, All{sent(0x1000, 0x2000)});
}

TEST(MemoryMap, ReadsTheSystemsLines) {
    EXPECT_EQ(parse_maps("1000-3000 r-xp 00000000 fe:00 17    /bin/true\n"
                         "7000-8000 rw-p 00000000 00:00 0     [stack]\nnonsense\n9000-a000 ---p 0 0 0\n"),
              (std::vector<Mapped>{{.begin = 0x1000, .end = 0x3000, .rights = PROT_READ | PROT_EXEC},
                                   {.begin = 0x7000, .end = 0x8000, .rights = PROT_READ | PROT_WRITE, .is_stack = true},
                                   {.begin = 0x9000, .end = 0xa000, .rights = PROT_NONE}}));
}

TEST(MemoryMap, FindsWhatHasComeAndGotOtherRights) {
    MemoryMap map;
    const int local = 0;
    const Mapped* const stack = map.find(reinterpret_cast<std::uintptr_t>(&local));
    ASSERT_NE(stack, nullptr);
    EXPECT_NE(stack->rights & PROT_WRITE, 0);
    void* const memory = mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    const auto address = reinterpret_cast<std::uintptr_t>(memory);
    ASSERT_NE(map.find(address), nullptr);
    EXPECT_EQ(map.find(address)->rights, PROT_NONE);
    mprotect(memory, 4096, PROT_READ | PROT_WRITE);
    EXPECT_EQ(map.find(address)->rights, PROT_READ | PROT_WRITE);
    munmap(memory, 4096);
    map.forget();
    EXPECT_EQ(map.find(address), nullptr);
}

}  // namespace
}  // namespace dampi::piggyback::touches
