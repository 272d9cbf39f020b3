// Memory for what comes and goes with live messages: aligned, zeroed, used again, never beyond its part.
#include "transport/memory/slab.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <utility>
#include <vector>

namespace dampi::transport::memory {
namespace {

TEST(Slab, BlocksAreAlignedZeroedAndApart) {
    const Area area = Area::create(2, {});
    Slab slab(area, 1);
    std::mt19937 random(1);
    std::vector<std::pair<Offset, std::uint64_t>> blocks;
    for (int step = 0; step < 3000; ++step) {
        if (random() % 3 == 0 && !blocks.empty()) {
            const std::size_t at = random() % blocks.size();
            slab.free(blocks[at].first, blocks[at].second);
            blocks.erase(blocks.begin() + static_cast<std::ptrdiff_t>(at));
            continue;
        }
        const std::uint64_t size = 1 + random() % 5000;
        const Offset block = slab.allocate(size);
        ASSERT_EQ(block % 64, 0U);
        ASSERT_GE(block, area.slab_begin(1));
        ASSERT_LE(block + size, area.slab_end(1));
        auto* bytes = &area.at<std::uint8_t>(block);
        ASSERT_TRUE(std::all_of(bytes, bytes + size, [](std::uint8_t byte) { return byte == 0; })) << step;
        std::memset(bytes, 0xee, size);
        blocks.emplace_back(block, size);
    }
    std::sort(blocks.begin(), blocks.end());
    for (std::size_t i = 1; i < blocks.size(); ++i) {
        ASSERT_LE(blocks[i - 1].first + blocks[i - 1].second, blocks[i].first);
    }
}

TEST(Slab, FreedBlocksAreUsedAgain) {
    const Area area = Area::create(1, {});
    Slab slab(area, 0);
    const Offset first = slab.allocate(1000);
    slab.free(first, 1000);
    for (int i = 0; i < 100000; ++i) {
        const Offset block = slab.allocate(1000);
        ASSERT_EQ(block, first);
        slab.free(block, 1000);
    }
}

TEST(Slab, RunningOutIsNoticed) {
    const Area area = Area::create(1, {});
    Slab slab(area, 0);
    EXPECT_NO_THROW(slab.allocate(slab_capacity / 2));
    EXPECT_THROW(slab.allocate(slab_capacity), InternalError);
}

}  // namespace
}  // namespace dampi::transport::memory
