// What an explorer learns from one run, and what it knows: plain data, so that a sweep can be kept in a file and
// resumed. A lesson holds only what is new. A state, and the lessons since, bring an explorer where it was.
#pragma once

#include "heuristics/novelty.hpp"
#include "heuristics/random_walk.hpp"
#include "heuristics/search_bounds.hpp"
#include "heuristics/size_estimate.hpp"
#include "replay/decision.hpp"
#include "replay/members.hpp"
#include "replay/run_record.hpp"
#include "scheduler/exploration/outcome_count.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace dampi::scheduler {

/// Where a run did not do what was decided.
struct Deviation {
    replay::EpochId epoch;
    std::string text;  ///< a sentence

    template <typename Archive>
    void serialize(Archive& archive, unsigned /*version*/) {
        replay::members(archive, epoch, text);
    }
};

/// Another outcome that an epoch could have had.
struct Alternative {
    replay::Outcome outcome;
    // what has it: the epoch itself, or another call of the stretch
    replay::EpochKind kind = replay::EpochKind::receive;
    replay::CommId comm = 0;
    base::Tag tag = base::any_tag;
    /// Of a polling call: at least outcome.false_answers false answers, and what it answers then is left to the run.
    bool open = false;
    std::uint32_t additional = 0;  ///< replay::Decision::additional
    std::uint32_t at_least = 0;    ///< replay::Decision::at_least
    /// What must have happened for it, beyond what was settled before the epoch; sorted by epoch.
    std::vector<replay::Decision> needs = {};
    heuristics::Behaviour behaviour = {};
    bool goes_on = false;  ///< of UnfinishedRun::ended_in: of no epoch, and there is nothing else to it

    template <typename Archive>
    void serialize(Archive& archive, unsigned /*version*/) {
        replay::members(archive, outcome, kind, comm, tag, open, additional, at_least, needs, behaviour, goes_on);
    }
};

/// Alternatives that are not going to be explored.
struct LeftOutAlternatives {
    /// By a bound of the search, at one place in the program.
    struct Place {
        heuristics::LeftOutBy by = heuristics::LeftOutBy::nothing;
        std::string call;  ///< the MPI function
        replay::CodePlace where;

        auto operator<=>(const Place&) const = default;

        template <typename Archive>
        void serialize(Archive& archive, unsigned /*version*/) {
            replay::members(archive, by, call, where);
        }
    };

    /// For another reason, at one place in the program, if that is known.
    struct Otherwise {
        std::string what;    ///< of the places, or alternatives; a part of a sentence
        std::string remedy;  ///< what helps; empty: nothing does
        std::string call;    ///< the MPI function
        replay::CodePlace where;

        auto operator<=>(const Otherwise&) const = default;

        template <typename Archive>
        void serialize(Archive& archive, unsigned /*version*/) {
            replay::members(archive, what, remedy, call, where);
        }
    };

    std::map<Place, std::uint64_t> by_bounds;
    std::map<Otherwise, std::uint64_t> otherwise;

    LeftOutAlternatives& operator+=(const LeftOutAlternatives& other) {
        for (const auto& [place, count] : other.by_bounds) {
            by_bounds[place] += count;
        }
        for (const auto& [reason, count] : other.otherwise) {
            otherwise[reason] += count;
        }
        return *this;
    }

    template <typename Archive>
    void serialize(Archive& archive, unsigned /*version*/) {
        replay::members(archive, by_bounds, otherwise);
    }
};

/// Names one alternative: of which run's which step, and its place among those of the step.
struct AlternativeName {
    std::uint64_t run = 0;  ///< the interleaving's number; 0: of none, the first run
    std::uint32_t step = 0;
    std::uint32_t index = 0;

    template <typename Archive>
    void serialize(Archive& archive, unsigned /*version*/) {
        replay::members(archive, run, step, index);
    }
};

/// A place in the program with a polling call.
struct PollingPlaceName {
    std::string module;
    std::uint64_t offset = 0;
    replay::EpochKind kind = replay::EpochKind::test;

    auto operator<=>(const PollingPlaceName&) const = default;

    template <typename Archive>
    void serialize(Archive& archive, unsigned /*version*/) {
        replay::members(archive, module, offset, kind);
    }
};

