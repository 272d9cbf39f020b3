// Bytes that lie in blocks of one length at one distance, and what two such have in common. Plain arithmetic: `begin`
// may be an address, or count from wherever both are counted.
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>

namespace dampi::piggyback {

/// Bytes that lie in blocks of one length at one distance, as those of a column of a matrix do.
struct Blocks {
    std::int64_t begin = 0;
    std::int64_t length = 0;
    std::int64_t stride = 0;  ///< from the beginning of one block to that of the next: positive if there is a next
    std::int64_t count = 1;

    [[nodiscard]] std::int64_t end() const { return begin + stride * (count - 1) + length; }
    auto operator<=>(const Blocks&) const = default;
};

/// Makes `next` a part of `blocks`, if that needs no second Blocks.
inline bool extend(Blocks& blocks, const Blocks& next) {
    if (next.count != 1) {
        return false;
    }
    if (blocks.count == 1 && next.begin == blocks.begin + blocks.length) {
        blocks.length += next.length;
        return true;
    }
    const std::int64_t stride = blocks.count == 1 ? next.begin - blocks.begin : blocks.stride;
    if (next.length != blocks.length || stride < next.length || next.begin != blocks.begin + stride * blocks.count) {
        return false;
    }
    blocks.stride = stride;
    ++blocks.count;
    return true;
}

/// Whether some block of `a` overlaps the one block [begin, begin + length), which lies `count` times at a's stride.
inline bool overlap_at_stride(const Blocks& a, std::int64_t begin, std::int64_t length, std::int64_t count) {
    const std::int64_t distance = begin - a.begin;
    const std::int64_t stride = std::max<std::int64_t>(a.stride, 1);
    const auto floored = [](std::int64_t value, std::int64_t by) {
        return value / by - (value % by != 0 && value < 0 ? 1 : 0);
    };
    // Blocks number i of `a` and j of the other overlap if -length < distance + (j - i) * stride < a.length.
    const std::int64_t least = std::max(-floored(distance + length - 1, stride), 1 - a.count);
    const std::int64_t most = std::min(floored(a.length - 1 - distance, stride), count - 1);
    return least <= most;
}

/// Whether they have a byte in common.
inline bool overlap(const Blocks& a, const Blocks& b) {
    if (a.begin >= b.end() || b.begin >= a.end()) {
        return false;
    }
    if (a.count > 1 && a.stride == b.stride) {
        return overlap_at_stride(a, b.begin, b.length, b.count);
    }
    const Blocks& fewer = a.count < b.count ? a : b;
    const Blocks& more = a.count < b.count ? b : a;
    for (std::int64_t i = 0; i < fewer.count; ++i) {
        if (overlap_at_stride(more, fewer.begin + i * fewer.stride, fewer.length, 1)) {
            return true;
        }
    }
    return false;
}

/// The lowest byte that they have in common. To be called where they overlap.
inline std::int64_t first_common(const Blocks& a, const Blocks& b) {
    const Blocks& fewer = a.count < b.count ? a : b;
    const Blocks& more = a.count < b.count ? b : a;
    const std::int64_t stride = std::max<std::int64_t>(more.stride, 1);
    for (std::int64_t i = 0; i < fewer.count; ++i) {
        const std::int64_t begin = fewer.begin + i * fewer.stride;
        if (overlap_at_stride(more, begin, fewer.length, 1)) {
            // The first block of `more` that does not end before.
            const std::int64_t before = begin - (more.begin + more.length);
            const std::int64_t j = before < 0 ? 0 : before / stride + 1;
            return std::max(begin, more.begin + j * stride);
        }
    }
    return std::max(a.begin, b.begin);
}

}  // namespace dampi::piggyback
