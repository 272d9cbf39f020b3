#include "piggyback/rank/buffers/element.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>

namespace dampi::piggyback {
namespace {

/// So many pairs of blocks are compared to see whether elements overlap each other.
constexpr std::size_t most_pairs = std::size_t{1} << 14;

}  // namespace

bool Element::repeats_among(std::int64_t count) const {
    if (repeats) {
        return count > 0;
    }
    const std::int64_t step = std::abs(extent);
    if (!blocks || count < 2 || step >= end - begin || end == begin) {
        return false;
    }
    if (step == 0) {
        return true;
    }
    const std::int64_t neighbours = std::min(count - 1, (end - begin - 1) / step);
    if (blocks->size() * blocks->size() * static_cast<std::size_t>(neighbours) > most_pairs) {
        return false;
    }
    for (std::int64_t i = 1; i <= neighbours; ++i) {
        for (const Blocks& a : *blocks) {
            Blocks moved = a;
            moved.begin += i * step;
            if (std::any_of(blocks->begin(), blocks->end(), [&](const Blocks& b) { return overlap(moved, b); })) {
                return true;
            }
        }
    }
    return false;
}

}  // namespace dampi::piggyback
