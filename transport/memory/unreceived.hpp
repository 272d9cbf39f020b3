// The messages to a rank that nobody has received: open envelopes, less those that a pending receive takes. To be asked
// when nobody sends or posts any more; only then it is a fact.
#pragma once

#include "transport/memory/area.hpp"
#include "transport/memory/envelope_queue.hpp"

#include <vector>

namespace dampi::transport::memory {

/// By source, then in sending order; without those that their sender has asked MPI to cancel. Of a pending receive of
/// any source it is assumed that it takes a message of the lowest rank that has one.
[[nodiscard]] std::vector<Unreceived> unreceived(const Area& area, base::Rank destination);

}  // namespace dampi::transport::memory
