// Decisions and interleavings: what is forced on a run. Plain values.
#pragma once

#include "replay/answer_in_time.hpp"
#include "replay/buffering.hpp"
#include "replay/epoch.hpp"
#include "replay/meeting.hpp"
#include "replay/thread_order.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace dampi::replay {

/// Outcome::number of a decision: whichever message of its source comes first.
inline constexpr std::uint64_t any_message = ~std::uint64_t{0};

/// An epoch and the outcome forced on it. `kind`, `comm` and `tag` say which operation the decision was
/// made for: a rank that meets another one there has diverged.
struct Decision {
    EpochId epoch;
    EpochKind kind = EpochKind::receive;
    CommId comm = 0;
    Tag tag = base::any_tag;
    Outcome outcome;  ///< forced
    /// Of a polling call: only `outcome.false_answers` are forced, and what it answers then is left to the run.
    bool open = false;
    /// How many of the false answers are additional ones (--explore-polls), not answered so by the run itself.
    std::uint32_t additional = 0;
    /// Of an open one: if the program gives the stretch up, it is after so many false answers or more; and outcomes
    /// with fewer are not what the decision is for.
    std::uint32_t at_least = 0;
    bool counted = false;  ///< how often the stretch has answered false is part of its outcome
    // Of a counted one, as the epoch had them where nothing of it was decided.
    Repetition repetition = Repetition::not_tried;
    std::uint32_t turns_after = 0;
    ThreadOrder threads = {};  ///< Epoch::threads: in a guided run the rank's threads take their turns up to here

    bool operator==(const Decision&) const = default;
};

/// Decision::additional of the outcome that an open decision has come to, with so many false answers in all: the
/// program may have given up before.
inline std::uint32_t additional_of(const Decision& open, std::uint32_t false_answers) {
    const std::uint32_t own = own_false_answers(open.outcome.false_answers, open.additional);
    return std::min(open.additional, false_answers - std::min(false_answers, own));
}

/// The order in which decisions are kept and looked up.
inline bool by_epoch(const Decision& a, const Decision& b) { return a.epoch < b.epoch; }

/// One run and the decisions that identify it. Number 1 is the first self run; its decisions are empty.
struct Interleaving {
    std::uint64_t number = 1;
    std::vector<Decision> decisions;  ///< sorted by epoch
    /// Run only to see whether another answer of a polling call leads the program elsewhere: not one of those to
    /// explore.
    bool trial = false;
    Buffering buffering = Buffering::native;  ///< of its standard-mode sends
    /// Where the run is free and messages of several sources are there, a wildcard takes one of them at random, as this
    /// seed says; 0: MPI's choice. Any of these could have happened anyway.
    std::uint64_t free_seed = 0;
    /// Its number among the runs of its mode that may end in each other's states (Merge::run); 0: it is none of them.
    std::uint64_t meeting_number = 0;
    bool only_closed = false;          ///< it may not end in an OpenState
    std::vector<Merge> given_up = {};  ///< states in which no run may end any more
};

}  // namespace dampi::replay
