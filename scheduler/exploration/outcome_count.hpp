// How many outcomes the runs of a sweep stand for, where some have ended in states in which others had been
// (replay::Merge): a run that has ended so stands for as many as there are behind that state. Exact: nothing is counted
// twice, since the parts that alternatives stand for do not overlap. Plain data; decides nothing.
#pragma once

#include "replay/buffering.hpp"
#include "replay/decision.hpp"
#include "replay/members.hpp"
#include "replay/run_record.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace dampi::scheduler {

/// A cause of violations (replay/cause.hpp), and how many outcomes lead to it.
struct OutcomesOfCause {
    std::uint64_t cause = 0;  ///< digest_of_cause()
    std::string outcomes;     ///< in decimal digits
    double chance = 0;        ///< of one of them, were each alternative of a choice as likely as the others
    /// The fewest choices that are known to lead to one, from state to state (WayOverStates); empty: that is not known.
    std::vector<replay::Decision> shortest_way = {};

    template <typename Archive>
    void serialize(Archive& archive, unsigned /*version*/) {
        replay::members(archive, cause, outcomes, chance, shortest_way);
    }
};

/// A run that went on behind a state in which an earlier one had been, and it was not the same that followed.
struct MeetingDifference {
    std::uint64_t run = 0;
    std::uint32_t settled = 0;
    replay::Merge earlier;
    std::string outcomes;                ///< behind the state, in decimal digits
    std::string earlier_outcomes;        ///< likewise, of the earlier run
    std::optional<std::uint64_t> cause;  ///< of these, those that lead to it; none: of all

    template <typename Archive>
    void serialize(Archive& archive, unsigned /*version*/) {
        replay::members(archive, run, settled, earlier, outcomes, earlier_outcomes, cause);
    }
};

/// Under one mode of buffering.
struct OutcomesOfMode {
    replay::Buffering buffering;
    std::uint64_t merged = 0;                    ///< runs that have ended in a state of another one
    std::optional<std::string> outcomes;         ///< that all runs stand for, in decimal digits, if that is known
    std::vector<OutcomesOfCause> by_cause = {};  ///< as far as it is known
    std::uint64_t compared = 0;                  ///< states behind which runs went on, and what follows was compared
    std::vector<MeetingDifference> differences = {};

    template <typename Archive>
    void serialize(Archive& archive, unsigned /*version*/) {
        replay::members(archive, buffering, merged, outcomes, by_cause, compared, differences);
    }
};

/// Names a cause of violations (replay::cause_of).
[[nodiscard]] std::uint64_t digest_of_cause(const replay::Violation& violation);

class OutcomeCount {
public:
    /// A cause of violations that a run has shown.
    struct Shown {
        std::uint64_t cause = 0;  ///< digest_of_cause()
        /// It follows from the state and from what comes behind it: runs that have met show it alike. Of other
        /// violations a run shows some in what comes before, and the one that it has met does not.
        bool by_state = false;

        template <typename Archive>
        void serialize(Archive& archive, unsigned /*version*/) {
            replay::members(archive, cause, by_state);
        }
    };

    /// A choice that a run has made, which had not been decided.
    struct Step {
        replay::Decision made;
        std::uint32_t settled = 0;  ///< Epoch::settled

        template <typename Archive>
        void serialize(Archive& archive, unsigned /*version*/) {
            replay::members(archive, made, settled);
        }
    };

    struct Run {
        std::uint64_t number = 0;
        std::uint64_t parent = 0;  ///< the run for an alternative of which it was made; 0: none
        std::uint32_t branch = 0;  ///< Epoch::settled of that alternative's epoch in the parent
        std::optional<replay::Merge> merged;
        bool goes_on = false;  ///< it had merged, and stands for nothing itself: the run made to go on there does
        std::vector<replay::Meeting> meetings = {};
        std::vector<Shown> shown = {};  ///< each once
        // As far as a way may lead through it
        std::uint32_t length = 0;                   ///< how many of its epochs have come to an outcome
        std::vector<replay::Decision> needed = {};  ///< beyond the parent's steps: the alternative, and what it needs
        std::vector<Step> steps = {};               ///< ascending by `settled`

        template <typename Archive>
        void serialize(Archive& archive, unsigned /*version*/) {
            replay::members(archive, number, parent, branch, merged, goes_on, meetings, shown, length, needed, steps);
        }
    };

    /// Of all runs together so many choices are kept; when there are more, none are, and no ways are known.
    static constexpr std::size_t most_choices = 200'000;

    /// Each run once.
    void add(Run run);

    /// A run that has merged is run on behind the state in which it has ended: a further run, for an alternative of
    /// the last of its branches.
    void go_on(std::uint64_t number);

    [[nodiscard]] bool empty() const { return runs_.empty(); }

    /// What violations a run has shown, as far as they count.
    [[nodiscard]] static std::vector<Shown> shown_by(const replay::RunRecord& record);

    /// Of the runs that there are: of all outcomes once nothing is left to run. The number is not known if a run is
    /// missing in which others have ended.
    [[nodiscard]] OutcomesOfMode count(const replay::Buffering& buffering) const;

    template <typename Archive>
    void serialize(Archive& archive, unsigned /*version*/) {
        replay::members(archive, runs_, merged_, choices_);
    }

private:
    std::vector<Run> runs_;
    std::uint64_t merged_ = 0;
    std::size_t choices_ = 0;  ///< Run::needed and Run::steps of all; more than most_choices: they are not kept
};

}  // namespace dampi::scheduler
