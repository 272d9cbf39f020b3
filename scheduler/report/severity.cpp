// See severity.hpp.
#include "scheduler/report/severity.hpp"

#include "scheduler/report/verdict.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

namespace dampi::scheduler {

using replay::violation_kinds::Severity;

bool waits_in_no_send(const replay::Violation& violation) {
    if (violation.kind != replay::ViolationKind::deadlock || !violation.wait_for || violation.wait_for->core.empty()) {
        return false;
    }
    constexpr std::string_view of_sends = "receive ";
    const std::vector<replay::WaitForGraph::Node>& nodes = violation.wait_for->nodes;
    return std::none_of(nodes.begin(), nodes.end(), [&](const replay::WaitForGraph::Node& node) {
        return node.in_core && std::any_of(node.edges.begin(), node.edges.end(), [&](const auto& edge) {
                   return std::string_view(edge.reason).starts_with(of_sends);
               });
    });
}

bool all_came_to_end(const SweepResult& result, replay::Buffering mode) {
    return std::none_of(result.findings.begin(), result.findings.end(), [&](const Finding& each) {
        const replay::ViolationKind kind = each.violation.kind;
        return (replay::ends_rank(kind) || replay::is_stuck(kind)) &&
               std::find(each.buffering.begin(), each.buffering.end(), mode) != each.buffering.end();
    });
}

bool is_portability_as_known(const SweepResult& result, const Finding& finding) {
    const replay::ViolationKind kind = finding.violation.kind;
    return result.known_portability == kind && finding.buffering == std::vector{replay::Buffering::zero} &&
           result.doubts.empty() &&
           std::count_if(result.findings.begin(), result.findings.end(),
                         [kind](const Finding& each) { return each.violation.kind == kind; }) == 1;
}

bool is_portability_by_sweep(const SweepResult& result, const Finding& finding) {
    return replay::violation_kinds::line(finding.violation.kind).severity == Severity::error &&
           severity_of(result, finding) == Severity::portability;
}

Severity severity_of(const SweepResult& result, const Finding& finding) {
    const Severity of_kind = replay::violation_kinds::line(finding.violation.kind).severity;
    if (of_kind == Severity::error && is_portability_as_known(result, finding)) {
        return Severity::portability;
    }
    const bool only_without_buffers = finding.buffering == std::vector{replay::Buffering::zero} &&
                                      result.by_buffering.contains(replay::Buffering::native);
    return of_kind == Severity::error && only_without_buffers && everything_left_out(result).empty() &&
                   !result.clocks_may_miss && all_came_to_end(result, replay::Buffering::native) &&
                   !waits_in_no_send(finding.violation)
               ? Severity::portability
               : of_kind;
}

bool names_severity(const std::string& word, Severity severity) {
    return severity != Severity::doubt && word == name_of(severity);
}

}  // namespace dampi::scheduler
