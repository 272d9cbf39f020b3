// One random walk through the outcomes of a program, which gives an unbiased estimate of their number: Knuth's, made to
// work although what an epoch could have come to is known only as far as runs have shown it.
//
// The walk's state is a closed set of decisions D, at first empty, and for some epochs outcomes that they are not to
// have. Let N be the number of outcomes of the program that contain D and have none of the excluded ones. (Closed,
// maximal and why they may be counted so: ARCHITECTURE.md, "Exploration".)
//
// Any run that contains D shows the same *enabled* outcomes: those of epochs outside of D whose past lies in D. For
// their messages are sent in every such run, and either the epoch took it or it came late; likewise for requests that
// completed. An enabled outcome stays possible until its epoch has another one, for nothing else can take its message.
// So an epoch e with enabled outcomes that are not excluded comes to something in each of the N outcomes: to one of
// those, or *later*, to one that is not yet enabled. These parts do not overlap; the walk takes one of them at random,
// and its weight is divided by the probability. Later means: all that is enabled now is excluded for e. That can only
// be while some other epoch has an enabled outcome that is not excluded, as whatever happens next must be enabled.
//
// When nothing is enabled but what is excluded, the walk ends. If an epoch with excluded outcomes came to nothing,
// there is no such outcome of the program: N is 0. Otherwise D is an outcome, and N is 1. By induction from there the
// expected weight is N of the beginning: all outcomes, each once. This holds whichever of the epochs comes next and
// whatever the probability of "later" is, as long as it is not 0, and both may follow from everything that is known. So
// those come first of which no run shows a later outcome, and where none is known to exist the probability is small:
// the chance that a walk never says "later" without a reason stays above a bound, however long it is.
//
// What the walk cannot choose it takes as it comes, like the explorer: what a cancelled receive came to, and false
// answers of polling calls. Vector clocks only: with Lamport clocks a past is not known but bounded, and how tightly
// depends on the run. Pure: the runs are made by others.
#pragma once

#include "heuristics/size_estimate.hpp"
#include "replay/decision.hpp"
#include "replay/members.hpp"
#include "replay/run_record.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

namespace dampi::heuristics {

/// A point at which the walk can go on in several ways.
struct Branching {
    std::vector<double> probabilities;  ///< of each way; each above 0, together 1
    bool later = false;                 ///< the last is: to none of what is enabled now
    std::optional<std::size_t> as_run;  ///< the way that the run went, if it is one of them
};

class RandomWalk {
public:
    /// Answers with a way's place in Branching::probabilities.
    using Choose = std::function<std::size_t(const Branching&)>;

    /// What a run must contain for go_on(); sorted by epoch. At first anything will do.
    [[nodiscard]] const std::vector<replay::Decision>& decisions() const { return decisions_; }

    /// Goes on as far as the record of such a run leads: until the walk ends, or leaves the run.
    void go_on(const replay::RunRecord& record, const Choose& choose);

    /// Nothing before the walk has ended.
    [[nodiscard]] const std::optional<LargeNumber>& estimate() const { return estimate_; }

    template <typename Archive>
    void serialize(Archive& archive, unsigned /*version*/) {
        replay::members(archive, decisions_, excluded_, weight_, estimate_);
    }

private:
    class View;

    /// False when the walk leaves the run.
    bool step(View& view, const Choose& choose);

    std::vector<replay::Decision> decisions_;
    std::map<replay::EpochId, std::vector<replay::Outcome>> excluded_;
    LargeNumber weight_{1};
    std::optional<LargeNumber> estimate_;
};

/// How often a walk that begins in this run would leave it and the following ones, if those are like it.
[[nodiscard]] double expected_departures(const replay::RunRecord& record);

/// Chance for a walk: the same on every machine, and all that must be kept of it is a number.
class WalkChance {
public:
    WalkChance() = default;
    /// Of the walk with this number.
    WalkChance(std::uint64_t seed, std::uint64_t walk);

    std::size_t operator()(const Branching& branching);

    template <typename Archive>
    void serialize(Archive& archive, unsigned /*version*/) {
        replay::members(archive, state_);
    }

private:
    std::uint64_t next();

    std::uint64_t state_ = 0;
};

}  // namespace dampi::heuristics
