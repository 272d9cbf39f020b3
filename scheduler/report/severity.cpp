// See severity.hpp.
#include "scheduler/report/severity.hpp"

#include "scheduler/report/verdict.hpp"
#include "transport/collective_operation.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace dampi::scheduler {

using replay::violation_kinds::Severity;

namespace {

bool is_blocking_collective(const std::string& call) {
    using namespace transport;
    constexpr std::uint32_t all = 256;  // more than there are
    for (std::uint32_t operation = 0; operation < all; ++operation) {
        if (form_of(operation) == CollectiveForm::blocking && call == operation_name(operation)) {
            return true;
        }
    }
    return false;
}

}  // namespace

bool waits_in_collective(const replay::Violation& violation) {
    if (violation.kind != replay::ViolationKind::deadlock || !violation.wait_for) {
        return false;
    }
    const std::vector<replay::Rank>& core = violation.wait_for->core;  // the others may just wait for these
    const auto is_in_it = [&](replay::Rank rank) { return std::find(core.begin(), core.end(), rank) != core.end(); };
    return std::any_of(
        violation.situations.begin(), violation.situations.end(),
        [&](const replay::RankSituation& each) { return is_in_it(each.rank) && is_blocking_collective(each.call); });
}

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
                   all_came_to_end(result, replay::Buffering::native) && !waits_in_collective(finding.violation)
               ? Severity::portability
               : of_kind;
}

bool names_severity(const std::string& word, Severity severity) {
    return severity != Severity::doubt && word == name_of(severity);
}

}  // namespace dampi::scheduler
