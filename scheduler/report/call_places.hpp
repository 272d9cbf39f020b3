// Where the calls of a run stand in a space-time diagram: how deep in the order of causes. Pure, from the list of calls
// alone (replay/call_event.hpp).
#pragma once

#include "replay/call_event.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace dampi::scheduler {

struct CallPlace {
    /// One more than that of the rank's call before it, and of all that it has waited for: the sends of the messages
    /// that its rank knows to have with it, and for a blocking collective the calls before those of the others that
    /// came. From 1; the calls of one meeting have the same, unless somebody left it before others came.
    std::uint32_t depth = 0;
    /// Of a receive or a probe that met a message: the place in the list of the call after which its rank has it.
    std::optional<std::uint32_t> arrives;
    std::uint32_t by_issue = 0;    ///< place, from 0, in the order of issue
    std::uint32_t by_outcome = 0;  ///< likewise in that in which calls came to something; those that never did are last
    std::uint32_t meeting = 0;     ///< of a collective: number of the meeting, from 1; 0: none
};

/// Of a run's calls, sorted by name, in their order.
[[nodiscard]] std::vector<CallPlace> call_places(const std::vector<replay::CallEvent>& calls);

}  // namespace dampi::scheduler
