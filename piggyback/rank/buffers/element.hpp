// Which bytes one element of a datatype consists of, counted from the buffer's address. A value, without MPI.
#pragma once

#include "piggyback/rank/buffers/blocks.hpp"

#include <compare>
#include <cstdint>
#include <optional>
#include <vector>

namespace dampi::piggyback {

/// What is known of a datatype.
struct Element {
    std::int64_t begin = 0;   ///< of its first byte
    std::int64_t end = 0;     ///< behind its last one; `begin` for a datatype without data
    std::int64_t extent = 0;  ///< from one element to the next
    /// Each byte from `begin` to `end` is of it, once, and elements follow each other without gaps.
    bool solid = false;
    /// Its bytes, each once, in ascending order; nothing where they are not known.
    std::optional<std::vector<Blocks>> blocks;
    bool repeats = false;  ///< it has a byte more than once
    /// What all of its basic elements are: the size, and whether they are numbers with a fraction; 0: not known, or not
    /// all alike.
    std::uint32_t basic = 0;

    auto operator<=>(const Element&) const = default;

    /// Whether `count` elements have a byte more than once; false where nobody can tell.
    [[nodiscard]] bool repeats_among(std::int64_t count) const;
};

}  // namespace dampi::piggyback
