// --check-buffers: the program's own loads and stores in its memory of windows, where others may access that meanwhile.
// They are seen by closed pages (rank/touches/page_guard.hpp) while the program is outside of MPI, and compared with
// the accesses of others when it comes to MPI the next time: until then nobody can know of them. Only where it is
// certain that nothing orders both something is said (conflicts.hpp).
#pragma once

#include "piggyback/distributed/layer.hpp"
#include "piggyback/rank/touches/page_guard.hpp"

#include <vector>

namespace dampi::piggyback::distributed {

/// What of this rank's memory of windows is to be guarded while it is outside of MPI.
[[nodiscard]] std::vector<touches::GuardedBuffer> windows_to_guard(DistributedLayer& layer);

/// This rank has entered a call of MPI: what it has done before is compared.
void note_own_touches(DistributedLayer& layer);

/// This rank is about to leave a call, or has entered one, and may have several threads.
void note_leaving_with_threads();
void note_entry_of_threads(DistributedLayer& layer);
/// The phase of the window is about to end, or this rank's exposure: all that others have accessed in it is listed.
/// Where that may have met what several threads of this rank have done, which nobody has seen, the result says so.
void count_unseen_touches(DistributedLayer& layer, Window& window);

}  // namespace dampi::piggyback::distributed
