// Which bytes of a member's memory a rank accesses, and how. Plain data: others read it where it lies (RankPort::list).
#pragma once

#include "transport/board.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

namespace dampi::piggyback::distributed {

/// Bytes that lie in blocks of one length at one distance, as those of a column of a matrix do.
struct Blocks {
    std::int64_t begin = 0;
    std::int64_t length = 0;
    std::int64_t stride = 0;  ///< from the beginning of one block to that of the next: positive if there is a next
    std::int64_t count = 1;

    [[nodiscard]] std::int64_t end() const { return begin + stride * (count - 1) + length; }
    bool operator==(const Blocks&) const = default;
};

/// The least span that has all of these.
inline Blocks span(const std::vector<Blocks>& all) {
    std::int64_t begin = all.front().begin;
    std::int64_t end = all.front().end();
    for (const Blocks& each : all) {
        begin = std::min(begin, each.begin);
        end = std::max(end, each.end());
    }
    return {.begin = begin, .length = end - begin};
}

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

/// A byte that they have in common; their blocks must overlap.
inline std::int64_t first_common(const Blocks& a, const Blocks& b) {
    const auto at_or_behind = [](const Blocks& blocks, std::int64_t from) {  // the first byte that is
        if (from <= blocks.begin) {
            return blocks.begin;
        }
        const std::int64_t stride = std::max<std::int64_t>(blocks.stride, 1);
        const std::int64_t number = std::min((from - blocks.begin) / stride, blocks.count - 1);
        const std::int64_t block = blocks.begin + number * blocks.stride;
        return from < block + blocks.length ? from : block + blocks.stride;
    };
    std::int64_t place = std::max(a.begin, b.begin);
    for (;;) {
        const std::int64_t next = at_or_behind(b, at_or_behind(a, place));
        if (next == place) {
            return place;
        }
        place = next;
    }
}

/// Whether all bytes of `inner` are in `outer`, as far as is easily seen.
inline bool contains(const Blocks& outer, const Blocks& inner) {
    if (outer.count == 1) {
        return outer.begin <= inner.begin && inner.end() <= outer.end();
    }
    return outer == inner || (inner.count == 1 && inner.length == outer.length && inner.begin >= outer.begin &&
                              (inner.begin - outer.begin) % outer.stride == 0 && inner.end() <= outer.end());
}

enum class AccessKind : std::uint32_t {
    read,
    atomic_read,  ///< as an accumulation that changes nothing: MPI_NO_OP
    write,
    accumulate
};

/// The call that has opened what an access lies in: a fence, a lock, MPI_Win_start.
enum class Opening : std::uint32_t {
    fence,
    lock,
    start,  ///< between MPI_Win_start and MPI_Win_complete
};

/// How bytes are accessed. Accesses that differ in nothing of this do not conflict in other ways, either.
struct AccessMode {
    AccessKind kind = AccessKind::read;
    /// Of AccessKind::accumulate: MPI_Op; MPI_REPLACE of MPI_Compare_and_swap.
    std::int32_t operation = 0;
    /// Of atomic accesses: what their elements are (element_class()); 0: not known.
    std::uint32_t element = 0;
    /// Of atomic accesses: what is fetched, or is there then, depends on their order.
    std::uint32_t ordered = 0;
    Opening opening = Opening::fence;
    /// The bytes are really accessed; otherwise there are more of them than that.
    std::uint32_t exact = 1;
    /// Between MPI_Win_start and MPI_Win_complete the number of the target's exposure (Window::exposures), or:
    std::uint64_t exposure = 0;
    static constexpr std::uint64_t locked_exclusively = ~std::uint64_t{0};

    bool operator==(const AccessMode&) const = default;
};

/// The call that makes an access. Its name is that of an MPI function, cut if need be.
struct AccessCall {
    std::uint64_t site = 0;
    char name[24] = "";

    AccessCall() = default;
    AccessCall(std::uint64_t at, const char* function) : site(at) { std::strncpy(name, function, sizeof name - 1); }
    bool operator==(const AccessCall& other) const {
        return site == other.site && std::strncmp(name, other.name, sizeof name) == 0;
    }
};

struct Access {
    Blocks blocks;
    AccessMode mode;
    std::uint64_t last = 0;  ///< the phase of the window in which it was complete, or:
    static constexpr std::uint64_t unfinished = ~std::uint64_t{0};
    /// Of its end, for those that may know of it (clocks/marks.hpp); 0: nobody does.
    std::uint64_t end = 0;
    AccessCall call = {};
};

/// Memory of a rank's own that an access of its reads or fills: blocks begin at addresses.
struct OriginBuffer {
    Blocks blocks;
    int target = 0;  ///< of the access
    AccessCall call = {};
};

/// This rank's accesses to one member, of which the others may still make conflicting ones.
struct AccessList {
    std::vector<Access> accesses;
    transport::Token shared = 0;  ///< where others read them
    std::uint64_t capacity = 0;   ///< there
    std::uint64_t phase = 0;      ///< of the window when those were last left out that are over
    std::uint64_t exposure = 0;
};

}  // namespace dampi::piggyback::distributed
