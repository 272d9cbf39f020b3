// Which of its choices a finding needs. A sweep that is complete tells by its own interleavings. Otherwise it is tried
// to do without the others, in runs with fewer decisions; knows nothing of how a run is made. What is said then holds
// as far as it was tried: a choice that was left out is left to chance in several runs, and no interleaving of the
// sweep may be known that has the remaining choices and does not show the finding.
#pragma once

#include "replay/decision.hpp"
#include "replay/violation_kind.hpp"
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

/// It is seen at the end of a run: one that ends earlier, or never, does not tell.
[[nodiscard]] constexpr bool is_seen_at_end(replay::ViolationKind kind) {
    return replay::is_leak(kind) || kind == replay::ViolationKind::exit;
}

/// Whether the interleaving, which has not shown a violation of the kind, tells that its choices do not lead to one.
[[nodiscard]] bool tells_of_passing(const InterleavingOutcome& interleaving, replay::ViolationKind kind);

/// Sets Finding::needed where the sweep's interleavings are all there are, and are known: no other interleaving with
/// these choices is without the finding. Of findings that share their kind with others nothing is known. Not where that
/// would take long.
void find_choices_that_interleavings_need(SweepResult& result);

/// Sets Finding::needed of the findings whose own decisions show them again; the others, those that no run has shown,
/// and those for which there is no time at all, stay without. Nothing else of them changes. Throws what `run` throws.
void look_for_needed_choices(SweepResult& result, const NeededChoicesSettings& settings);

}  // namespace dampi::scheduler
