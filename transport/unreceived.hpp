// The messages to a rank that nobody has received: open envelopes, less those that a pending receive takes. To be asked
// when nobody sends or posts any more; only then it is a fact.
#pragma once

#include "transport/words.hpp"

#include <cstdint>
#include <functional>
#include <vector>

namespace dampi::transport {

/// Shows all open envelopes from a source to the rank, in sending order.
using OpenFrom = std::function<void(base::Rank source, const std::function<void(const Envelope&)>& visit)>;

/// By source, then in sending order; without those that their sender has asked MPI to cancel. Of a pending receive of
/// any source it is assumed that it takes a message of the lowest rank that has one.
[[nodiscard]] std::vector<Unreceived> unreceived(std::uint32_t processes, const std::vector<PostedReceive>& posted,
                                                 const OpenFrom& for_each_open);

}  // namespace dampi::transport
