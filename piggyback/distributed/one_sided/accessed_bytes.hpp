// Which bytes a number of elements of a datatype takes up: blocks at even distances as far as they are few, else a span
// that has all of them. Plain arithmetic.
#pragma once

#include "piggyback/rank/buffers/blocks.hpp"
#include "piggyback/rank/buffers/element.hpp"

#include <cstdint>
#include <vector>

namespace dampi::piggyback::distributed {

struct FoundBlocks {
    std::vector<Blocks> blocks;
    bool exact = true;  ///< all of their bytes belong to the elements
};

/// The bytes of `count` elements; those of the first are counted from `first`.
[[nodiscard]] FoundBlocks find_blocks(const Element& of_one, std::int64_t first, std::int64_t count);

}  // namespace dampi::piggyback::distributed
