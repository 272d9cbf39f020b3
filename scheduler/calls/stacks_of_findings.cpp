#include "scheduler/calls/stacks_of_findings.hpp"

#include "replay/epoch.hpp"

#include <algorithm>

namespace dampi::scheduler {
namespace {

using replay::RankSituation;
using replay::Violation;

bool lacks_stack_itself(const RankSituation& situation) {
    return situation.stack.empty() && !situation.call.empty() && !situation.where.module.empty();
}

/// Whether it is what the rank did there, and says from where.
bool tells_of(const RankSituation& seen, const RankSituation& situation) {
    return seen.rank == situation.rank && seen.call == situation.call &&
           std::any_of(seen.stack.begin(), seen.stack.end(), [&](const replay::CodePlace& frame) {
               return replay::source_place(frame) == replay::source_place(situation.where);
           });
}

const RankSituation* find(const std::vector<Violation>& seen, const Violation& violation,
                          const RankSituation& situation) {
    const RankSituation* found = nullptr;
    for (const Violation& each : seen) {
        if (each.kind != violation.kind) {
            continue;
        }
        for (const RankSituation& other : each.situations) {
            if (!tells_of(other, situation)) {
                continue;
            }
            if (each.message == violation.message && other.detail == situation.detail) {
                return &other;
            }
            found = found == nullptr ? &other : found;
        }
    }
    return found;
}

}  // namespace

bool lacks_stack(const Violation& violation) {
    return std::any_of(violation.situations.begin(), violation.situations.end(), lacks_stack_itself);
}

void take_stacks(const std::vector<Violation>& seen, Violation& violation) {
    for (RankSituation& situation : violation.situations) {
        if (!lacks_stack_itself(situation)) {
            continue;
        }
        if (const RankSituation* const found = find(seen, violation, situation)) {
            situation.stack = found->stack;
            situation.where = found->where;
        }
    }
}

}  // namespace dampi::scheduler
