// What other ranks have done in this rank's memory of a window, told to ThreadSanitizer (rank/sanitizers/fibers.hpp)
// where this rank gets to know that it is over: at a fence, at the end of an exposure, and where it was done under a
// lock, at the end of the phase. It has come behind the beginning of that epoch or phase, and behind nothing else of
// what this rank has done since then, so each load and store of the same bytes in between is a race. Not told, since
// something may order them: accesses of ranks that may have heard from others meanwhile; under locks, if this rank may
// have heard from others, has itself locked its memory against them, has called MPI_Win_sync, or may have seen in its
// memory what was accumulated there. Nor is what is not known as bytes.
#pragma once

#include "piggyback/distributed/layer.hpp"
#include "piggyback/distributed/one_sided/window.hpp"

namespace dampi::piggyback::distributed {

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
