// How many outcomes the runs of a sweep stand for, where some have ended in states in which others had been
// (replay::Merge): a run that has ended so stands for as many as there are behind that state. Exact: nothing is counted
// twice, since the parts that alternatives stand for do not overlap. Plain data; decides nothing.
#pragma once

#include "replay/buffering.hpp"
#include "replay/members.hpp"
#include "replay/run_record.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace dampi::scheduler {

/// Under one mode of buffering.
struct OutcomesOfMode {
    replay::Buffering buffering;
    std::uint64_t merged = 0;             ///< runs that have ended in a state of another one
    std::optional<std::string> outcomes;  ///< that all runs stand for, in decimal digits, if that is known

    template <typename Archive>
    void serialize(Archive& archive, unsigned /*version*/) {
        replay::members(archive, buffering, merged, outcomes);
    }
};

class OutcomeCount {
public:
    struct Run {
        std::uint64_t number = 0;
        std::uint64_t parent = 0;  ///< the run for an alternative of which it was made; 0: none
        std::uint32_t branch = 0;  ///< Epoch::settled of that alternative's epoch in the parent
        std::optional<replay::Merge> merged;

        template <typename Archive>
        void serialize(Archive& archive, unsigned /*version*/) {
            replay::members(archive, number, parent, branch, merged);
        }
    };

    /// Each run once.
    void add(const Run& run) {
        runs_.push_back(run);
        merged_ += run.merged ? 1 : 0;
    }

    [[nodiscard]] bool empty() const { return runs_.empty(); }

    /// Once nothing is left to run. The number is not known if a run is missing in which others have ended.
    [[nodiscard]] OutcomesOfMode count(const replay::Buffering& buffering) const;

    template <typename Archive>
    void serialize(Archive& archive, unsigned /*version*/) {
        replay::members(archive, runs_, merged_);
    }

private:
    std::vector<Run> runs_;
    std::uint64_t merged_ = 0;
};

}  // namespace dampi::scheduler
