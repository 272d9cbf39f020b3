// Findings with fewer decisions than any run of the sweep that shows them: where runs end in states of earlier ones,
// the way there of the one and what followed in the other make a run that may be shorter than both (OutcomesOfCause).
// Such a run is made, and takes the place of the finding's own if it shows the same.
#pragma once

#include "replay/decision.hpp"
#include "scheduler/exploration/outcome_count.hpp"
#include "scheduler/sweep/sweep_result.hpp"

#include <functional>
#include <vector>

namespace dampi::scheduler {

struct ShortestDecisionsSettings {
    /// A sweep of this interleaving alone, in which runs do not end in states of others.
    std::function<SweepResult(const replay::Interleaving&)> run;
    /// Whether there is time for another run.
    std::function<bool()> go_on;
};

/// Whether there is a finding for which a shorter way is known.
[[nodiscard]] bool knows_shorter_ways(const SweepResult& result, const std::vector<OutcomesOfMode>& outcomes);

/// Of such a finding, what it shows, its decisions and epochs change; what counts its interleavings does not. Throws
/// what `run` throws.
void use_shortest_decisions(SweepResult& result, const std::vector<OutcomesOfMode>& outcomes,
                            const ShortestDecisionsSettings& settings);

}  // namespace dampi::scheduler
