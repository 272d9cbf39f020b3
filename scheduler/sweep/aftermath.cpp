#include "scheduler/sweep/aftermath.hpp"

#include "replay/cause.hpp"
#include "replay/violation_kind.hpp"

#include <algorithm>
#include <set>

namespace dampi::scheduler {
namespace {

using replay::Rank;
using replay::Violation;
using replay::violation_kinds::Group;
using replay::violation_kinds::Severity;

/// From then on MPI does not say what is in some memory.
bool leaves_undefined(replay::ViolationKind kind) {
    const replay::violation_kinds::Line& line = replay::violation_kinds::line(kind);
    return line.severity == Severity::error && (line.group == Group::buffer || line.group == Group::collective ||
                                                line.group == Group::misuse || line.group == Group::type);
}

/// The ranks whose data that are.
void add_ranks(const Violation& violation, std::set<Rank>& ranks) {
    if (violation.kind != replay::ViolationKind::type_message) {
        ranks.insert(violation.ranks.begin(), violation.ranks.end());
        return;
    }
    for (const replay::RankSituation& situation : violation.situations) {
        if (situation.call != "send") {
            ranks.insert(situation.rank);
        }
    }
}

}  // namespace

std::map<std::string, std::vector<std::string>> aftermath_of(const std::vector<Violation>& violations) {
    std::map<std::string, std::set<Rank>> before;
    for (const Violation& each : violations) {
        if (leaves_undefined(each.kind)) {
            add_ranks(each, before[replay::cause_of(each)]);
        }
    }
    std::map<std::string, std::set<Rank>> ended;
    for (const Violation& each : violations) {
        if (!before.empty() && replay::ends_rank(each.kind)) {
            ended[replay::cause_of(each)].insert(each.ranks.begin(), each.ranks.end());
        }
    }
    std::map<std::string, std::vector<std::string>> after;
    for (const auto& [end, ranks] : ended) {
        for (const auto& [cause, had_part] : before) {
            if (!ranks.empty() && std::includes(had_part.begin(), had_part.end(), ranks.begin(), ranks.end())) {
                after[end].push_back(cause);
            }
        }
    }
    return after;
}

std::vector<std::size_t> comes_after(const std::vector<Finding>& findings, const Finding& finding) {
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < findings.size() && !finding.after.empty(); ++i) {
        if (std::binary_search(finding.after.begin(), finding.after.end(), findings[i].cause)) {
            places.push_back(i);
        }
    }
    return places;
}

}  // namespace dampi::scheduler
