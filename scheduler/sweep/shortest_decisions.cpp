#include "scheduler/sweep/shortest_decisions.hpp"

#include "replay/cause.hpp"

#include <algorithm>

namespace dampi::scheduler {
namespace {

using replay::Decision;

/// Null: none is known that is shorter than the finding's own.
const std::vector<Decision>* shorter_way(const Finding& finding, const std::vector<OutcomesOfMode>& outcomes) {
    if (finding.foreseen || finding.shown_by != Finding::ShownBy::sweep) {
        return nullptr;
    }
    const std::uint64_t cause = digest_of_cause(finding.violation);
    for (const OutcomesOfMode& mode : outcomes) {
        for (const OutcomesOfCause& each : mode.by_cause) {
            if (mode.buffering == finding.reproducer.buffering && each.cause == cause && !each.shortest_way.empty() &&
                each.shortest_way.size() < finding.reproducer.decisions.size()) {
                return &each.shortest_way;
            }
        }
    }
    return nullptr;
}

}  // namespace

bool knows_shorter_ways(const SweepResult& result, const std::vector<OutcomesOfMode>& outcomes) {
    return std::any_of(result.findings.begin(), result.findings.end(),
                       [&](const Finding& finding) { return shorter_way(finding, outcomes) != nullptr; });
}

void use_shortest_decisions(SweepResult& result, const std::vector<OutcomesOfMode>& outcomes,
                            const ShortestDecisionsSettings& settings) {
    for (Finding& finding : result.findings) {
        const std::vector<Decision>* const way = shorter_way(finding, outcomes);
        if (way == nullptr || !settings.go_on()) {
            continue;
        }
        replay::Interleaving interleaving;
        interleaving.decisions = *way;
        interleaving.buffering = finding.reproducer.buffering;
        SweepResult shown = settings.run(interleaving);
        const auto same = std::find_if(shown.findings.begin(), shown.findings.end(), [&](const Finding& each) {
            return replay::cause_of(each.violation) == replay::cause_of(finding.violation);
        });
        if (shown.explored == 1 && shown.doubts.empty() && same != shown.findings.end() &&
            same->reproducer.decisions.size() < finding.reproducer.decisions.size()) {
            finding.violation = std::move(same->violation);
            finding.epochs = std::move(same->epochs);
            finding.epochs_omitted = same->epochs_omitted;
            finding.reproducer.decisions = std::move(same->reproducer.decisions);
            finding.reproducer.trial = true;  // none of the sweep's own, whatever its number
            finding.made_shorter = true;
        }
    }
}

}  // namespace dampi::scheduler
