// See severity.hpp.
#include "scheduler/report/severity.hpp"

#include "scheduler/report/verdict.hpp"

#include <vector>

namespace dampi::scheduler {

using replay::violation_kinds::Severity;

Severity severity_of(const SweepResult& result, const Finding& finding) {
    const Severity of_kind = replay::violation_kinds::line(finding.violation.kind).severity;
    const bool only_without_buffers = finding.buffering == std::vector{replay::Buffering::zero} &&
                                      result.by_buffering.contains(replay::Buffering::native);
    return of_kind == Severity::error && only_without_buffers && everything_left_out(result).empty()
               ? Severity::portability
               : of_kind;
}

bool names_severity(const std::string& word, Severity severity) {
    return severity != Severity::doubt && word == name_of(severity);
}

}  // namespace dampi::scheduler
