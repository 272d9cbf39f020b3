// What of one-sided communication is left to chance and not explored: the order in which conflicting locks are granted,
// and that of accesses whose results depend on it. It is noticed and counted, so that a result says so; one that may
// have been left to chance counts as if it had been.
#pragma once

#include "piggyback/call.hpp"
#include "piggyback/layer.hpp"
#include "piggyback/one_sided/windows.hpp"

namespace dampi::piggyback {

/// This rank is about to lock a member's memory, or that of all: `lock` is Signal::exclusive_lock or shared_lock.
void note_lock(Layer& layer, const Call& call, Window& window, Signal lock, int target);

/// This rank accesses a member's memory: `access` is Signal::ordered_access or added_access.
void note_access(Layer& layer, const Call& call, Window& window, Signal access, int target);

/// The accesses to this member, or all, have happened by now.
void note_accesses_over(Layer& layer, const Call& call, Window& window, int target);

}  // namespace dampi::piggyback
