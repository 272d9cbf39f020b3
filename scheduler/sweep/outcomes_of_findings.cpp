#include "scheduler/sweep/outcomes_of_findings.hpp"

#include "replay/terminal_words.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>

#include <fmt/format.h>

namespace dampi::scheduler {
namespace {

constexpr std::size_t most_faults_told = 3;

std::string fault_text(const MeetingDifference& difference, const SweepResult& result) {
    const auto finding = std::find_if(result.findings.begin(), result.findings.end(), [&](const Finding& each) {
        return difference.cause == digest_of_cause(each.violation);
    });
    const std::string which = !difference.cause ? ""
                              : finding == result.findings.end()
                                  ? " that lead to a violation"
                                  : " that lead to " + std::string(text_of(finding->violation.kind));
    return fmt::format(
        "interleaving {} was after {} in the same state as interleaving {} after {}, but the outcomes{} that follow "
        "there are {}, not {}",
        difference.run, replay::counted(difference.settled, "choice"), difference.earlier.run,
        difference.earlier.settled, which, difference.outcomes, difference.earlier_outcomes);
}

}  // namespace

void tell_outcomes(SweepResult& result) {
    for (const OutcomesOfMode& mode : result.outcomes) {
        if (mode.merged != 0) {
            for (Finding& finding : result.findings) {
                const auto found = std::find_if(
                    mode.by_cause.begin(), mode.by_cause.end(),
                    [cause = digest_of_cause(finding.violation)](const auto& each) { return each.cause == cause; });
                if (found != mode.by_cause.end() && finding.shown_by == Finding::ShownBy::sweep) {
                    finding.outcomes.push_back(
                        {.buffering = mode.buffering, .outcomes = found->outcomes, .chance = found->chance});
                }
            }
        }
        for (const MeetingDifference& difference : mode.differences) {
            if (result.merge_faults.size() < most_faults_told) {
                result.merge_faults.push_back(fault_text(difference, result));
            }
        }
    }
}

std::string merging_error(const SweepResult& result) {
    return result.merge_faults.empty()
               ? ""
               : fmt::format(
                     "internal fault of dampi, states that are not the same were taken for the same "
                     "(--merge-states never goes without): {}",
                     fmt::join(result.merge_faults, "; "));
}

}  // namespace dampi::scheduler
