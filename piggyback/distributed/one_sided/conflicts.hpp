// Accesses to the same bytes of a member's memory that nothing orders, one of which writes, are races: violations where
// it is certain that nothing orders them (races.hpp), else they are counted, so that a result says so. Likewise counted
// are those that MPI allows at the same time, but whose results depend on the order. What the member's other calls read
// and write there is an access, too (window_uses.hpp), and what it loads and stores itself where that is seen
// (own_touches.hpp).
#pragma once

#include "piggyback/distributed/layer.hpp"
#include "piggyback/distributed/one_sided/window.hpp"
#include "piggyback/rank/call.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <mpi.h>

namespace dampi::piggyback::distributed {

/// What a call accesses in `target`'s memory.
struct TargetBytes {
    int target = 0;
    MPI_Aint displacement = 0;
    MPI_Count count = 0;
    MPI_Datatype type = MPI_DATATYPE_NULL;
};

/// How a call accesses them.
struct AccessKinds {
    AccessKind kind = AccessKind::read;
    MPI_Op operation = MPI_NO_OP;  ///< of AccessKind::accumulate; MPI_REPLACE of MPI_Compare_and_swap
    bool ordered = false;          ///< it fetches atomically, or replaces: the order of such accesses shows
};

/// This rank has begun an access, whose arguments are those of a call that MPI has accepted.
void note_bytes(DistributedLayer& layer, const Call& call, Window& window, const TargetBytes& bytes,
                const AccessKinds& kinds);

/// Memory of this rank's in the window, in bytes from its beginning, which an access between two fences of the window
/// reads or fills until the second: an access to the window, too.
void note_own_bytes(DistributedLayer& layer, const Call& call, Window& window, const Blocks& blocks, AccessKind kind);

/// A call of this rank's that is no access uses memory of its own in the window, in bytes from its beginning, until
/// end_owners_use(). Whether that is followed: not if it lasts already, or if there are too many.
[[nodiscard]] bool begin_owners_use(DistributedLayer& layer, Window& window, const Blocks& blocks, AccessKind kind,
                                    const AccessCall& call);
void end_owners_use(DistributedLayer& layer, Window& window, const Blocks& blocks, const AccessCall& call);

/// What a call has begun there before the fence that opens this epoch goes on in it.
void owners_uses_go_on(DistributedLayer& layer, Window& window);

/// This rank has loaded or stored there between its last call of MPI and this one. `informed`: Access::informed.
void note_owners_touch(DistributedLayer& layer, Window& window, const Blocks& blocks, AccessKind kind,
                       const AccessCall& call, std::uint64_t informed);

/// Whether this rank may hear from others in ways that nobody here sees.
[[nodiscard]] bool may_hear_unseen(const DistributedLayer& layer);
/// Whether this rank may have heard from others since that moment of Hearsay's.
[[nodiscard]] bool may_have_heard_since(const DistributedLayer& layer, std::uint64_t moment);

/// A member's accesses to `target`'s memory, as they are listed by now.
[[nodiscard]] std::vector<Access> listed_accesses(DistributedLayer& layer, Window& window, int member, int target);

/// Whether `is_meant(window, member, target, access)` for any that is listed, of whatever window.
template <typename IsMeant>
[[nodiscard]] bool any_listed(DistributedLayer& layer, IsMeant&& is_meant) {
    bool found = false;
    layer.windows.for_each([&](Window& window) {
        const int size = static_cast<int>(window.group->members.size());
        for (int member = 0; member < size && !found; ++member) {
            for (int target = 0; target < size && !found; ++target) {
                const auto accesses = listed_accesses(layer, window, member, target);
                found = std::any_of(accesses.begin(), accesses.end(), [&](const Access& access) {
                    return is_meant(std::as_const(window), member, target, access);
                });
            }
        }
    });
    return found;
}

/// Two accesses of this rank's use the same buffer, and `own` or the other one fills it.
void log_buffer_race(DistributedLayer& layer, const Window& window, const OriginBuffer& own, const OriginBuffer& other);

/// From the first byte that the call accesses to the last; nothing if it accesses none, or if there may be gaps before
/// the one or behind the other. `unit`: what displacements count.
[[nodiscard]] std::optional<Blocks> span_of(DistributedLayer& layer, const TargetBytes& bytes, MPI_Aint unit);

enum class Ending : std::uint8_t {
    all,
    only_reads,  ///< of the others it is known only that MPI needs this rank's memory no longer
};

/// The accesses to this member, or to all, need their buffers no longer.
void end_buffers(DistributedLayer& layer, Window& window, int target);

/// The program gets to know that the request of an access is complete: one that only reads is, too.
void end_waited_read(DistributedLayer& layer, MPI_Request handle);

/// The accesses to this member, or all, are complete by now. `heard`: also in that member's memory, so an access comes
/// after them wherever it is known that this rank has come here.
void end_accesses(DistributedLayer& layer, Window& window, int target, Ending ending, bool heard);

}  // namespace dampi::piggyback::distributed
