// All calls of the runs that show a sweep's findings, and of the nearest runs that pass, worst findings first: the runs
// are made again, and their calls listed. Their findings and the choices of these know from where each of them came
// (stacks_of_findings.hpp). What a sweep keeps of a run that passes is only what its choices came to, so that one is
// approached: a run that fails is made again with the first choices that were others there, and so on, until all are.
// Where a run does not come out as the sweep had it, nothing is said of it but that.
#pragma once

#include "clocks/clock.hpp"
#include "replay/decision.hpp"
#include "replay/run_record.hpp"
#include "scheduler/listed_calls.hpp"
#include "scheduler/sweep/sweep_result.hpp"

#include <cstddef>
#include <functional>
#include <vector>

namespace dampi::scheduler {

struct CallsOfFindingsSettings {
    struct Run {
        replay::RunRecord record;
        std::vector<replay::CallEvent> calls;  ///< sorted by name; empty: they could not be listed
    };
    /// Makes the run.
    std::function<Run(const replay::Interleaving&)> run;
    /// Likewise, and finds from where the ranks' mains return. What that takes the program may notice.
    std::function<Run(const replay::Interleaving&)> run_following_main;
    bool lists_calls = true;      ///< else only findings that lack call stacks are run again
    std::function<bool()> go_on;  ///< whether there is time for more
};

struct ListedFindings {
    std::vector<ListedCalls> calls;  ///< of each of the findings, in their order
    /// Findings at the end of the sweep's that were parts of others: which these are. Where a function that only passes
    /// on does the same for several callers, each caller's is a finding of its own.
    std::vector<std::size_t> parts_of;
};

/// Of result.findings. Those whose calls had no stack have one from then on, and the places of users' functions that do
/// not only pass on (judgement/passing_functions.hpp). `protocol`: of the clocks of the runs. Of all together not more
/// than most_listed_calls.
[[nodiscard]] ListedFindings calls_of_findings(SweepResult& result, clocks::Protocol protocol,
                                               const CallsOfFindingsSettings& settings);

}  // namespace dampi::scheduler