/// What is known of the polling calls at one place. Where false answers are not explored, it must at least be known
/// whether they matter: they do not where the program just asks again.
struct PollingPlace {
    bool asks_again = false;  ///< seen: after a false answer it repeats the call
    bool goes_on = false;     ///< seen: after a false answer it does something else
    bool tried = false;       ///< there was a run to see what it does
    bool cut = false;         ///< there were more false answers to explore
    bool undecided = false;   ///< seen: it could not be proven that false answers do not matter
    std::string call;         ///< the MPI function
    replay::CodePlace where;
    std::vector<replay::Decision> trial = {};  ///< to see what it does: one more false answer than once seen

    template <typename Archive>
    void serialize(Archive& archive, unsigned /*version*/) {
        replay::members(archive, asks_again, goes_on, tried, cut, undecided, call, where, trial);
    }
};

/// A random walk, and what chance does next.
struct SampledWalk {
    heuristics::RandomWalk walk;
    heuristics::WalkChance chance;
    bool deviated = false;  ///< a run did not follow its decisions: the walk is abandoned

    template <typename Archive>
    void serialize(Archive& archive, unsigned /*version*/) {
        replay::members(archive, walk, chance, deviated);
    }
};

/// With random walks (Sampling): what they make of a run.
struct SampledRun {
    std::uint64_t inner_number = 0;       ///< for the explorer beside them; 0: the run was made for them
    std::optional<double> expected_runs;  ///< of the first interleaving: that one walk would make
    std::optional<std::pair<std::uint32_t, SampledWalk>> walk;  ///< its number, and how far it has come
    bool too_large = false;                                     ///< for walks to begin with it

    template <typename Archive>
    void serialize(Archive& archive, unsigned /*version*/) {
        replay::members(archive, inner_number, expected_runs, walk, too_large);
    }
};

struct Lesson {
    struct Found {
        std::uint64_t run = 0;
        std::uint32_t step = 0;
        Alternative alternative;

        template <typename Archive>
        void serialize(Archive& archive, unsigned /*version*/) {
            replay::members(archive, run, step, alternative);
        }
    };

    std::uint32_t part = 0;                 ///< of several explorations one after the other: of which
    std::uint64_t number = 0;               ///< of the interleaving, in its part
    AlternativeName origin;                 ///< what it was run for
    std::optional<PollingPlaceName> trial;  ///< or this
    /// It goes on where this interleaving has ended in a state of an earlier one, and stands in its place.
    std::optional<std::uint64_t> goes_on_from;
    std::optional<Deviation> deviation;   ///< it did not follow; then nothing else was learned
    std::vector<replay::Decision> steps;  ///< what was not decided, in causal order; empty where none has alternatives
    std::vector<heuristics::StepBound> bounds;   ///< of the steps
    std::vector<std::uint32_t> settled;          ///< likewise: UnfinishedRun::Step::settled
    bool counted = false;                        ///< the run is one of OutcomeCount's
    std::optional<replay::Merge> merged;         ///< RunRecord::merged
    bool merged_open = false;                    ///< likewise
    std::vector<replay::Meeting> meetings;       ///< likewise
    std::vector<replay::OpenState> open_states;  ///< likewise
    /// States of this run and of earlier ones behind which it has shown alternatives of epochs before them.
    std::vector<replay::Merge> given_up;
    std::vector<OutcomeCount::Shown> shown;  ///< if it is counted: OutcomeCount::Run::shown
    std::uint32_t length = 0;                ///< likewise
    /// If it is counted, and a way may end in it or leave it at its end: its steps behind those in `steps`.
    std::vector<OutcomeCount::Step> rest;
    std::vector<Found> found;              ///< alternatives that were not known, of this run and of earlier ones
    std::vector<std::uint64_t> behaviour;  ///< heuristics::Novelty: seen for the first time
    std::map<PollingPlaceName, PollingPlace> polling;  ///< places of which something new is known
    LeftOutAlternatives left_out;
    std::optional<SampledRun> sampled;

    template <typename Archive>
    void serialize(Archive& archive, unsigned /*version*/) {
        replay::members(archive, part, number, origin, trial, goes_on_from, deviation, steps, bounds, settled, counted,
                        merged, merged_open, meetings, open_states, given_up, shown, length, rest, found, behaviour,
                        polling, left_out, sampled);
    }
};

/// A run of which something is left.
struct UnfinishedRun {
    /// What it was told. It was either a step of an earlier run, or the alternative for which the run was made, with
    /// what that needs.
    struct Kept {
        replay::Decision decision;
        std::uint32_t depth = 0;  ///< UnfinishedRun::depth of that run, or of the one that the alternative belongs to
        std::uint32_t step = 0;   ///< in that run
        bool is_step = false;

