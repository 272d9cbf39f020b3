#include "scheduler/exploration/explorer.hpp"

#include <algorithm>

namespace dampi::scheduler {

bool followed(const replay::RunRecord& record, const std::vector<replay::Decision>& decisions) {
    if (record.diverged) {
        return false;
    }
    return std::all_of(decisions.begin(), decisions.end(), [&](const replay::Decision& decision) {
        const auto epoch =
            std::lower_bound(record.epochs.begin(), record.epochs.end(), decision.epoch,
                             [](const replay::Epoch& known, const replay::EpochId& id) { return known.id < id; });
        return epoch != record.epochs.end() && epoch->id == decision.epoch && epoch->kind == decision.kind &&
               // A receive that fails (a truncation, say) ends the program before it is known to have matched.
               (epoch->outcome ? epoch->outcome->source == decision.source
                               : epoch->forced && !record.violations.empty());
    });
}

}  // namespace dampi::scheduler
