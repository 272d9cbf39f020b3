// --check-buffers: which buffers of pending operations are guarded while the program is outside of MPI, and what is
// written to the log when it comes to one (page_guard.hpp).
#pragma once

#include "piggyback/rank/touches/page_guard.hpp"

#include <vector>

namespace dampi::piggyback {

class Layer;

/// The process has become a rank of a run in which that is asked for.
void start_looking_for_touches() noexcept;

/// The program is about to leave a call: what is pending by now is guarded, with what else there is, and what is not is
/// noted. `others_copy`: other processes may have the system read or write the rank's memory, which it may refuse where
/// that is closed.
void guard_pending(Layer& layer, bool others_copy, std::vector<touches::GuardedBuffer> buffers = {});

}  // namespace dampi::piggyback
