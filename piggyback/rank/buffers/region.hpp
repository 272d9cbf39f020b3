// The memory that an operation reads or writes: a buffer, a count and a datatype. Says which byte two of them have in
// common; where that is not known for sure, they have none.
#pragma once

#include "piggyback/rank/buffers/element.hpp"

#include <cstdint>
#include <optional>

namespace dampi::piggyback {

struct Region {
    std::int64_t begin = 0;  ///< address of its first byte
    std::int64_t end = 0;    ///< behind its last one
    std::int64_t base = 0;   ///< address of the first element
    std::int64_t count = 0;
    const Element* element = nullptr;  ///< null: each byte from `begin` to `end` is of it

    [[nodiscard]] bool bounds_meet(const Region& other) const { return begin < other.end && other.begin < end; }
};

/// `count` elements; null for a datatype that MPI refuses. Nothing where there is no data, no buffer, or MPI will
/// refuse the arguments.
[[nodiscard]] std::optional<Region> region_of(const Element* element, std::int64_t address, std::int64_t count);

/// A sum of what is in its bytes; nothing where these are not known, or lie further apart than `span`.
[[nodiscard]] std::optional<std::uint64_t> sum_of(const Region& region, std::int64_t span);

/// The address of a byte that surely belongs to both: the lowest one where both are solid.
[[nodiscard]] std::optional<std::int64_t> common_byte(const Region& a, const Region& b);

}  // namespace dampi::piggyback
