// Everything that one run (one interleaving) tells: its epochs, how each rank ended, what was wrong, and
// what the layer could not model. Plain values, independent of the engine that ran it.
#pragma once

#include "base/digest.hpp"
#include "replay/epoch.hpp"
#include "replay/meeting.hpp"
#include "replay/members.hpp"
#include "replay/violation.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace dampi::replay {

/// Where the time of a run went, in seconds. A part ends when the last rank is through it; what a rank never came to is
/// the part before it.
struct RunParts {
    double launch = 0;      ///< from the start of the first process to the last rank's MPI_Init
    double init = 0;        ///< to the last return from MPI_Init
    double program = 0;     ///< to the last rank's MPI_Finalize
    double finalize = 0;    ///< to the end of the last process
    double collection = 0;  ///< until the record was complete

    RunParts& operator+=(const RunParts& other) {
        launch += other.launch;
        init += other.init;
        program += other.program;
        finalize += other.finalize;
        collection += other.collection;
        return *this;
    }
};

/// What would be wrong in another run, in which an epoch of this one comes to another outcome.
struct ForeseenViolation {
    Violation violation;
    EpochId epoch;
    Outcome outcome;  ///< one of the epoch's potential matches
};

/// Epochs of a rank that are not kept, as the run had more than can be explored.
struct OmittedEpochs {
    std::uint32_t from = 0;      ///< the first one's index
    std::uint64_t count = 0;     ///< as far as is known
    clocks::LamportClock clock;  ///< with Lamport clocks: none of them has a lower one
};

/// How far a rank had come in a run whenever it was told of a choice, and what it was in the end.
struct RankCourse {
    std::optional<base::Digest> end;  ///< of the program's memory and registers, in MPI_Finalize; nothing: not known
    std::uint32_t waits = 0;          ///< calls in which it has waited for others, in all
    /// By index of its epochs: in which of these calls, from 1 on, it was told of the outcome; 0 or missing: in none.
    std::vector<std::uint32_t> told;
};

/// Calls of a function, or uses of a feature, that passed through without a model.
struct NotModelled {
    static constexpr std::size_t most_places = 16;

    std::uint64_t calls = 0;
    std::set<CodePlace> places = {};  ///< of each rank's first call, as far as known, and not more than most_places

    bool operator==(const NotModelled&) const = default;

    void add(const NotModelled& more) {
        calls += more.calls;
        for (auto place = more.places.begin(); place != more.places.end() && places.size() < most_places; ++place) {
            places.insert(*place);
        }
    }

    template <typename Archive>
    void serialize(Archive& archive, unsigned /*version*/) {
        members(archive, calls, places);
    }
};
using AllNotModelled = std::map<std::string, NotModelled>;  ///< by MPI function or feature

struct RunRecord {
    clocks::Protocol protocol = clocks::Protocol::vector;  ///< of the clocks in `epochs`
    std::vector<Epoch> epochs;                             ///< all ranks', sorted by (rank, index)
    std::vector<Violation> violations;
    std::vector<ForeseenViolation> foreseen;
    std::vector<Violation> notes;  ///< seen, but no violation unless asked for (leak/message), or never one
    AllNotModelled not_modelled;
    std::map<CommId, std::string> communicators;  ///< names for people
    std::vector<std::vector<CodePlace>> stacks;   ///< of epochs, innermost frame first; only if they were asked for
    std::map<Rank, OmittedEpochs> omitted;        ///< what depends on these is missing in `epochs`, too
    bool diverged = false;   ///< a rank did not follow its decisions: nothing may be concluded from this run
    bool cut_short = false;  ///< ended by us while ranks were computing: messages may be missing
    /// Runs of its sweep may end in a state of this one, so its steps count in the order of Epoch::settled.
    bool may_be_met = false;
    std::optional<Merge> merged;
    bool merged_open = false;            ///< that is an OpenState of the earlier one's
    std::vector<EpochId> merged_past;    ///< if it is exact: all open epochs, sorted
    std::vector<Meeting> meetings;       ///< in the order in which it came to them
    std::vector<OpenState> open_states;  ///< in which it was first, likewise
    /// Sorted by epoch; nothing where it is not known.
    std::optional<std::vector<SentUnaware>> unaware;
    /// What the ranks have printed, of a run that came to its end: equal only where that is the same.
    std::optional<std::uint64_t> printed;
    std::vector<RankCourse> courses;  ///< by rank, where they were asked for; not kept with the record
    /// What each rank was doing when a sweep's first run was stopped.
    std::vector<RankSituation> stopped_at;
    double seconds = 0;  ///< wall time
    RunParts parts;

    /// The place of this epoch in `epochs`, if it was reached.
    [[nodiscard]] std::optional<std::size_t> place(const EpochId& id) const {
        const auto found =
            std::lower_bound(epochs.begin(), epochs.end(), id,
                             [](const Epoch& epoch, const EpochId& wanted) { return epoch.id < wanted; });
        return found != epochs.end() && found->id == id
                   ? std::optional(static_cast<std::size_t>(found - epochs.begin()))
                   : std::nullopt;
    }
};

}  // namespace dampi::replay
