#include "piggyback/rank/buffers/region.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

namespace dampi::piggyback {
namespace {

/// What is looked at to compare two regions, before nobody can tell: so the time is bounded.
constexpr std::int64_t most_steps = std::int64_t{1} << 18;
constexpr std::int64_t most_blocks = 1024;

}  // namespace

// Of many elements of few blocks these are as many as an element has: the same block of all elements. Of few elements
// of blocks that lie at one distance they are those of each element.
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
    const std::int64_t first = region.begin - element.begin;
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

namespace {

/// Goes on with a sum: each step is a bijection of what was before, so that no change of one word is lost, and no two
/// changes of the highest bits make up for each other.
std::uint64_t mixed(std::uint64_t sum, std::uint64_t word) {
    return std::rotl(sum ^ word, 29) * std::uint64_t{0x9e37'79b9'7f4a'7c15};
}

std::uint64_t word_at(const char* bytes, std::size_t length = sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes, length);
    return word;
}

std::uint64_t add_to_sum(std::uint64_t sum, std::int64_t address, std::int64_t length) {
    const auto* bytes = reinterpret_cast<const char*>(address);
    constexpr std::int64_t word = sizeof(std::uint64_t);
    constexpr std::int64_t lanes = 4;  // as many words at a time: none waits for the one before
    if (length >= lanes * word) {
        std::uint64_t second = 0;
        std::uint64_t third = 0;
        std::uint64_t fourth = 0;
        for (; length >= lanes * word; length -= lanes * word, bytes += lanes * word) {
            sum = mixed(sum, word_at(bytes));
            second = mixed(second, word_at(bytes + word));
            third = mixed(third, word_at(bytes + 2 * word));
            fourth = mixed(fourth, word_at(bytes + 3 * word));
        }
        sum ^= std::rotl(second, 16) ^ std::rotl(third, 32) ^ std::rotl(fourth, 48);
    }
    for (; length >= word; length -= word, bytes += word) {
        sum = mixed(sum, word_at(bytes));
    }
    return length > 0 ? mixed(sum, word_at(bytes, static_cast<std::size_t>(length))) : sum;
}

}  // namespace

std::uint64_t sum_of_many(std::int64_t address, std::int64_t length) { return add_to_sum(0, address, length); }

bool find_sum_of_elements(const Region& region, std::uint64_t& sum) {
    const auto blocks = blocks_of(region);
    if (!blocks) {
        return false;
    }
    sum = 0;
    for (const Blocks& each : *blocks) {
        for (std::int64_t i = 0; i < each.count; ++i) {
            sum = add_to_sum(sum, each.begin + i * each.stride, each.length);
        }
    }
    return true;
}

std::optional<Region> region_of(const Element* element, std::int64_t address, std::int64_t count) {
    if (count <= 0 || element == nullptr || element->begin == element->end) {
        return std::nullopt;
    }
    Region region;
    if (element->solid) {
        return find_solid_region(*element, address, count, region) ? std::optional(region) : std::nullopt;
    }
    region.element = element;
    region.count = count;
    std::int64_t rest = 0;  // from the first element to the last
    if (__builtin_mul_overflow(count - 1, element->extent, &rest) ||
        __builtin_add_overflow(address, element->begin + std::min<std::int64_t>(rest, 0), &region.begin) ||
        __builtin_add_overflow(address, element->end + std::max<std::int64_t>(rest, 0), &region.end) ||
        region.begin < lowest_address) {
        return std::nullopt;
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

std::int64_t first_byte_in(const Region& region, std::int64_t begin, std::int64_t end) noexcept {
    begin = std::max(begin, region.begin);
    end = std::min(end, region.end);
    if (begin >= end || region.element == nullptr) {
        return begin < end ? begin : -1;
    }
    const Element& element = *region.element;
    if (!element.blocks) {
        return -1;
    }
    // Those elements whose bounds meet these bytes: several, where elements lie within each other.
    const std::int64_t step = std::abs(element.extent);
    const std::int64_t origin = region.begin - element.begin;
    const std::int64_t last = step == 0 ? 0 : region.count - 1;
    const std::int64_t before = begin - (origin + element.end);
    const std::int64_t from = step == 0 || before < 0 ? 0 : before / step + 1;
    const std::int64_t to = step == 0 ? 0 : std::min(last, (end - 1 - (origin + element.begin)) / step);
    std::int64_t lowest = -1;
    std::int64_t steps = 0;
    for (std::int64_t i = from; i <= to; ++i) {
        for (Blocks each : *element.blocks) {
            if (++steps > most_steps) {
                return lowest;
            }
            each.begin += origin + i * step;
            const Blocks asked{.begin = begin, .length = end - begin};
            if (overlap(each, asked)) {
                const std::int64_t byte = first_common(each, asked);
                lowest = lowest < 0 ? byte : std::min(lowest, byte);
            }
        }
    }
    return lowest;
}

bool covers(const Region& region, std::int64_t begin, std::int64_t end) noexcept {
    if (begin < region.begin || end > region.end) {
        return false;
    }
    constexpr std::int64_t most_bytes = 64;
    if (region.element == nullptr) {
        return true;
    }
    for (std::int64_t byte = begin; byte < end; ++byte) {
        if (end - begin > most_bytes || first_byte_in(region, byte, byte + 1) != byte) {
            return false;
        }
    }
    return true;
}

}  // namespace dampi::piggyback
