// What in a program's behaviour has not been seen yet: by places, sources, and which follows which. Decides nothing
// about what belongs to the search, only what of it comes first (Order::newest). Pure values; the digests are the same
// in every run of a sweep.
#pragma once

#include "replay/epoch.hpp"
#include "replay/members.hpp"
#include "replay/run_record.hpp"

#include <cstddef>
#include <cstdint>
#include <unordered_set>
#include <vector>

namespace dampi::heuristics {

/// An outcome of an epoch, seen more and more closely. Digests: equal if the same.
struct Behaviour {
    std::uint64_t here = 0;   ///< this outcome (source, or requests) at this place in the program
    std::uint64_t now = 0;    ///< ... in this rank, in this iteration
    std::uint64_t after = 0;  ///< ... after what the rank's epoch before came to

    template <typename Archive>
    void serialize(Archive& archive, unsigned /*version*/) {
        replay::members(archive, here, now, after);
    }
};

/// The behaviour in a run.
class BehaviourOf {
public:
    /// Refers to the record, which must stay.
    explicit BehaviourOf(const replay::RunRecord& record);

    /// If epoch `index` (a place in RunRecord::epochs) came to `outcome`.
    [[nodiscard]] Behaviour with(std::size_t index, const replay::Outcome& outcome) const;
    [[nodiscard]] const replay::RunRecord& record() const { return record_; }

private:
    const replay::RunRecord& record_;
    std::vector<std::uint32_t> iterations_;  ///< by epoch
};

class Novelty {
public:
    /// Up to here something new is still noticed.
    static constexpr std::size_t most_seen = 100'000;
    /// More is newer; 0: nothing is new.
    static constexpr unsigned levels = 3;

    [[nodiscard]] unsigned level(const Behaviour& behaviour) const;
    /// What the run shows for the first time.
    [[nodiscard]] std::vector<std::uint64_t> unseen(const BehaviourOf& run) const;
    void see(const std::vector<std::uint64_t>& digests);
    [[nodiscard]] std::vector<std::uint64_t> seen() const { return {seen_.begin(), seen_.end()}; }

private:
    std::unordered_set<std::uint64_t> seen_;
};

}  // namespace dampi::heuristics
