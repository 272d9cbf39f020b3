// Which bytes regions of memory have in common, against marking each byte.
#include "piggyback/rank/buffers/region.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <random>
#include <set>
#include <utility>
#include <vector>

namespace dampi::piggyback {
namespace {

constexpr std::int64_t somewhere = 100000;

std::shared_ptr<const Element> element(std::vector<Blocks> blocks, std::int64_t extent) {
    Element made;
    made.begin = blocks.front().begin;
    made.end = blocks.back().end();
    made.extent = extent;
    made.solid = blocks.size() == 1 && blocks.front().count == 1 && blocks.front().length == extent;
    made.blocks = std::move(blocks);
    return std::make_shared<const Element>(std::move(made));
}

Region region(const std::shared_ptr<const Element>& of, std::int64_t address, std::int64_t count) {
    const auto found = region_of(of.get(), address, count);
    EXPECT_TRUE(found);
    return found.value_or(Region());
}

/// Each byte as often as it is there.
std::multiset<std::int64_t> bytes(const Element& element, std::int64_t address, std::int64_t count) {
    std::multiset<std::int64_t> all;
    for (std::int64_t i = 0; i < count; ++i) {
        for (const Blocks& each : *element.blocks) {
            for (std::int64_t j = 0; j < each.count * each.length; ++j) {
                all.insert(address + i * element.extent + each.begin + j / each.length * each.stride + j % each.length);
            }
        }
    }
    return all;
}

TEST(Region, OfSolidElementsIsAllBetweenItsBounds) {
    const auto number = element({{.begin = 0, .length = 8}}, 8);
    const Region found = region(number, somewhere, 5);
    EXPECT_EQ(found.element, nullptr);
    EXPECT_EQ(found.begin, somewhere);
    EXPECT_EQ(found.end, somewhere + 40);
    EXPECT_EQ(common_byte(found, region(number, somewhere + 32, 5)), somewhere + 32);
    EXPECT_FALSE(common_byte(found, region(number, somewhere + 40, 5)));
}

TEST(Region, WithoutDataOrMemoryIsNone) {
    const auto number = element({{.begin = 0, .length = 8}}, 8);
    EXPECT_FALSE(region_of(number.get(), somewhere, 0));
    EXPECT_FALSE(region_of(number.get(), somewhere, -1));
    EXPECT_FALSE(region_of(nullptr, somewhere, 1));
    EXPECT_FALSE(region_of(number.get(), 0, 1));
    EXPECT_FALSE(region_of(number.get(), somewhere, std::int64_t{1} << 61));
    const Element empty;
    EXPECT_FALSE(region_of(&empty, somewhere, 1));
}

TEST(Region, OfAbsoluteAddressesBeginsThere) {
    const auto absolute = element({{.begin = somewhere, .length = 8}, {.begin = somewhere + 64, .length = 4}}, 68);
    const Region found = region(absolute, 0, 1);
    const auto number = element({{.begin = 0, .length = 4}}, 4);
    EXPECT_EQ(common_byte(found, region(number, somewhere + 64, 1)), somewhere + 64);
    EXPECT_FALSE(common_byte(found, region(number, somewhere + 60, 1)));
}

TEST(Region, OfColumnsThatLieBetweenEachOtherHasNothingInCommon) {
    constexpr std::int64_t rows = 100000;  // far more than are looked at one by one
    const auto column = element({{.begin = 0, .length = 8, .stride = 80, .count = rows}}, 80 * rows);
    const auto wide = element({{.begin = 0, .length = 9, .stride = 80, .count = rows}}, 80 * rows);
    EXPECT_FALSE(common_byte(region(column, somewhere, 1), region(column, somewhere + 8, 1)));
    EXPECT_EQ(common_byte(region(wide, somewhere, 1), region(column, somewhere + 8, 1)), somewhere + 8);
}

TEST(Region, OfUnknownBytesHasNothingInCommon) {
    Element unknown;
    unknown.end = 1000;
    unknown.extent = 1000;
    const auto number = element({{.begin = 0, .length = 8}}, 8);
    const auto known = std::make_shared<const Element>(unknown);
    EXPECT_FALSE(common_byte(region(known, somewhere, 1), region(number, somewhere, 1)));
}

TEST(Region, HasTheBytesThatAreMarkedOneByOne) {
    std::mt19937 random(11);
    const auto below = [&](std::int64_t bound) {
        return std::uniform_int_distribution<std::int64_t>(0, bound - 1)(random);
    };
    int common = 0;
    int repeating = 0;
    for (int round = 0; round < 4000; ++round) {
        const auto make = [&] {
            std::vector<Blocks> blocks;
            std::int64_t end = 0;
            for (std::int64_t i = 1 + below(3); i > 0; --i) {
                Blocks next{.begin = end + below(4), .length = 1 + below(4)};
                if (below(2) == 0) {
                    next.count = 2 + below(3);
                    next.stride = next.length + 1 + below(4);
                }
                end = next.end();
                blocks.push_back(next);
            }
            const std::int64_t extent = below(4) == 0 ? below(end + 6) - 3 : end + below(6);
            return element(std::move(blocks), extent == 0 ? end : extent);
        };
        const auto a = make();
        const auto b = make();
        const std::int64_t at = somewhere + below(60) - 30;
        const std::int64_t count_a = 1 + below(5);
        const std::int64_t count_b = 1 + below(5);
        const std::multiset<std::int64_t> bytes_a = bytes(*a, somewhere, count_a);
        const std::multiset<std::int64_t> bytes_b = bytes(*b, at, count_b);
        const Region first = region(a, somewhere, count_a);
        ASSERT_EQ(first.begin, *bytes_a.begin());
        ASSERT_EQ(first.end, *bytes_a.rbegin() + 1);
        bool meet = false;
        for (const std::int64_t each : bytes_a) {
            meet = meet || bytes_b.contains(each);
        }
        const auto found = common_byte(first, region(b, at, count_b));
        ASSERT_EQ(found.has_value(), meet) << round;
        if (found) {
            ++common;
            ASSERT_TRUE(bytes_a.contains(*found) && bytes_b.contains(*found)) << round;
        }
        const bool repeats = std::set<std::int64_t>(bytes_a.begin(), bytes_a.end()).size() < bytes_a.size();
        ASSERT_EQ(a->repeats_among(count_a), repeats) << round;
        repeating += repeats ? 1 : 0;
    }
    EXPECT_GT(common, 400);
    EXPECT_GT(repeating, 40);
}

TEST(Region, HasAnotherSumWhereverABitIsAnotherOne) {
    std::vector<unsigned char> memory(256);
    for (std::size_t i = 0; i < memory.size(); ++i) {
        memory[i] = static_cast<unsigned char>(i * 7);
    }
    const auto address = reinterpret_cast<std::intptr_t>(memory.data());
    for (const std::int64_t length : {1, 7, 8, 9, 24, 31, 32, 33, 64, 100, 256}) {
        const Region whole{.begin = address, .end = address + length};
        std::uint64_t before = 0;
        std::uint64_t after = 0;
        ASSERT_TRUE(find_sum(whole, 256, before));
        for (std::int64_t bit = 0; bit < 8 * length; ++bit) {
            unsigned char& byte = memory[static_cast<std::size_t>(bit / 8)];
            byte ^= static_cast<unsigned char>(1U << bit % 8);
            ASSERT_TRUE(find_sum(whole, 256, after));
            EXPECT_NE(before, after) << length << " bytes, bit " << bit;
            byte ^= static_cast<unsigned char>(1U << bit % 8);
        }
        ASSERT_TRUE(find_sum(whole, 256, after));
        EXPECT_EQ(before, after);
    }
    std::uint64_t none = 0;
    EXPECT_FALSE(find_sum({.begin = address, .end = address + 257}, 256, none));
}

TEST(Region, HasAnotherSumWhereTwoNumbersChangeTheirSignsOrPlaces) {
    std::vector<double> numbers(32);
    std::iota(numbers.begin(), numbers.end(), 1.0);
    const auto address = reinterpret_cast<std::intptr_t>(numbers.data());
    const Region whole{.begin = address, .end = address + 256};
    std::uint64_t before = 0;
    std::uint64_t after = 0;
    ASSERT_TRUE(find_sum(whole, 256, before));
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            numbers[i] = -numbers[i];
            numbers[j] = -numbers[j];
            ASSERT_TRUE(find_sum(whole, 256, after));
            EXPECT_NE(before, after) << i << ' ' << j;
            numbers[i] = -numbers[i];
            numbers[j] = -numbers[j];
            std::swap(numbers[i], numbers[j]);
            ASSERT_TRUE(find_sum(whole, 256, after));
            EXPECT_NE(before, after) << i << ' ' << j;
            std::swap(numbers[i], numbers[j]);
        }
    }
}

