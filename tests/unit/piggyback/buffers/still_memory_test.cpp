// Buffers that only MPI may change, inside of its calls.
#include "piggyback/rank/buffers/still_memory.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <utility>
#include <vector>

namespace dampi::piggyback {
namespace {

std::int64_t address(const char* memory) { return reinterpret_cast<std::intptr_t>(memory); }

std::vector<std::pair<StillMemory::Token, std::int64_t>> changed(StillMemory& still) {
    std::vector<std::pair<StillMemory::Token, std::int64_t>> found;
    still.find_changed([&](StillMemory::Token token, std::int64_t at) { found.emplace_back(token, at); });
    return found;
}

TEST(StillMemory, OnlyWhatChangesOutsideOfCallsIsFound) {
    StillMemory still;
    char memory[100] = {};
    const StillMemory::Token token = still.add(address(memory), address(memory) + 100);
    ASSERT_NE(token, StillMemory::none);
    memory[1] = 1;  // still in the call that has begun the operation
    still.note();
    EXPECT_TRUE(changed(still).empty());
    memory[2] = 1;  // in another call
    EXPECT_TRUE(changed(still).empty());
    still.note();
    memory[50] = memory[60] = 1;
    EXPECT_EQ(changed(still), (std::vector{std::pair{token, address(memory) + 50}}));
    EXPECT_TRUE(still.empty()) << "it is said once";
}

TEST(StillMemory, OthersStayWhenOneIsTakenAway) {
    StillMemory still;
    char memory[StillMemory::most_buffers + 1][8] = {};
    std::vector<StillMemory::Token> tokens;
    for (std::size_t i = 0; i < StillMemory::most_buffers; ++i) {
        tokens.push_back(still.add(address(memory[i]), address(memory[i]) + 8));
        ASSERT_NE(tokens.back(), StillMemory::none);
    }
    char* const one_more = memory[StillMemory::most_buffers];
    EXPECT_EQ(still.add(address(one_more), address(one_more) + 8), StillMemory::none);
    still.note();
    still.remove(tokens[0]);
    still.remove(tokens[0]);
    memory[0][0] = memory[1][7] = memory[StillMemory::most_buffers - 1][3] = 1;
    EXPECT_EQ(changed(still).size(), 2U);
    EXPECT_NE(still.add(address(one_more), address(one_more) + 8), StillMemory::none);
}

TEST(StillMemory, LargeBuffersAreNotWatched) {
    StillMemory still;
    static char memory[StillMemory::most_bytes + 1];
    EXPECT_EQ(still.add(address(memory), address(memory) + StillMemory::most_bytes + 1), StillMemory::none);
    EXPECT_NE(still.add(address(memory), address(memory) + StillMemory::most_bytes), StillMemory::none);
}

}  // namespace
}  // namespace dampi::piggyback
