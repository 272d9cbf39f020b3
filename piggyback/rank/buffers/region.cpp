#include "piggyback/rank/buffers/region.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

namespace dampi::piggyback {
namespace {

/// Memory below is nobody's: a null pointer, or one to a member of a null structure.
constexpr std::int64_t lowest_address = 4096;
/// What is looked at to compare two regions, before nobody can tell: so the time is bounded.
constexpr std::int64_t most_steps = std::int64_t{1} << 18;
constexpr std::int64_t most_blocks = 1024;

/// The bytes of a region, in blocks at one distance each; nothing where they are not known or would be too many. Of
/// many elements of few blocks these are as many as an element has: the same block of all elements. Of few elements of
/// blocks that lie at one distance they are those of each element.
std::optional<std::vector<Blocks>> blocks_of(const Region& region) {
    if (region.element == nullptr) {
        return std::vector<Blocks>{{.begin = region.begin, .length = region.end - region.begin}};
    }
    const Element& element = *region.element;
    if (!element.blocks) {
        return std::nullopt;
    }
    // From the element at the lowest address to that at the highest.
    const std::int64_t step = std::abs(element.extent);
    const std::int64_t first = element.extent < 0 ? region.base + element.extent * (region.count - 1) : region.base;
    const std::int64_t count = step == 0 ? 1 : region.count;
    const auto parts = static_cast<std::int64_t>(element.blocks->size());
    std::int64_t single = 0;
    for (const Blocks& each : *element.blocks) {
        single += each.count;
    }
    const bool by_element = count == 1 || count <= single / parts;
    if ((by_element ? count * parts : single) > most_blocks) {
        return std::nullopt;
    }
    std::vector<Blocks> all;
    for (std::int64_t i = 0; by_element && i < count; ++i) {
        for (Blocks each : *element.blocks) {
            each.begin += first + i * step;
            all.push_back(each);
        }
    }
    if (by_element) {
        return all;
    }
    for (const Blocks& each : *element.blocks) {
        for (std::int64_t j = 0; j < each.count; ++j) {
            all.push_back(
                {.begin = first + each.begin + j * each.stride, .length = each.length, .stride = step, .count = count});
        }
    }
    return all;
}

/// Goes on with a sum: each step is a bijection of what was before, so that no change of eight bytes is lost.
std::uint64_t add_to_sum(std::uint64_t sum, std::int64_t address, std::int64_t length) {
    const auto* bytes = reinterpret_cast<const char*>(address);
    constexpr std::int64_t word = sizeof(std::uint64_t);
    const auto mixed = [](std::uint64_t value) {
        value *= 0x9e37'79b9'7f4a'7c15;
        return value ^ value >> 32;
    };
    for (; length >= word; length -= word, bytes += word) {
        std::uint64_t next = 0;
        std::memcpy(&next, bytes, sizeof next);
        sum = mixed(sum ^ next);
    }
    if (length > 0) {
        std::uint64_t next = 0;
        std::memcpy(&next, bytes, static_cast<std::size_t>(length));
        sum = mixed(sum ^ next);
    }
    return sum;
}

}  // namespace

std::optional<std::uint64_t> sum_of(const Region& region, std::int64_t span) {
    if (region.end - region.begin > span) {
        return std::nullopt;
    }
    if (region.element == nullptr) {
        return add_to_sum(0, region.begin, region.end - region.begin);
    }
    const auto blocks = blocks_of(region);
    if (!blocks) {
        return std::nullopt;
    }
    std::uint64_t sum = 0;
    for (const Blocks& each : *blocks) {
        for (std::int64_t i = 0; i < each.count; ++i) {
            sum = add_to_sum(sum, each.begin + i * each.stride, each.length);
        }
    }
    return sum;
}

std::optional<Region> region_of(const Element* element, std::int64_t address, std::int64_t count) {
    if (count <= 0 || element == nullptr || element->begin == element->end) {
        return std::nullopt;
    }
    Region region;
    region.base = address;
    region.count = count;
    std::int64_t rest = 0;  // from the first element to the last
    if (__builtin_mul_overflow(count - 1, element->extent, &rest) ||
        __builtin_add_overflow(address, element->begin + std::min<std::int64_t>(rest, 0), &region.begin) ||
        __builtin_add_overflow(address, element->end + std::max<std::int64_t>(rest, 0), &region.end) ||
        region.begin < lowest_address) {
        return std::nullopt;
    }
    if (!element->solid) {
        region.element = element;
    }
    return region;
}

std::optional<std::int64_t> common_byte(const Region& a, const Region& b) {
    if (!a.bounds_meet(b)) {
        return std::nullopt;
    }
    if (a.element == nullptr && b.element == nullptr) {
        return std::max(a.begin, b.begin);
    }
    const auto blocks = blocks_of(a);
    const auto others = blocks ? blocks_of(b) : std::nullopt;
    if (!others) {
        return std::nullopt;
    }
    std::int64_t steps = 0;
    for (const Blocks& one : *blocks) {
        for (const Blocks& other : *others) {
            const bool at_once = one.count == 1 || other.count == 1 || one.stride == other.stride;
            steps += at_once ? 1 : std::min(one.count, other.count);
            if (steps > most_steps) {
                return std::nullopt;
            }
            if (overlap(one, other)) {
                return first_common(one, other);
            }
        }
    }
    return std::nullopt;
}

}  // namespace dampi::piggyback
