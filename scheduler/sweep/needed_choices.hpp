// Which of its choices a finding needs: tries to do without the others, in runs with fewer decisions. Knows nothing of
// how a run is made. What is said holds as far as it was tried: a choice that was left out is left to chance in several
// runs, and no interleaving of the sweep may be known that has the remaining choices and does not show the finding.
#pragma once

#include "replay/decision.hpp"
#include "scheduler/sweep/sweep_result.hpp"

#include <cstdint>
#include <functional>

namespace dampi::scheduler {

struct NeededChoicesSettings {
    /// A sweep of this interleaving alone.
    std::function<SweepResult(const replay::Interleaving&)> run;
    /// Whether there is time for another run.
    std::function<bool()> go_on;
    std::uint64_t most_runs = 300;  ///< for each finding
};

/// Sets Finding::needed of the findings whose own decisions show them again; the others, those that no run has shown,
/// and those for which there is no time at all, stay without. Nothing else of them changes. Throws what `run` throws.
void look_for_needed_choices(SweepResult& result, const NeededChoicesSettings& settings);

}  // namespace dampi::scheduler
