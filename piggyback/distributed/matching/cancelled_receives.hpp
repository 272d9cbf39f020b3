// Receives that MPI_Cancel has taken back in time, and the messages that might have met them: whether a cancellation
// comes in time is then left to chance, which the result says.
#pragma once

#include "base/types.hpp"
#include "clocks/lazy_clocks.hpp"

#include <cstdint>

namespace dampi::piggyback::distributed {

class DistributedLayer;

/// A feature that is not modelled.
inline constexpr const char* raced_cancel = "MPI_Cancel that raced with a message";

/// A message was taken by the operation posted as `taken_by`, or by none: might it have met a receive that was
/// cancelled?
void check_cancelled(DistributedLayer& layer, const clocks::IncomingMessage& message, base::PostingOrder taken_by);

/// Checks all messages that nobody has taken when the run ends.
void check_cancelled_at_end(DistributedLayer& layer);

}  // namespace dampi::piggyback::distributed
