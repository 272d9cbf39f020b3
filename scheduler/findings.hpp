// Makes findings of the violations of many interleavings: the same violation seen a hundred times is one
// finding with a count and the shortest decisions that show it.
#pragma once

#include "replay/run_record.hpp"
#include "scheduler/sweep_result.hpp"

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace dampi::scheduler {

/// The outcomes of a run's epochs, sorted by epoch: "{0#0<-1 1#0=2 1#1=0+2 1#2=none}". A message's source stands
/// behind "<-"; behind "=" the requests that a choice reported, as positions in the call, or "none" (also for a
/// polling probe that found nothing). An epoch without an outcome is left out; without any it is "{}".
/// `with_false_answers`: "~3" is appended where a polling call answered false three times first.
[[nodiscard]] std::string format_outcomes(const std::vector<replay::Epoch>& epochs, bool with_false_answers);

/// The decisions that repeat a run as it went: those that it was given (with the whole outcome where they left it
/// open), and the outcome of every other epoch that came to one. (A violation in a run without decisions could not be
/// repeated otherwise.)
[[nodiscard]] replay::Interleaving pin_outcomes(const replay::Interleaving& given, const replay::RunRecord& record);

class FindingCollector {
public:
    /// Takes in what one interleaving showed. Interleavings may come in any order, each once. Two violations
    /// are the same when kind, ranks, and the ranks' calls and places are; where no place is known the
    /// message must be the same, too. From a run that diverged, no deadlock is taken: the divergence, which
    /// is added to the doubts if the record does not name it, may have caused it.
    /// Returns the kinds that the interleaving showed, doubts included, sorted, each once.
    std::vector<std::string> add(const replay::Interleaving& interleaving, const replay::RunRecord& record);

    /// In the order of their first interleaving. The reproducer of a finding is, among the runs in the first mode of
    /// buffering that shows it, the one with the fewest decisions given (then: the lowest number), with its outcomes
    /// pinned; that of a doubt has the decisions as they were given.
    [[nodiscard]] std::vector<Finding> findings() const { return sorted(findings_); }
    [[nodiscard]] std::vector<Finding> doubts() const { return sorted(doubts_); }
    [[nodiscard]] std::vector<Finding> notes() const { return sorted(notes_); }

    /// Distinct violations so far, without doubts and notes.
    [[nodiscard]] std::size_t count() const { return findings_.size(); }

private:
    struct Entry {
        Finding finding;
        std::size_t decisions = 0;       ///< given to the reproducer's run, before pinning
        std::uint64_t last_counted = 0;  ///< the interleaving that was counted last
    };
    using Entries = std::map<std::string, Entry>;

    static void take(Entries& entries, const replay::Violation& violation, const replay::Interleaving& interleaving,
                     const replay::RunRecord& record, bool pin);
    static std::vector<Finding> sorted(const Entries& entries);

    Entries findings_;
    Entries doubts_;
    Entries notes_;
};

}  // namespace dampi::scheduler
