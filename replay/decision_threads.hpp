// Which of a run's decisions say the order of threads that a guided run follows.
#pragma once

#include "replay/decision.hpp"

#include <cstddef>
#include <vector>

namespace dampi::replay {

/// Whether the decision at `place` says the most of the order of its rank's threads. Orders of later decisions go
/// further; where those have none, they were too long. `decisions` are sorted by epoch.
[[nodiscard]] inline bool is_last_with_threads(const std::vector<Decision>& decisions, std::size_t place) {
    const Decision& decision = decisions[place];
    return !decision.threads.empty() &&
           (place + 1 == decisions.size() || decisions[place + 1].epoch.rank != decision.epoch.rank ||
            decisions[place + 1].threads.empty());
}

}  // namespace dampi::replay
