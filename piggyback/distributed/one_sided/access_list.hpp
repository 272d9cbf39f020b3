// Which bytes of a member's memory a rank accesses, and how. Plain data: others read it where it lies (RankPort::list).
#pragma once

#include "piggyback/rank/buffers/blocks.hpp"
#include "transport/board.hpp"

#include <cstdint>
#include <vector>

namespace dampi::piggyback::distributed {

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

/// How bytes are accessed. Accesses that differ in nothing of this do not conflict in other ways, either.
struct AccessMode {
    AccessKind kind = AccessKind::read;
    /// Of AccessKind::accumulate: MPI_Op; MPI_NO_OP if it commutes with nothing, as it fetches or replaces.
    std::int32_t operation = 0;
    /// Between MPI_Win_start and MPI_Win_complete the number of the target's exposure (Window::exposures), or:
    std::uint64_t exposure = 0;
    static constexpr std::uint64_t locked_exclusively = ~std::uint64_t{0};

    bool operator==(const AccessMode&) const = default;
};

struct Access {
    Blocks blocks;
    AccessMode mode;
    std::uint64_t last = 0;  ///< the phase of the window in which it was complete, or:
    static constexpr std::uint64_t unfinished = ~std::uint64_t{0};
    /// Of its end, for those that may know of it (clocks/marks.hpp); 0: nobody does.
    std::uint64_t end = 0;
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
