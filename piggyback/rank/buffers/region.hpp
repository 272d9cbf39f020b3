// The memory that an operation reads or writes: a buffer, a count and a datatype. Says which byte two of them have in
// common; where that is not known for sure, they have none.
#pragma once

#include "piggyback/rank/buffers/element.hpp"

#include <cstdint>
#include <cstring>
#include <optional>
#include <vector>

namespace dampi::piggyback {

struct Region {
    std::int64_t begin = 0;            ///< address of its first byte
    std::int64_t end = 0;              ///< behind its last one
    const Element* element = nullptr;  ///< null: each byte from `begin` to `end` is of it
    std::int64_t count = 0;            ///< of elements; of no meaning without `element`

    [[nodiscard]] bool bounds_meet(const Region& other) const { return begin < other.end && other.begin < end; }
};

/// Memory below is nobody's: a null pointer, or one to a member of a null structure.
constexpr std::int64_t lowest_address = 4096;

/// `count` elements; null for a datatype that MPI refuses. Nothing where there is no data, no buffer, or MPI will
/// refuse the arguments.
[[nodiscard]] std::optional<Region> region_of(const Element* element, std::int64_t address, std::int64_t count);

/// The same for elements that are `solid`, in `region`; false where there is nothing.
[[nodiscard]] inline bool find_solid_region(const Element& element, std::int64_t address, std::int64_t count,
                                            Region& region) {
    std::int64_t length = 0;
    if (count <= 0 || __builtin_mul_overflow(count, element.extent, &length) ||
        __builtin_add_overflow(address, element.begin, &region.begin) ||
        __builtin_add_overflow(region.begin, length, &region.end) || region.begin < lowest_address) {
        return false;
    }
    region.element = nullptr;
    region.count = count;
    return true;
}

/// A sum of `length` bytes. It is another one whenever a word of eight of them is, counted from the first.
[[nodiscard]] std::uint64_t sum_of_many(std::int64_t address, std::int64_t length);
[[nodiscard]] inline std::uint64_t sum_of_bytes(std::int64_t address, std::int64_t length) {
    if (length != sizeof(std::uint64_t)) {
        return sum_of_many(address, length);
    }
    std::uint64_t all = 0;
    std::memcpy(&all, reinterpret_cast<const void*>(address), sizeof all);
    return all;
}

/// A sum of what is in the bytes of elements, in `sum`; false where these are not known.
[[nodiscard]] bool find_sum_of_elements(const Region& region, std::uint64_t& sum);
/// A sum of what is in its bytes, in `sum`; false where these are not known, or lie further apart than `span`.
[[nodiscard]] inline bool find_sum(const Region& region, std::int64_t span, std::uint64_t& sum) {
    const std::int64_t length = region.end - region.begin;
    if (length > span) {
        return false;
    }
    if (region.element != nullptr) {
        return find_sum_of_elements(region, sum);
    }
    sum = sum_of_bytes(region.begin, length);
    return true;
}

/// The bytes of a region, in blocks at one distance each; nothing where they are not known or would be too many.
[[nodiscard]] std::optional<std::vector<Blocks>> blocks_of(const Region& region);

/// The lowest address from `begin` to `end` that surely belongs to the region; -1 where there is none, or nobody can
/// tell. Allocates nothing.
[[nodiscard]] std::int64_t first_byte_in(const Region& region, std::int64_t begin, std::int64_t end) noexcept;
/// Whether all bytes from `begin` to `end` do. Likewise.
[[nodiscard]] bool covers(const Region& region, std::int64_t begin, std::int64_t end) noexcept;

/// The address of a byte that surely belongs to both: the lowest one where both are solid.
[[nodiscard]] std::optional<std::int64_t> common_byte(const Region& a, const Region& b);

}  // namespace dampi::piggyback
