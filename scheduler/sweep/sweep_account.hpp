// What a sweep has come to so far: counts, findings, outcomes. It is fed with one entry for each run. Entries and the
// account are plain data, so that they can be kept in a file; an account, and the entries since, make the same account
// again.
#pragma once

#include "replay/members.hpp"
#include "replay/run_record.hpp"
#include "scheduler/exploration/lesson.hpp"
#include "scheduler/sweep/call_sites.hpp"
#include "scheduler/sweep/findings.hpp"
#include "scheduler/sweep/sweep_result.hpp"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace dampi::scheduler {

/// Interleavings whose outcomes are kept for the report.
inline constexpr std::uint64_t default_outcomes_limit = 100'000;
/// ... and the most bytes of their texts.
inline constexpr std::uint64_t most_outcome_bytes = std::uint64_t{16} << 20;
/// ... and of so many outcomes the call sites.
inline constexpr std::uint64_t most_outcome_sites = std::uint64_t{2} << 20;

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
    double seconds = 0;  ///< since the sweep's beginning, without the time in which it was interrupted
    replay::RunParts parts;
    bool trial = false;
    Flaw flaw = Flaw::none;
    std::vector<Sighting> sightings;
    replay::AllNotModelled not_modelled;
    std::map<replay::CommId, std::string> communicators;  ///< that had not been seen before
    CallSites::News sites;
    Lesson lesson;                         ///< for the explorer; of an unfinished run nothing
    std::optional<std::uint64_t> printed;  ///< RunRecord::printed

    /// Leaves out what is largest of what is left, and says so in it, or in the finding: what would have followed from
    /// the run; then how its findings come about; then findings beyond the first hundred. False when nothing is left to
    /// leave out.
    bool shorten();

    template <typename Archive>
    void serialize(Archive& archive, unsigned /*version*/) {
        replay::members(archive, outcome, seconds, parts, trial, flaw, sightings, not_modelled, communicators, sites,
                        lesson, printed);
    }
};

/// Of which stretches of polling calls the number of false answers makes outcomes different.
enum class CountedPolls : std::uint8_t {
    none,
    undecided,  ///< those of which it is not proven that it makes no difference
    all,
};

class SweepAccount {
public:
    explicit SweepAccount(CountedPolls counted, std::uint64_t outcomes_limit = default_outcomes_limit)
        : counted_(counted), outcomes_limit_(outcomes_limit) {}

    /// The entry for a run. `unfinished`: it was ended by the end of the sweep. `sites`: of the record, which anybody
    /// can make before. Changes nothing: apply() does.
    [[nodiscard]] SweepEntry look(const replay::Interleaving& interleaving, replay::RunRecord record, Lesson lesson,
                                  bool unfinished, const SitesOfRun& sites = {}) const;
    void apply(const SweepEntry& entry);

    /// Violations found so far, each once.
    [[nodiscard]] std::uint64_t findings() const { return state_.collector.count(); }
    [[nodiscard]] std::uint64_t explored() const { return state_.explored; }
    /// Further runs, also of random walks.
    [[nodiscard]] std::uint64_t trials() const { return state_.trials + state_.walk_runs; }
    /// The runs that findings and doubts are shown and reproduced from.
    [[nodiscard]] std::set<std::uint64_t> reproducers() const { return state_.collector.reproducers(); }

    /// How long the sweep has taken, up to the last run that was taken in.
    [[nodiscard]] double seconds() const { return state_.seconds; }

    /// Without what only the explorer knows (pending, left_out of the heuristics) and the time.
    [[nodiscard]] SweepResult result() const;

    /// Everything that apply() has brought about.
    struct State {
        std::uint64_t explored = 0;
        std::uint64_t trials = 0;
        std::uint64_t walk_runs = 0;
        std::uint64_t cut_short = 0;
        std::uint64_t imprecise_matches = 0;
        std::uint64_t divergences = 0;
        double seconds = 0;
        replay::RunParts parts;  ///< of all runs together
        std::map<replay::Buffering, ModeCounts> by_buffering;
        replay::AllNotModelled not_modelled;
        std::map<replay::CommId, std::string> communicators;
        FindingCollector collector;
        std::vector<InterleavingOutcome> outcomes;
        std::vector<std::uint64_t> went_on;  ///< the numbers of those, while they are kept
        std::uint64_t outcome_bytes = 0;     ///< of all, whether kept or not
        bool outcomes_omitted = false;
        CallSites sites;
        std::uint64_t outcome_sites = 0;  ///< of all interleavings, whether kept or not
        PrintedOutputs printed;

        template <typename Archive>
        void serialize(Archive& archive, unsigned /*version*/) {
            replay::members(archive, explored, trials, walk_runs, cut_short, imprecise_matches, divergences, seconds,
                            parts, by_buffering, not_modelled, communicators, collector, outcomes, went_on,
                            outcome_bytes, outcomes_omitted, sites, outcome_sites, printed);
        }
    };
    [[nodiscard]] const State& state() const { return state_; }
    void restore(State state) { state_ = std::move(state); }

private:
    CountedPolls counted_;
    std::uint64_t outcomes_limit_;
    State state_;
};

}  // namespace dampi::scheduler
