// Which bytes of a member's memory a rank accesses, and how. Plain data: others read it where it lies (RankPort::list).
#pragma once

#include "piggyback/rank/buffers/blocks.hpp"
#include "piggyback/rank/buffers/pending.hpp"
#include "piggyback/rank/buffers/still_memory.hpp"
#include "transport/board.hpp"

#include <cstdint>
#include <cstring>
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
    /// Of atomic accesses: what their elements are (Element::basic); 0: not known.
    std::uint32_t element = 0;
    /// Of atomic accesses: what is fetched, or is there then, depends on their order.
    std::uint32_t ordered = 0;
    Opening opening = Opening::fence;
    /// The bytes are really accessed; otherwise there are more of them than that.
    std::uint32_t exact = 1;
    /// Between MPI_Win_start and MPI_Win_complete the number of the target's exposure (Window::exposures), or:
    std::uint64_t exposure = 0;
    static constexpr std::uint64_t locked_exclusively = ~std::uint64_t{0};
    /// Of Opening::fence: how many fences its rank had called (Window::fences).
    std::uint64_t fence = 0;
    /// By the memory's owner, but no access to the window: of a call, or a load or a store. Opening::start while the
    /// memory is exposed, else Opening::fence between fences, else Opening::lock.
    std::uint64_t owners = 0;
    static constexpr std::uint64_t by_call = 1;
    static constexpr std::uint64_t by_itself = 2;  ///< it loads or stores
    /// Beside either: it holds a lock of its memory, or has held one in this phase.
    static constexpr std::uint64_t has_locked = 4;

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
    std::uint64_t begun = 0;  ///< the phase of the window in which it began, the latest if it is made again
    std::uint64_t last = 0;   ///< in which it was complete, or:
    static constexpr std::uint64_t unfinished = ~std::uint64_t{0};
    /// Of its end, for those that may know of it (clocks/marks.hpp); 0: nobody does.
    std::uint64_t end = 0;
    AccessCall call = {};
    /// Its rank may have heard from others since it began the epoch, or under a lock the phase: of what the memory's
    /// owner had done by then. Of a load or store of the owner's: of what others had done, more than its clock says.
    std::uint64_t informed = of_nothing;
    static constexpr std::uint64_t of_nothing = 0;
    static constexpr std::uint64_t of_this_phase = 1;  ///< only of accesses that began in it
    static constexpr std::uint64_t of_all = 2;
    /// The latest mark of the memory's owner that its rank knew of when it began (clocks/marks.hpp).
    std::uint64_t known = 0;
    /// What its rank knew when it began, the latest if it is made again: transport::ClockName, or:
    std::uint64_t clock = not_told;
    static constexpr std::uint64_t not_told = ~std::uint64_t{0};
    /// It stands for several of its rank's, so that what one has read may be known to the next.
    std::uint64_t again = 0;

    /// Whether this one of a rank's accesses to a member is that one of the same, and stands for it alone.
    [[nodiscard]] bool is_only(const Access& that) const {
        return again == 0 && mode == that.mode && call == that.call && blocks == that.blocks;
    }
};

/// Memory of a rank's own that an access of its reads or fills: blocks begin at addresses.
struct OriginBuffer {
    Blocks blocks;
    int target = 0;  ///< of the access
    AccessCall call = {};
    StillMemory::Token still = StillMemory::none;
    std::uint32_t pending = PendingBuffers::none;  ///< for what is not an access: the first of its parts
    std::uint32_t parts = 1;                       ///< that are pending there
    bool is_wrong = false;                         ///< it may not be used, which is said already
};

/// Where others read a list of this rank's (told_lists.hpp).
struct ToldList {
    transport::Token shared = 0;  ///< 0: they have not been told of it yet
    std::uint64_t capacity = 0;   ///< there
};

/// This rank's accesses to one member, of which the others may still make conflicting ones.
struct AccessList {
    std::vector<Access> accesses;
    ToldList told;
    std::uint64_t phase = 0;  ///< of the window when those were last left out that are over
    std::uint64_t exposure = 0;
};

}  // namespace dampi::piggyback::distributed
