// Where the operations of a run stand in a space-time diagram: how deep in the order of causes, and in which order one
// can step through them. Pure, from the clocks that the run has recorded.
#pragma once

#include "replay/epoch.hpp"

#include <cstdint>
#include <vector>

namespace dampi::scheduler {

struct DiagramPlace {
    /// One more than that of all operations which happened before its outcome, and of those left of it on its rank's
    /// line; from 1. No two operations of a rank have the same. With Lamport clocks, which do not tell what happened
    /// before, one more than that of all operations with a lower one.
    std::uint32_t depth = 0;
    /// The message that it took was sent after the operation of this depth on its sender's line, as far as the receive
    /// knew; 0: after none, or with Lamport clocks. Less than `depth`.
    std::uint32_t sent_after = 0;
    std::uint32_t by_issue = 0;    ///< place, from 0, in an order in which they may have been issued
    std::uint32_t by_outcome = 0;  ///< likewise in which they may have come to their outcomes
};

/// For each of the epochs, in their order. Of epochs that are not among them nothing is known.
[[nodiscard]] std::vector<DiagramPlace> diagram_places(const std::vector<replay::Epoch>& epochs);

}  // namespace dampi::scheduler
