// Which locks of a window's memory this rank holds, told to dampi-run, so that a rank which waits for a lock is known
// to wait for those who have one that is in the way, and a deadlock is a fact at once. It never decides who gets a
// lock.
// Where it is told: transport/lock_records.hpp.
#pragma once

#include "piggyback/distributed/layer.hpp"
#include "piggyback/distributed/one_sided/window.hpp"
#include "transport/words.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace dampi::piggyback::distributed {

/// What a rank waits for that is about to lock `target`'s memory, or all's, in this way: Signal::exclusive_lock or
/// shared_lock. Nothing where that would be too much.
[[nodiscard]] std::vector<transport::WaitItem> locks_in_the_way(DistributedLayer& layer, Window& window, Signal kind,
                                                                int target);

/// MPI has granted this rank such a lock in the call at `site`; or the rank is about to give it back there.
void note_held(DistributedLayer& layer, std::uint64_t site, Window& window, Signal kind, int target);

/// A member, by its index, and its call that has locked.
struct Holder {
    int member = 0;
    transport::Contribution granted;
};

/// One of the other members that holds a lock of this rank's memory; nothing if none does.
[[nodiscard]] std::optional<Holder> holder_of_own_memory(DistributedLayer& layer, Window& window);

}  // namespace dampi::piggyback::distributed
