// Which bytes are accessed: joining blocks and finding those that overlap.
#include "piggyback/distributed/one_sided/access_list.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace dampi::piggyback::distributed {
namespace {

std::set<std::int64_t> bytes_of(const Blocks& blocks) {
    std::set<std::int64_t> bytes;
    for (std::int64_t i = 0; i < blocks.count; ++i) {
        for (std::int64_t j = 0; j < blocks.length; ++j) {
            bytes.insert(blocks.begin + i * blocks.stride + j);
        }
    }
    return bytes;
}

class RandomBlocks {
public:
    Blocks operator()() {
        Blocks blocks{.begin = upto(40) - 10, .length = 1 + upto(4)};
        if (upto(3) != 0) {
            blocks.count = 2 + upto(4);
            blocks.stride = blocks.length + upto(6);
        }
        return blocks;
    }

private:
    std::int64_t upto(int most) { return std::uniform_int_distribution<int>(0, most)(random_); }
    std::mt19937 random_{1};
};

TEST(Blocks, overlap_if_they_have_a_byte_in_common) {
    RandomBlocks random;
    for (int i = 0; i < 100000; ++i) {
        const Blocks a = random();
        const Blocks b = random();
        bool common = false;
        const auto bytes = bytes_of(a);
        for (const std::int64_t byte : bytes_of(b)) {
            common = common || bytes.contains(byte);
        }
        ASSERT_EQ(overlap(a, b), common) << a.begin << ' ' << a.length << ' ' << a.stride << ' ' << a.count << " and "
                                         << b.begin << ' ' << b.length << ' ' << b.stride << ' ' << b.count;
    }
}

TEST(Blocks, contain_only_what_they_have) {
    RandomBlocks random;
    int contained = 0;
    for (int i = 0; i < 100000; ++i) {
        const Blocks outer = random();
        const Blocks inner = random();
        if (contains(outer, inner)) {
            ++contained;
            const auto bytes = bytes_of(outer);
            for (const std::int64_t byte : bytes_of(inner)) {
                ASSERT_TRUE(bytes.contains(byte));
            }
        }
    }
    EXPECT_GT(contained, 100);
}

TEST(Blocks, are_extended_by_what_follows) {
    RandomBlocks random;
    int extended = 0;
    for (int i = 0; i < 1000000; ++i) {
        Blocks blocks = random();
        const Blocks next = random();
        auto bytes = bytes_of(blocks);
        if (extend(blocks, next)) {
            ++extended;
            bytes.merge(bytes_of(next));
            ASSERT_EQ(bytes_of(blocks), bytes);
        }
    }
    EXPECT_GT(extended, 100);
}

}  // namespace
}  // namespace dampi::piggyback::distributed
