// What a sweep has come to so far: counts, findings, outcomes. It is fed with one entry for each run. Entries and the
// account are plain data, so that they can be kept in a file; an account, and the entries since, make the same account
// again.
#pragma once

#include "replay/run_record.hpp"
#include "scheduler/exploration/lesson.hpp"
#include "scheduler/findings.hpp"
#include "scheduler/sweep_result.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace dampi::scheduler {

/// Interleavings whose outcomes are kept for the report.
inline constexpr std::uint64_t default_outcomes_limit = 100'000;

/// What is kept of one run.
struct SweepEntry {
    /// Why it is not simply a run that went to its end as it was told to.
    enum class Flaw : std::uint8_t {
        none,
        cut_short,   ///< ended while some ranks still computed, since others could not go on: what was learned counts
        divergence,  ///< it did not follow its decisions
        imprecise_match,
        unfinished,  ///< the sweep's end ended it: it will be run again
    };

    InterleavingOutcome outcome;
    bool trial = false;
    Flaw flaw = Flaw::none;
    std::vector<Sighting> sightings;
    std::map<std::string, std::uint64_t> not_modelled;
    std::map<replay::CommId, std::string> communicators;  ///< that had not been seen before
    Lesson lesson;                                        ///< for the explorer; of an unfinished run nothing

    template <typename Archive>
    void serialize(Archive& archive, unsigned /*version*/) {
        archive& outcome& trial& flaw& sightings& not_modelled& communicators& lesson;
    }
};

class SweepAccount {
public:
    /// `with_false_answers`: runs that only differ in how often a polling call answered false are different.
    explicit SweepAccount(bool with_false_answers, std::uint64_t outcomes_limit = default_outcomes_limit)
        : with_false_answers_(with_false_answers), outcomes_limit_(outcomes_limit) {}

    /// The entry for a run. `unfinished`: it was ended by the end of the sweep. Changes nothing: apply() does.
    [[nodiscard]] SweepEntry look(const replay::Interleaving& interleaving, replay::RunRecord record, Lesson lesson,
                                  bool unfinished) const;
    void apply(const SweepEntry& entry);

    /// Violations found so far, each once.
    [[nodiscard]] std::uint64_t findings() const { return collector_.count(); }
    [[nodiscard]] std::uint64_t explored() const { return explored_; }
    [[nodiscard]] std::uint64_t trials() const { return trials_; }
    /// The runs that findings and doubts are shown and reproduced from.
    [[nodiscard]] std::set<std::uint64_t> reproducers() const { return collector_.reproducers(); }

    /// Without what only the explorer knows (pending, left_out of the heuristics) and the time.
    [[nodiscard]] SweepResult result() const;

    template <typename Archive>
    void serialize(Archive& archive, unsigned /*version*/) {
        archive& explored_& trials_& cut_short_& imprecise_matches_& divergences_& by_buffering_& not_modelled_&
            communicators_& collector_& outcomes_& outcomes_omitted_;
    }

private:
    bool with_false_answers_;
    std::uint64_t outcomes_limit_;
    std::uint64_t explored_ = 0;
    std::uint64_t trials_ = 0;
    std::uint64_t cut_short_ = 0;
    std::uint64_t imprecise_matches_ = 0;
    std::uint64_t divergences_ = 0;
    std::map<replay::Buffering, ModeCounts> by_buffering_;
    std::map<std::string, std::uint64_t> not_modelled_;
    std::map<replay::CommId, std::string> communicators_;
    FindingCollector collector_;
    std::vector<InterleavingOutcome> outcomes_;
    bool outcomes_omitted_ = false;
};

}  // namespace dampi::scheduler
