#include "heuristics/novelty.hpp"

#include "base/check.hpp"
#include "base/hash.hpp"

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>

namespace dampi::heuristics {
namespace {

using replay::Epoch;
using replay::Outcome;

base::Hash& add(base::Hash& hash, const Outcome& outcome) {
    hash.add(static_cast<std::uint64_t>(outcome.source)).add(outcome.completed.size()).add(outcome.poll);
    for (const std::uint32_t position : outcome.completed) {
        hash.add(position);
    }
    return hash;
}

}  // namespace

BehaviourOf::BehaviourOf(const replay::RunRecord& record) : record_(record) {
    std::map<std::tuple<replay::Rank, std::string_view, std::uint64_t>, std::uint32_t> so_far;
    iterations_.reserve(record.epochs.size());
    for (const Epoch& epoch : record.epochs) {
        iterations_.push_back(so_far[{epoch.id.rank, epoch.where.module, epoch.where.offset}]++);
    }
}

Behaviour BehaviourOf::with(std::size_t index, const Outcome& outcome) const {
    DAMPI_CHECK(index < record_.epochs.size());
    const Epoch& epoch = record_.epochs[index];
    base::Hash hash;
    hash.add(std::hash<std::string>{}(epoch.where.module)).add(epoch.where.offset);
    Behaviour behaviour;
    behaviour.here = add(hash.add(static_cast<std::uint64_t>(epoch.kind)), outcome).value();
    behaviour.now = hash.add(static_cast<std::uint64_t>(epoch.id.rank)).add(iterations_[index]).value();
    const bool follows = index != 0 && record_.epochs[index - 1].id.rank == epoch.id.rank;
    if (follows && record_.epochs[index - 1].outcome) {
        behaviour.after = add(hash, *record_.epochs[index - 1].outcome).value();
    } else {
        behaviour.after = hash.add(1).value();
    }
    return behaviour;
}

unsigned Novelty::level(const Behaviour& behaviour) const {
    if (seen_.size() >= most_seen) {
        return 0;
    }
    return !seen_.contains(behaviour.here) ? 3 : !seen_.contains(behaviour.now) ? 2 : !seen_.contains(behaviour.after);
}

std::vector<std::uint64_t> Novelty::unseen(const BehaviourOf& run) const {
    std::set<std::uint64_t> found;
    if (seen_.size() < most_seen) {
        const std::vector<Epoch>& epochs = run.record().epochs;
        for (std::size_t i = 0; i < epochs.size(); ++i) {
            if (epochs[i].outcome) {
                const Behaviour behaviour = run.with(i, *epochs[i].outcome);
                for (const std::uint64_t digest : {behaviour.here, behaviour.now, behaviour.after}) {
                    if (!seen_.contains(digest)) {
                        found.insert(digest);
                    }
                }
            }
        }
    }
    return {found.begin(), found.end()};
}

void Novelty::see(const std::vector<std::uint64_t>& digests) { seen_.insert(digests.begin(), digests.end()); }

}  // namespace dampi::heuristics
