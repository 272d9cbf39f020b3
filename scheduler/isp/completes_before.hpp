// Which calls of a run complete before which others, as ISP's log shows it: the immediate steps of the order
// matches-before, from which all others follow.
#pragma once

#include "replay/call_event.hpp"

#include <cstdint>
#include <vector>

namespace dampi::scheduler::isp {

/// What comes right after one call.
struct CompletesBefore {
    std::vector<std::uint32_t> within;     ///< calls of the same rank, ascending
    std::vector<replay::CallName> across;  ///< of other ranks: those that it meets

    bool operator==(const CompletesBefore&) const = default;
};

/// One for each call of a run's list, which is sorted by name. Within a rank a call completes before a later one if it
/// blocks; if both are sends to the same peer with the same communicator and tag; if both are receives (or probes) and
/// the earlier one accepts all that the later one does; if the later one waits for it; or if the later one is
/// MPI_Finalize. What follows from others is left out. Across ranks a receive, and the send for one of a named source,
/// are ordered with their partner, and the members of a collective with each other.
[[nodiscard]] std::vector<CompletesBefore> completes_before(const std::vector<replay::CallEvent>& calls,
                                                            bool sends_block);

}  // namespace dampi::scheduler::isp
