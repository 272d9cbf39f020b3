#include "scheduler/calls/stacks_of_findings.hpp"

#include "replay/cause.hpp"
#include "replay/epoch.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <string>

namespace dampi::scheduler {
namespace {

using replay::RankSituation;
using replay::Violation;

/// Only a run whose main is followed knows from which statement.
bool has_returned(const RankSituation& situation) { return situation.call == replay::main_returned; }

bool lacks_stack(const RankSituation& situation) {
    return situation.stack.empty() && !situation.call.empty() && !situation.where.module.empty();
}

/// Whether it is what the rank did there, and says from where.
bool tells_of(const RankSituation& seen, const RankSituation& situation) {
    return seen.rank == situation.rank && seen.call == situation.call &&
           (has_returned(situation) ||
            std::any_of(seen.stack.begin(), seen.stack.end(), [&](const replay::CodePlace& frame) {
                return replay::source_place(frame) == replay::source_place(situation.where);
            }));
}

bool same_stack(const RankSituation& one, const RankSituation& other) {
    return std::equal(one.stack.begin(), one.stack.end(), other.stack.begin(), other.stack.end(),
                      [](const replay::CodePlace& a, const replay::CodePlace& b) {
                          return replay::source_place(a) == replay::source_place(b);
                      });
}

/// What it would be caused by if functions that pass on were the user's doing, and each `return` were main's.
std::string cause_in_functions(Violation violation) {
    for (RankSituation& situation : violation.situations) {
        if (!situation.call.empty() && !situation.stack.empty()) {
            situation.where = situation.stack.front();
        }
        if (has_returned(situation)) {
            situation.where.line = 0;
            situation.where.offset = 0;
        }
    }
    return replay::cause_of(violation);
}

/// Whether reports may list it among those that lead there.
bool may_be_shown(const replay::Epoch& epoch) {
    return epoch.forced || !epoch.potential_matches.empty() || !epoch.completable.empty() || !epoch.others.empty();
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

void take_stacks(const std::vector<Violation>& seen, Violation& violation) {
    for (RankSituation& situation : violation.situations) {
        const bool lacks = lacks_stack(situation);
        if (!lacks && (situation.stack.empty() || situation.call.empty())) {
            continue;
        }
        if (const RankSituation* const found = find(seen, violation, situation);
            found != nullptr && (lacks || has_returned(situation) || same_stack(*found, situation))) {
            situation.stack = found->stack;
            situation.where = found->where;
        }
    }
}

bool main_has_returned(const Violation& violation) {
    return std::any_of(violation.situations.begin(), violation.situations.end(), has_returned);
}

bool other_run_tells_more(const Violation& violation) {
    return std::any_of(violation.situations.begin(), violation.situations.end(), [](const RankSituation& each) {
        return lacks_stack(each) || has_returned(each) || (!each.call.empty() && each.stack.size() > 1);
    });
}

bool choices_lack_stacks(const std::vector<replay::Epoch>& epochs) {
    return std::any_of(epochs.begin(), epochs.end(), [](const replay::Epoch& each) {
        return !each.where.module.empty() && each.where.function != "main" && may_be_shown(each);
    });
}

std::vector<std::vector<replay::CodePlace>> take_stacks_of_choices(const replay::RunRecord& seen,
                                                                   std::vector<replay::Epoch>& epochs) {
    std::map<replay::EpochId, const replay::Epoch*> by_id;
    for (const replay::Epoch& each : seen.epochs) {
        by_id.emplace(each.id, &each);
    }
    std::vector<std::vector<replay::CodePlace>> stacks(epochs.size());
    std::size_t shown = 0;
    for (std::size_t i = 0; i < epochs.size(); ++i) {
        replay::Epoch& epoch = epochs[i];
        const auto found = by_id.find(epoch.id);
        if (found == by_id.end() || found->second->call != epoch.call ||
            found->second->context.stack >= seen.stacks.size()) {
            continue;
        }
        const std::vector<replay::CodePlace>& stack = seen.stacks[found->second->context.stack];
        if (std::any_of(stack.begin(), stack.end(), [&](const replay::CodePlace& frame) {
                return replay::source_place(frame) == replay::source_place(epoch.where);
            })) {
            epoch.where = found->second->where;
            if (may_be_shown(epoch) && shown++ < most_choice_stacks) {
                stacks[i] = stack;
            }
        }
    }
    return stacks;
}

std::vector<Violation> told_apart(const std::vector<Violation>& seen, const Violation& violation) {
    const std::string own = replay::cause_of(violation);
    if (std::any_of(seen.begin(), seen.end(), [&](const Violation& each) { return replay::cause_of(each) == own; })) {
        return {};  // the sweep has told it apart itself
    }
    const std::string cause = cause_in_functions(violation);
    std::vector<Violation> all;
    std::copy_if(seen.begin(), seen.end(), std::back_inserter(all),
                 [&](const Violation& each) { return cause_in_functions(each) == cause; });
    return all.size() > 1 ? all : std::vector<Violation>();
}

}  // namespace dampi::scheduler
