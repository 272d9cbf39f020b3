#include "heuristics/novelty.hpp"

#include "clocks/check.hpp"

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

class Digest {
public:
    Digest& operator<<(std::uint64_t value) {
        // splitmix64's finalizer (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014).
        state_ += value + 0x9e3779b97f4a7c15;
        state_ = (state_ ^ (state_ >> 30U)) * 0xbf58476d1ce4e5b9;
        state_ = (state_ ^ (state_ >> 27U)) * 0x94d049bb133111eb;
        state_ ^= state_ >> 31U;
        return *this;
    }
    Digest& operator<<(const std::string& text) { return *this << std::hash<std::string>{}(text); }
    Digest& operator<<(const Outcome& outcome) {
        *this << static_cast<std::uint64_t>(outcome.source) << outcome.completed.size();
        for (const std::uint32_t position : outcome.completed) {
            *this << position;
        }
        return *this;
    }
    [[nodiscard]] std::uint64_t value() const { return state_; }

private:
    std::uint64_t state_ = 0;
};

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
    Digest digest;
    digest << epoch.where.module << epoch.where.offset << static_cast<std::uint64_t>(epoch.kind) << outcome;
    Behaviour behaviour;
    behaviour.here = digest.value();
    digest << static_cast<std::uint64_t>(epoch.id.rank) << iterations_[index];
    behaviour.now = digest.value();
    if (index != 0 && record_.epochs[index - 1].id.rank == epoch.id.rank && record_.epochs[index - 1].outcome) {
        digest << *record_.epochs[index - 1].outcome;
    } else {
        digest << 1;
    }
    behaviour.after = digest.value();
    return behaviour;
}

unsigned Novelty::level(const Behaviour& behaviour) const {
    if (seen_.size() >= most_seen) {
        return 0;
    }
    return !seen_.contains(behaviour.here) ? 3 : !seen_.contains(behaviour.now) ? 2 : !seen_.contains(behaviour.after);
}

std::vector<std::uint64_t> Novelty::unseen(const replay::RunRecord& record) const {
    std::set<std::uint64_t> found;
    if (seen_.size() < most_seen) {
        const BehaviourOf behaviour_of(record);
        for (std::size_t i = 0; i < record.epochs.size(); ++i) {
            if (record.epochs[i].outcome) {
                const Behaviour behaviour = behaviour_of.with(i, *record.epochs[i].outcome);
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