TEST(Region, LeavesGapsOutOfItsSum) {
    std::vector<unsigned char> memory(64);
    const auto address = reinterpret_cast<std::intptr_t>(memory.data());
    const auto column = element({{.begin = 0, .length = 4, .stride = 16, .count = 3}}, 64);
    const Region part = region(column, address, 1);
    std::uint64_t before = 0;
    ASSERT_TRUE(find_sum(part, 256, before));
    for (std::size_t i = 0; i < memory.size(); ++i) {
        memory[i] = 1;
        std::uint64_t after = 0;
        ASSERT_TRUE(find_sum(part, 256, after));
        EXPECT_EQ(before != after, i < 36 && i % 16 < 4) << i;
        memory[i] = 0;
    }
}

TEST(Region, FindsTheFirstByteOfItAndWhetherAllAre) {
    std::mt19937 random(7);
    const std::vector<std::shared_ptr<const Element>> elements{
        element({{.begin = 0, .length = 4}}, 4), element({{.begin = 2, .length = 3, .stride = 7, .count = 4}}, 30),
        element({{.begin = 0, .length = 2}, {.begin = 5, .length = 1, .stride = 3, .count = 2}}, 4),
        element({{.begin = -3, .length = 2}, {.begin = 4, .length = 1}}, -9),
        element({{.begin = 1, .length = 2, .stride = 40, .count = 3}}, 5)};
    for (const auto& of : elements) {
        for (const std::int64_t count : {1, 2, 6}) {
            const Region in = region(of, somewhere, count);
            const std::multiset<std::int64_t> own = bytes(*of, somewhere, count);
            for (int i = 0; i < 500; ++i) {
                const std::int64_t begin = in.begin - 8 + static_cast<std::int64_t>(random() % 120);
                const std::int64_t end = begin + 1 + static_cast<std::int64_t>(random() % 9);
                const auto first = own.lower_bound(begin);
                EXPECT_EQ(first_byte_in(in, begin, end), first != own.end() && *first < end ? *first : -1);
                bool all = true;
                for (std::int64_t byte = begin; byte < end; ++byte) {
                    all = all && own.count(byte) != 0;
                }
                EXPECT_EQ(covers(in, begin, end), all) << begin - somewhere << " " << end - somewhere;
            }
        }
    }
}

}  // namespace
}  // namespace dampi::piggyback
