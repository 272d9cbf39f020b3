// The order in which conflicting locks are granted is left to chance and not explored. It is noticed and counted, so
// that a result says so; one that may have been left to chance counts as if it had been.
#pragma once

#include "piggyback/distributed/layer.hpp"
#include "piggyback/distributed/one_sided/window.hpp"
#include "piggyback/rank/call.hpp"

namespace dampi::piggyback::distributed {

/// This rank is about to lock a member's memory, or that of all: `lock` is Signal::exclusive_lock or shared_lock. `end`
/// will be the number of its end (clocks/marks.hpp).
void note_lock(DistributedLayer& layer, const Call& call, Window& window, Signal lock, int target, std::uint32_t end);

}  // namespace dampi::piggyback::distributed
