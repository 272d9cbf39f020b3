// Makes findings of the violations of many interleavings: violations of one cause (replay/cause.hpp), seen a hundred
// times and in several ranks, are one finding with a count and the shortest decisions that show it.
#pragma once

#include "replay/members.hpp"
#include "replay/run_record.hpp"
#include "scheduler/sweep/sweep_result.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace dampi::scheduler {

/// The most bytes of the text of one run's outcomes.
inline constexpr std::size_t longest_outcomes = std::size_t{16} << 10;

/// The outcomes of a run's epochs, sorted by epoch: "{0#0<-1 1#0=2 1#1=0+2 1#2=none}". A message's source stands
/// behind "<-"; behind "=" the requests that a choice reported, as positions in the call, or "none" (also for a
/// polling probe that found nothing). An epoch without an outcome is left out; without any it is "{}".
/// "~3" is appended where a stretch of polling calls, of those for which `counted` says so, answered false three times
/// first. Of a text longer than longest_outcomes, the end is a digest of what is left out: "{0#0<-1 0#1<-2 ...
/// 0f1e2d3c4b5a6978}".
[[nodiscard]] std::string format_outcomes(const std::vector<replay::Epoch>& epochs,
                                          const std::function<bool(const replay::Epoch&)>& counted);
/// Likewise, for all or for none.
[[nodiscard]] std::string format_outcomes(const std::vector<replay::Epoch>& epochs, bool with_false_answers);

/// Of the run that shows a finding at most this many epochs are kept and reported; those that were forced or have
/// alternatives come before the others.
inline constexpr std::size_t most_shown_epochs = 1000;

/// A violation as one run had it, and that run.
struct Evidence {
    replay::Violation violation;
    replay::Interleaving reproducer;
    std::vector<replay::Epoch> epochs;  ///< at most most_shown_epochs
    std::uint64_t epochs_omitted = 0;
    std::uint64_t decisions = 0;  ///< given to the run, before pinning

    template <typename Archive>
    void serialize(Archive& archive, unsigned /*version*/) {
        replay::members(archive, violation, reproducer, epochs, epochs_omitted, decisions);
    }
};

/// An outcome of an epoch that a run did not have: the message that it would be.
struct ForeseenOutcome {
    replay::EpochId epoch;
    replay::Rank source = 0;
    std::uint64_t number = 0;

    auto operator<=>(const ForeseenOutcome&) const = default;

    template <typename Archive>
    void serialize(Archive& archive, unsigned /*version*/) {
        replay::members(archive, epoch, source, number);
    }
};

/// A violation as one interleaving showed it, or a doubt or a note.
struct Sighting {
    enum class Sort : std::uint8_t { finding, doubt, note };

    Sort sort = Sort::finding;
    std::string key;                                       ///< replay::cause_of()
    std::vector<replay::Rank> ranks;                       ///< that it is about in this interleaving, sorted
    std::vector<replay::ViolationKind> consequences = {};  ///< that it has in this interleaving
    /// Of a violation that would be seen if this came about; or, with `refuted`, would have been, but it cannot.
    std::optional<ForeseenOutcome> foreseen = {};
    bool refuted = false;
    std::vector<std::string> after = {};  ///< see Finding::after
    /// Set where it is new or has fewer decisions than before: what the finding shows from now on.
    std::optional<Evidence> shown = {};

    template <typename Archive>
    void serialize(Archive& archive, unsigned /*version*/) {
        replay::members(archive, sort, key, ranks, consequences, foreseen, refuted, after, shown);
    }
};

class FindingCollector {
public:
    /// What one interleaving showed, each cause once. From a run that diverged, no deadlock is taken: the divergence,
    /// which is added to the doubts if the record does not name it, may have caused it. `kinds`: those that the
    /// interleaving showed, doubts included, sorted, each once. Changes nothing: apply() does. What the record foresees
    /// of other runs is seen, too, as long as no run has shown it; its reproducer's decisions are those of the run in
    /// which it would show. A run that was to bring it about and could not refutes it.
    [[nodiscard]] std::vector<Sighting> look(const replay::Interleaving& interleaving, const replay::RunRecord& record,
                                             std::vector<replay::ViolationKind>& kinds) const;

    /// Takes in the sightings of one interleaving. Interleavings may come in any order, each once. One that does not
    /// count is not one of those to explore (a trial, or one that will be run again).
    void apply(std::uint64_t number, replay::Buffering buffering, const std::vector<Sighting>& sightings,
               bool counts = true);

    /// In the order of their first interleaving, and of one interleaving those that come after others behind them. The
    /// reproducer of a finding is, among the runs in the first mode of buffering that shows it, the one with the fewest
    /// decisions given (then: the lowest number), with its outcomes pinned; that of a doubt has the decisions as they
    /// were given.
    [[nodiscard]] std::vector<Finding> findings() const { return sorted(entries_of(Sighting::Sort::finding)); }
    [[nodiscard]] std::vector<Finding> doubts() const { return sorted(entries_of(Sighting::Sort::doubt)); }
    [[nodiscard]] std::vector<Finding> notes() const { return sorted(entries_of(Sighting::Sort::note)); }

    /// Distinct violations so far, without doubts and notes.
    [[nodiscard]] std::size_t count() const { return entries_of(Sighting::Sort::finding).size(); }

    /// The interleavings that findings and doubts are reproduced from.
    [[nodiscard]] std::set<std::uint64_t> reproducers() const;

    template <typename Archive>
    void serialize(Archive& archive, unsigned /*version*/) {
        for (Entries& entries : entries_) {
            replay::members(archive, entries);
        }
        replay::members(archive, refuted_);
    }

private:
    struct Entry {
        Finding finding;
        std::uint64_t decisions = 0;                   ///< given to the reproducer's run, before pinning
        std::optional<ForeseenOutcome> foreseen = {};  ///< as long as no run has shown it

        template <typename Archive>
        void serialize(Archive& archive, unsigned /*version*/) {
            replay::members(archive, finding, decisions, foreseen);
        }
    };
    using Entries = std::map<std::string, Entry>;

    [[nodiscard]] const Entries& entries_of(Sighting::Sort sort) const {
        return entries_[static_cast<std::size_t>(sort)];
    }
    [[nodiscard]] Sighting sighting(Sighting::Sort sort, const replay::Violation& violation,
                                    const replay::Interleaving& interleaving, const replay::RunRecord& record) const;
    [[nodiscard]] Evidence foreseen_evidence(const replay::ForeseenViolation& foreseen,
                                             const replay::Interleaving& interleaving,
                                             const replay::RunRecord& record) const;
    static std::vector<Finding> sorted(const Entries& entries);

    std::array<Entries, 3> entries_;
    std::set<ForeseenOutcome> refuted_;
};

}  // namespace dampi::scheduler
