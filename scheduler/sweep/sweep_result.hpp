// What a whole sweep found: the value from which the terminal text and report.json are made.
#pragma once

#include "heuristics/size_estimate.hpp"
#include "replay/decision.hpp"
#include "replay/members.hpp"
#include "replay/run_record.hpp"
#include "replay/violation.hpp"
#include "replay/violation_kind.hpp"
#include "scheduler/exploration/lesson.hpp"
#include "scheduler/sweep/call_sites.hpp"
#include "scheduler/sweep/printed_outputs.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace dampi::scheduler {

/// The decisions of a finding that are enough for it (scheduler/sweep/needed_choices.hpp).
struct NeededChoices {
    std::vector<replay::Decision> decisions;  ///< sorted by epoch
    std::uint64_t runs = 0;                   ///< that were made to find them; 0: those of the sweep tell
    bool all_tried = false;                   ///< none of them can be left out; otherwise the budget was over before

    template <typename Archive>
    void serialize(Archive& archive, unsigned /*version*/) {
        replay::members(archive, decisions, runs, all_tried);
    }
};

/// Of a finding of a sweep that is complete, under one mode of buffering.
struct OutcomesOfFinding {
    replay::Buffering buffering;
    std::string outcomes;  ///< that lead to it, in decimal digits
    double chance = 0;     ///< of one of them, were each alternative of a choice as likely as the others

    template <typename Archive>
    void serialize(Archive& archive, unsigned /*version*/) {
        replay::members(archive, buffering, outcomes, chance);
    }
};

/// What a finding looks like with other buffering: as a violation of its own kind or another's, which is not told for
/// itself.
struct OtherForm {
    replay::ViolationKind kind = {};
    std::string message;
    replay::CodePlace where;  ///< of the first rank that is in another place than in the finding itself
    std::vector<replay::Buffering> buffering;  ///< the modes under which it looks so, sorted

    template <typename Archive>
    void serialize(Archive& archive, unsigned /*version*/) {
        replay::members(archive, kind, message, where, buffering);
    }
};

/// The violations of one cause, in however many interleavings and ranks they show; `decisions` are the shortest seen.
struct Finding {
    /// Whose run has shown it.
    enum class ShownBy : std::uint8_t {
        sweep,
        corpus,   ///< only that of a file of the corpus
        touches,  ///< only one of those beside the sweep's that look for loads and stores (sweep/touches.hpp)
    };

    replay::Violation violation;
    std::uint64_t count = 0;  ///< interleavings that show it; 0: only a trial or a run not finished, or none
    std::uint64_t first_interleaving = 0;      ///< number of the first
    std::vector<replay::Buffering> buffering;  ///< the modes under which it was seen, sorted
    replay::Interleaving reproducer;           ///< the fewest decisions that show it, in the first of these modes
    bool made_shorter = false;            ///< the reproducer is none of the sweep's own (sweep/shortest_decisions.hpp)
    std::vector<replay::Epoch> epochs;    ///< of the reproducer's run: matched and alternative senders
    std::uint64_t epochs_omitted = 0;     ///< more than can be kept: those without a choice go first
    std::vector<replay::Rank> all_ranks;  ///< that it is about in some interleaving, sorted
    bool foreseen = false;                ///< no run has shown it: the reproducer's would, as follows from others
    ShownBy shown_by = ShownBy::sweep;
    std::string kept_in;                      ///< the file of the corpus whose run alone has shown it
    std::optional<NeededChoices> needed;      ///< if they were looked for (--minimize) and its decisions show it again
    std::vector<OutcomesOfFinding> outcomes;  ///< where runs may end in states of others, as far as it is known
    std::vector<OtherForm> other_forms;       ///< see sweep/deadlocks_without_buffers.hpp
    std::string cause;  ///< replay::cause_of() in the sweep's runs; others may name its places otherwise later
    /// The causes of those that it comes after in each run that shows it (sweep/aftermath.hpp); sorted.
    std::vector<std::string> after;

    template <typename Archive>
    void serialize(Archive& archive, unsigned /*version*/) {
        replay::members(archive, violation, count, first_interleaving, buffering, reproducer, made_shorter, epochs,
                        epochs_omitted, all_ranks, foreseen, shown_by, kept_in, needed, outcomes, other_forms, cause,
                        after);
    }
};

/// The outcomes of one interleaving in the notation of format_outcomes(), sorted by epoch.
struct InterleavingOutcome {
    std::uint64_t number = 0;
    std::string outcomes;                         ///< "{0#0<-1 0#1<-2}"; a very long one has a digest at its end
    std::vector<replay::ViolationKind> verdicts;  ///< kinds of violations seen in it; empty: clean
    double seconds = 0;
    replay::Buffering buffering = replay::Buffering::native;
    /// SweepResult::sites of the outcomes in the text, as far as they are in it and kept.
    std::vector<std::uint32_t> sites = {};
    bool merged = false;   ///< it has ended in a state of another one: what follows is seen there
    bool went_on = false;  ///< it had, and what follows is seen in one that goes on there in its place