        template <typename Archive>
        void serialize(Archive& archive, unsigned /*version*/) {
            replay::members(archive, decision, depth, step, is_step);
        }
    };
    /// An epoch that had not been decided, and what it came to.
    struct Step {
        replay::Decision made;
        std::uint32_t fewest_false_answers = 0;  ///< those with fewer do not belong here
        heuristics::StepBound bound = {};
        /// Epoch::settled; beyond all others for one that came to nothing, 0 where that is not known.
        std::uint32_t settled = 0;
        std::vector<Alternative> alternatives = {};
        std::vector<double> shares = {};            ///< what part of all each is presumably
        std::vector<std::uint8_t> handed_out = {};  ///< whether each is being run, or was

        template <typename Archive>
        void serialize(Archive& archive, unsigned /*version*/) {
            replay::members(archive, made, fewest_false_answers, bound, settled, alternatives, shares, handed_out);
        }
    };

    std::uint64_t number = 0;
    AlternativeName origin;
    std::uint32_t depth = 0;             ///< how many alternatives lead to it
    std::vector<Kept> kept;              ///< sorted by epoch
    std::vector<replay::Decision> open;  ///< Alternative::open: also told, but what it comes to is a step; likewise
    std::vector<Step> steps;             ///< in causal order
    /// RunRecord::merged, if that is an open state: behind its steps there is one more, of no epoch, whose alternative
    /// is to go on behind that state.
    std::optional<replay::Merge> ended_in = {};

    template <typename Archive>
    void serialize(Archive& archive, unsigned /*version*/) {
        replay::members(archive, number, origin, depth, kept, open, steps, ended_in);
    }
};

/// What is known of the open states of runs (replay::OpenState).
struct OpenStates {
    struct Meeting {
        bool given_up = false;             ///< something behind it has shown an alternative of what was before
        std::vector<std::uint64_t> ended;  ///< the runs that have ended there; none any more if it is given up

        template <typename Archive>
        void serialize(Archive& archive, unsigned /*version*/) {
            replay::members(archive, given_up, ended);
        }
    };

    std::map<std::uint64_t, std::vector<replay::OpenState>> of_runs;
    std::map<replay::Merge, Meeting> meetings;
    std::uint64_t epochs = 0;  ///< in of_runs

    template <typename Archive>
    void serialize(Archive& archive, unsigned /*version*/) {
        replay::members(archive, of_runs, meetings, epochs);
    }
};

/// What is known of random walks.
struct SamplingState {
    bool begun = false;                   ///< the first interleaving has come back
    std::uint64_t inner_last_number = 0;  ///< ExplorerState::last_number of the explorer beside them
    std::optional<std::uint32_t> walks;   ///< to make, once that is decided
    std::map<std::uint32_t, SampledWalk> going_on;
    std::map<std::uint32_t, std::optional<heuristics::LargeNumber>> ended;  ///< with their estimates; none: abandoned
    std::uint64_t runs = 0;                                                 ///< made for them

    template <typename Archive>
    void serialize(Archive& archive, unsigned /*version*/) {
        replay::members(archive, begun, inner_last_number, walks, going_on, ended, runs);
    }
};

struct ExplorerState {
    std::uint64_t last_number = 0;  ///< handed out; 0: the first run has not come back
    double done = 0;                ///< Explorer::progress()
    std::vector<UnfinishedRun> runs;
    LeftOutAlternatives left_out;
    std::vector<std::uint64_t> behaviour;  ///< seen so far
    std::map<PollingPlaceName, PollingPlace> polling;
    std::uint32_t part = 0;    ///< of several explorations one after the other, this one; the rest is of earlier ones
    std::uint64_t before = 0;  ///< numbers handed out
    LeftOutAlternatives left_out_before;
    std::optional<heuristics::SizeEstimate> estimate_before;
    SamplingState sampling;
    OutcomeCount outcomes;
    OpenStates open_states;
    std::vector<OutcomesOfMode> outcomes_before;

    template <typename Archive>
    void serialize(Archive& archive, unsigned /*version*/) {
        replay::members(archive, last_number, done, runs, left_out, behaviour, polling, part, before, left_out_before,
                        estimate_before, sampling, outcomes, open_states, outcomes_before);
    }
};

}  // namespace dampi::scheduler
