#include "replay/pinned_outcomes.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>

namespace dampi::replay {

std::uint32_t additional_of(const Decision& open, const Outcome& came_to) {
    if (open.additional == 0 || came_to.released > open.outcome.released) {
        return additional_of(open, came_to.false_answers);
    }
    const std::uint32_t own = own_false_answers(open.outcome.false_answers, open.additional);
    return came_to.false_answers - std::min(came_to.false_answers, own);
}

Interleaving pin_outcomes(const Interleaving& given, const RunRecord& record) {
    Interleaving pinned = given;
    pinned.free_seed = 0;
    std::map<EpochId, std::size_t> decided;
    for (std::size_t i = 0; i < given.decisions.size(); ++i) {
        decided.emplace(given.decisions[i].epoch, i);
    }
    for (const auto& epoch : record.epochs) {
        if (!epoch.outcome) {
            continue;
        }
        const auto known = decided.find(epoch.id);
        if (known == decided.end()) {
            pinned.decisions.push_back({.epoch = epoch.id,
                                        .kind = epoch.kind,
                                        .comm = epoch.comm,
                                        .tag = epoch.tag,
                                        .outcome = *epoch.outcome,
                                        .counted = epoch.counted,
                                        .threads = epoch.threads});
        } else if (const Decision& told = pinned.decisions[known->second];
                   told.open || told.outcome.number == any_message) {
            Decision& decision = pinned.decisions[known->second];
            decision.open = false;
            decision.additional = additional_of(decision, *epoch.outcome);
            decision.counted = epoch.counted;
            decision.at_least = 0;
            decision.kind = epoch.kind;
            decision.comm = epoch.comm;
            decision.tag = epoch.tag;
            decision.outcome = *epoch.outcome;
        }
    }
    std::sort(pinned.decisions.begin(), pinned.decisions.end(), by_epoch);
    return pinned;
}

}  // namespace dampi::replay
