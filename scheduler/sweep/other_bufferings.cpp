#include "scheduler/sweep/other_bufferings.hpp"

#include "scheduler/sweep/deadlocks_without_buffers.hpp"
#include "scheduler/sweep/findings_apart.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace dampi::scheduler {

std::vector<replay::Buffering> bufferings_without_runs(const std::vector<replay::Buffering>& wanted,
                                                       const SweepResult& result) {
    std::vector<replay::Buffering> without;
    if (!result.by_buffering.empty()) {
        std::copy_if(wanted.begin(), wanted.end(), std::back_inserter(without),
                     [&](replay::Buffering mode) { return !result.by_buffering.contains(mode); });
    }
    return without;
}

bool is_of_other_buffering(const Finding& finding, const SweepResult& result) {
    return !finding.buffering.empty() &&
           std::none_of(finding.buffering.begin(), finding.buffering.end(),
                        [&](replay::Buffering mode) { return result.by_buffering.contains(mode); });
}

void take_in_other_bufferings(std::vector<Finding> seen, SweepResult& result) {
    FindingsApart findings(result.findings);
    for (Finding& finding : seen) {
        if (!finding.foreseen) {
            findings.take_in(std::move(finding));
        }
    }
    join_deadlocks_without_buffers(result.findings);
}

}  // namespace dampi::scheduler
