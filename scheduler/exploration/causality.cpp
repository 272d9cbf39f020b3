#include "scheduler/exploration/causality.hpp"

#include <algorithm>
#include <utility>

namespace dampi::scheduler {

using clocks::Protocol;
using replay::Epoch;

Causality::Causality(const replay::RunRecord& record) : record_(record) {
    if (record.protocol == Protocol::vector) {
        return;
    }
    std::vector<std::pair<std::uint64_t, std::uint64_t>> matched;
    for (const Epoch& epoch : record.epochs) {
        if (epoch.outcome) {
            matched.emplace_back(epoch.final.value, epoch.past.lamport.value);
        }
    }
    std::sort(matched.begin(), matched.end());
    std::uint64_t reach = 0;
    for (const auto& [final, past] : matched) {
        reach = std::max(reach, past);
        finals_.push_back(final);
        reaches_.push_back(reach);
    }
    for (const Epoch& epoch : record.epochs) {
        below_.push_back(epoch.outcome ? closed(epoch.past.lamport.value) : 0);
    }
}

std::uint64_t Causality::closed(std::uint64_t below) const {
    for (;;) {
        const auto end = std::lower_bound(finals_.begin(), finals_.end(), below);
        const std::uint64_t reach =
            end == finals_.begin() ? 0 : reaches_[static_cast<std::size_t>(end - finals_.begin()) - 1];
        if (reach <= below) {
            return below;
        }
        below = reach;
    }
}

bool Causality::contains(const clocks::Clock& past, std::size_t a) const {
    const Epoch& epoch = record_.epochs[a];
    if (!epoch.outcome) {
        return false;
    }
    return record_.protocol == Protocol::vector ? past.vector.knows(epoch.id.rank, epoch.id.index)
                                                : epoch.final.value < closed(past.lamport.value);
}

bool Causality::precedes(std::size_t a, std::size_t b) const {
    const Epoch& before = record_.epochs[a];
    const Epoch& after = record_.epochs[b];
    if (a == b || !before.outcome || !after.outcome) {
        return false;
    }
    return record_.protocol == Protocol::vector ? after.past.vector.knows(before.id.rank, before.id.index)
                                                : before.final.value < below_[b];
}

std::pair<std::uint64_t, std::uint64_t> Causality::depth(std::size_t a) const {
    const Epoch& epoch = record_.epochs[a];
    return record_.protocol == Protocol::vector ? std::pair(epoch.past.vector.size(), std::uint64_t{0})
                                                : std::pair(below_[a], epoch.final.value);
}

}  // namespace dampi::scheduler
