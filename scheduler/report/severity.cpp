// See severity.hpp.
#include "scheduler/report/severity.hpp"

#include "scheduler/report/verdict.hpp"

#include <algorithm>
#include <vector>

namespace dampi::scheduler {

using replay::violation_kinds::Severity;

bool all_came_to_end(const SweepResult& result, replay::Buffering mode) {
    return std::none_of(result.findings.begin(), result.findings.end(), [&](const Finding& each) {
        const replay::ViolationKind kind = each.violation.kind;
        return (replay::ends_rank(kind) || replay::is_stuck(kind)) &&
               std::find(each.buffering.begin(), each.buffering.end(), mode) != each.buffering.end();
    });
}

Severity severity_of(const SweepResult& result, const Finding& finding) {
    const Severity of_kind = replay::violation_kinds::line(finding.violation.kind).severity;
    const bool only_without_buffers = finding.buffering == std::vector{replay::Buffering::zero} &&
                                      result.by_buffering.contains(replay::Buffering::native);
    return of_kind == Severity::error && only_without_buffers && everything_left_out(result).empty() &&
                   all_came_to_end(result, replay::Buffering::native)
               ? Severity::portability
               : of_kind;
}

bool names_severity(const std::string& word, Severity severity) {
    return severity != Severity::doubt && word == name_of(severity);
}

}  // namespace dampi::scheduler