    template <typename Archive>
    void serialize(Archive& archive, unsigned /*version*/) {
        replay::members(archive, number, outcomes, verdicts, seconds, buffering, sites, merged, went_on);
    }
};

/// Why something was left out; each makes the result incomplete. `what` is a sentence for the user.
struct LeftOut {
    /// Where alternatives are left out, polls are not decided, or something is not modelled; of a first run that was
    /// not finished, where its ranks were.
    struct Place {
        std::string call;  ///< the MPI function, or which ranks were in it, or outside MPI
        replay::CodePlace where;
        std::uint64_t alternatives = 0;  ///< 0: they are not what is left out
    };

    std::string reason;  ///< "max-interleavings", "time-limit", "stop-on-first", "interrupt", "not-modelled", ...
    std::string what;
    std::string remedy = {};         ///< how to include it, if that is no matter of the reason alone
    std::vector<Place> places = {};  ///< the widest first
};

/// What was done under one mode of buffering.
struct ModeCounts {
    std::uint64_t explored = 0;
    std::uint64_t pending = 0;

    template <typename Archive>
    void serialize(Archive& archive, unsigned /*version*/) {
        replay::members(archive, explored, pending);
    }
};

struct SweepResult {
    std::uint64_t explored = 0;
    std::uint64_t unfinished = 0;  ///< runs that the end of the sweep ended; they will be run again
    bool ended_early = false;      ///< by a bound or the user, while there was something left to run
    std::uint64_t trials = 0;      ///< further runs, made only to see whether a polling call's answer matters
    std::uint64_t walk_runs = 0;   ///< further runs, of the walks that `size_estimate` comes from
    std::uint64_t pending = 0;     ///< known alternatives that were not run
    /// How many outcomes there are, whatever bounds the search has; if walks were made.
    std::optional<heuristics::SizeEstimate> size_estimate;
    /// Where runs may end in states of others, and nothing is left to run: how many outcomes there are.
    std::vector<OutcomesOfMode> outcomes;
    std::vector<std::string> merge_faults;    ///< what dampi has done wrong where runs met: nothing can be relied on
    std::optional<std::uint64_t> duplicates;  ///< interleavings whose outcomes had been seen before; if they are kept
    std::uint64_t imprecise_matches = 0;      ///< interleavings that forced something that cannot happen: our own fault
    std::uint64_t divergences = 0;            ///< other interleavings that did not follow their decisions
    std::vector<Finding> findings;
    std::vector<Finding> doubts;  ///< divergence, imprecise-match, possible-livelock: the tool's own
    std::vector<Finding> notes;   ///< leak/message
    replay::AllNotModelled not_modelled;
    std::map<replay::CommId, std::string> communicators;
    std::vector<LeftOut> left_out;
    std::map<LeftOutAlternatives::Place, std::uint64_t> left_out_by_bounds;  ///< alternatives
    std::vector<InterleavingOutcome> interleavings;                          ///< empty above the limit
    bool outcomes_omitted = false;  ///< the limit on `interleavings` was exceeded
    std::uint64_t outcomes_limit = 0;
    PrintedOutputs printed;              ///< of runs that came to their end; no runs: it says nothing
    CallSites sites;                     ///< the calls that choose, with what they took in all runs
    bool outcome_sites_omitted = false;  ///< of late interleavings it is not kept which sites their outcomes belong to
    std::map<replay::Buffering, ModeCounts> by_buffering;  ///< the modes of which something was run
    /// Of a replay: the sweep that made its file has found what it reproduces to be one of portability.
    std::optional<replay::ViolationKind> known_portability;
    bool clocks_may_miss = false;  ///< Lamport clocks: something was chosen, and an outcome may have gone unseen
    double seconds = 0;            ///< wall time, with that of the sweeps that this one goes on from

    replay::RunParts parts;  ///< of all runs together; some may have gone on at the same time

    /// Of those that are kept; null: it is none of them.
    [[nodiscard]] const InterleavingOutcome* interleaving(std::uint64_t number) const {
        const auto found = std::lower_bound(
            interleavings.begin(), interleavings.end(), number,
            [](const InterleavingOutcome& each, std::uint64_t wanted) { return each.number < wanted; });
        return found != interleavings.end() && found->number == number ? &*found : nullptr;
    }

    [[nodiscard]] bool complete() const {
        return left_out.empty() && doubts.empty() && pending == 0 && unfinished == 0;
    }
};

}  // namespace dampi::scheduler

template <>
struct dampi::replay::LastValue<dampi::scheduler::Finding::ShownBy> {
    static constexpr auto value = dampi::scheduler::Finding::ShownBy::touches;
};
