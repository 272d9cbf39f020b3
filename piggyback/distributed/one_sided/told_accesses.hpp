// What other ranks have done in this rank's memory of a window, told to ThreadSanitizer (rank/sanitizers/fibers.hpp)
// where this rank gets to know that it is over: at a fence, at the end of an exposure, and where it was done under a
// lock, in the call by which it learns of it, or else at the end of the phase. It has come behind what the other rank
// knew of this one when it began, and behind nothing else of what this rank has done, so each load and store of the
// same bytes in between is a race.
//
// Clocks tell what ranks know of each other (EntryMoments), but not what they read through windows. So where anybody
// accesses other memory than this rank's under a lock, or reads, only that is told which nobody can know more of:
// accesses of ranks that have heard nothing since the fence, MPI_Win_start or phase before them, under locks to a rank
// that has heard nothing either. Never told are, under locks, accesses to a rank that has itself locked its memory
// against them or has called MPI_Win_sync, nor any if it may have seen in its memory what was accumulated there: if it
// has called anything but locks in the phase. Nor is what is not known as bytes.
#pragma once

#include "piggyback/distributed/layer.hpp"
#include "piggyback/distributed/one_sided/window.hpp"

#include <cstdint>

namespace dampi::piggyback::distributed {

/// Of what others do under locks in this rank's memory of the window it may know of more than its clock says when it
/// loads or stores there: Access::informed, but for what lies in other memory. Of nothing if it has not called
/// MPI_Win_sync in this phase and nobody could tell it otherwise. If it has, it may have waited until something was put
/// there, which would say so of all that was put before that: then it may know of accesses that began in this phase.
[[nodiscard]] std::uint64_t informed_under_locks(DistributedLayer& layer, Window& window);

/// This rank, of a program with ThreadSanitizer (sanitizers::thread_runtime), enters a call of MPI.
void note_entry(DistributedLayer& layer);
/// Likewise: it leaves one.
void tell_what_is_over(DistributedLayer& layer);

/// This rank has left a fence of the window.
void note_fence_left(DistributedLayer& layer, Window& window);
/// It is in another one, which all have entered and nobody has left.
void tell_at_fence(DistributedLayer& layer, Window& window);

/// This rank has made the window, or has left a collective that begins a new phase of it.
void note_phase_begun(DistributedLayer& layer, Window& window);
/// It is in another one, which all have entered and nobody has left.
void tell_at_end_of_phase(DistributedLayer& layer, Window& window);

/// MPI_Win_post has returned.
void note_exposed(DistributedLayer& layer, Window& window);
/// All that were allowed to access the memory have said that they will no longer.
void tell_at_end_of_exposure(DistributedLayer& layer, Window& window);

}  // namespace dampi::piggyback::distributed
