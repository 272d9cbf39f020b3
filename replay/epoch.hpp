// Epochs, their potential matches and their names: what one run learns about its nondeterminism.
// Plain values shared by the ranks' records, the explorer and the reports.
#pragma once

#include "base/types.hpp"
#include "clocks/clock.hpp"
#include "replay/epoch_kind.hpp"
#include "replay/thread_order.hpp"

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace dampi::replay {

using base::CommId;
using base::Rank;
using base::Tag;

/// `index` counts the rank's nondeterministic operations in issue order, from 0.
struct EpochId {
    Rank rank = 0;
    std::uint32_t index = 0;

    auto operator<=>(const EpochId&) const = default;
};

/// A place in the program under test; `file` is empty and `line` 0 where there is no debug information.
struct CodePlace {
    std::string module;        ///< path of the executable or library
    std::uint64_t offset = 0;  ///< address within the module's file, of the call instruction
    std::string function;      ///< demangled; empty when unknown
    std::string file;
    int line = 0;
    int column = 0;  ///< 0: not known

    auto operator<=>(const CodePlace&) const = default;
};

/// What tells places in the source apart: where the line is known that, for compilers make several copies of a short
/// loop's body. Views into `where`.
using SourcePlace = std::tuple<std::string_view, std::string_view, std::string_view, int, std::uint64_t>;

inline SourcePlace source_place(const CodePlace& where) {
    return {where.module, where.function, where.file, where.line, where.line > 0 ? 0 : where.offset};
}

/// What an epoch came to.
struct Outcome {
    Rank source = base::any_source;        ///< of the message, for kinds that choose one; any_source: none
    Tag tag = 0;                           ///< of the message
    std::uint64_t number = 0;              ///< base::MessageName::number
    std::vector<std::uint32_t> completed;  ///< the requests reported, as positions in the call, ascending
    std::uint32_t poll = 0;                ///< of a stretch of polling calls: the number of the one that answered
    std::uint32_t false_answers = 0;       ///< how often the calls of a stretch answered "nothing yet" first

    /// A polling call that never answered anything else before the program turned to something else.
    [[nodiscard]] bool gave_up() const { return source == base::any_source && completed.empty(); }

    /// Where time is virtual: of the false answers, so many came when nobody else could go on, so that time passed with
    /// them; these came last. No part of what makes outcomes equal.
    std::uint32_t released = 0;

    bool operator==(const Outcome& other) const {
        return source == other.source && tag == other.tag && number == other.number && completed == other.completed &&
               poll == other.poll && false_answers == other.false_answers;
    }
};

/// A message that could have matched an epoch but did not. Per epoch and source there is at most one.
struct PotentialMatch {
    Rank source = 0;
    Tag tag = 0;
    std::uint64_t number = 0;  ///< base::MessageName::number
    clocks::Clock past = {};   ///< what must happen before that match
};

/// A request that a choice could have reported: it did complete in this run, sooner or later.
struct Completable {
    std::uint32_t position = 0;  ///< in the call
    clocks::Clock known = {};    ///< what happened before it did
};

/// A polling call of a stretch, but not the one that the fields of its epoch are about.
struct OtherPoll {
    std::uint32_t number = 0;  ///< as Epoch::poll
    std::uint32_t before = 0;  ///< false answers of the stretch before it was first made
    EpochKind kind = EpochKind::test;
    CommId comm = 0;
    Tag tag = base::any_tag;
    std::vector<PotentialMatch> potential_matches;  ///< as those of an epoch
    std::vector<Completable> completable;           ///< likewise
    std::string call;
    CodePlace where;
};

/// Where in the course of the program an operation stands: what the bounds of a search go by.
struct EpochContext {
    static constexpr std::uint32_t no_stack = ~std::uint32_t{0};

    std::uint32_t zone = 0;                     ///< collectives of all ranks that its rank had entered before
    bool bracketed = false;                     ///< inside MPI_Pcontrol brackets that leave only the self run's match
    std::optional<std::uint32_t> mixing_bound;  ///< the smallest of the MPI_Pcontrol brackets around it
    std::string communicator_name;              ///< as MPI_Comm_get_name would say; empty for choices
    std::uint32_t stack = no_stack;             ///< its call stack: a place in RunRecord::stacks
    /// A digest of what the rank communicated from here until its next epoch, or its end; the matched source in it is
    /// "the source", whoever that was. Equal digests mean the same calls in the same places. Comparable within a rank
    /// and a run. 0: not recorded.
    std::uint64_t follow_up = 0;
};

/// What is known of how often a polling call answers "nothing yet".
enum class Repetition : std::uint8_t {
    not_tried,
    unchanged,  ///< it is proven not to matter
    undecided,
    settles,   ///< it is proven not to matter beyond a number
    gives_up,  ///< it is proven that the program turns to something else after a number
};
inline constexpr Repetition last_repetition = Repetition::gives_up;

/// What a rank may say of it (Epoch::turns_after, Epoch::round).
constexpr bool may_repeat_so(Repetition repetition, std::uint32_t turns_after, std::uint32_t round) {
    constexpr std::uint32_t most = 64;  // calls that are followed
    const bool repeats = repetition == Repetition::unchanged || repetition == Repetition::settles;
    return turns_after <= most && round <= most && (round != 0) == repeats &&
           (turns_after != 0) == (repetition == Repetition::settles || repetition == Repetition::gives_up);
}

/// So many calls answer "nothing yet" at once where nothing else is decided: all whose answers may matter get their
/// chance to be known. `round`: polling calls in which the program comes back to the same state; `turns_after`: calls
/// before that state.
constexpr std::uint32_t answers_at_once(Repetition repetition, std::uint32_t turns_after, std::uint32_t round) {
    switch (repetition) {
        case Repetition::unchanged:
            return round > 1 ? round : 0;
        case Repetition::settles:
            return turns_after + round - 1;
        case Repetition::not_tried:
        case Repetition::undecided:
        case Repetition::gives_up:
            break;
    }
    return 0;
}

/// One execution of a nondeterministic operation. Polling calls that follow one another, with no other call of MPI
/// between them, are one operation, a *stretch*: until one of them answers something else than "nothing yet", or the
/// program turns to something else. Its different calls have numbers, in the order in which they were first made.
struct Epoch {
    EpochId id;
    EpochKind kind = EpochKind::receive;
    CommId comm = 0;                 ///< 0 for choices
    Tag tag = base::any_tag;         ///< as the program asked; any_tag for choices
    bool forced = false;             ///< a decision named the outcome
    clocks::Clock posted;            ///< what the program knew when it was issued, or answered other than false
    std::optional<Outcome> outcome;  ///< none when it never came to one in this run
    clocks::LamportClock final;      ///< with Lamport clocks: the final clock; meaningful when `outcome` is set
    clocks::Clock past;              ///< what happened before the outcome; meaningful when `outcome` is set
    std::vector<PotentialMatch> potential_matches;  ///< sorted by source, without the outcome's source
    std::vector<Completable> completable;           ///< of a choice: sorted by position, also those reported
    std::string call;                               ///< the MPI function, "MPI_Recv"
    CodePlace where;
    EpochContext context;
    ThreadOrder threads = {};  ///< of its rank, up to this operation; empty where only one thread calls MPI
    Repetition repetition = Repetition::not_tried;
    /// Of a stretch that settles: with so many false answers the program is in a state to which it comes back after
    /// `round` more; what comes with fewer is another future. Of one that gives up: it does so after so many.
    std::uint32_t turns_after = 0;
    std::uint32_t round = 0;
    /// Of a stretch: the number of the call that kind, comm, tag, potential_matches, completable, call and where are
    /// about. It is the one that has answered, or the first.
    std::uint32_t poll = 0;
    std::uint32_t before = 0;                ///< of that call: OtherPoll::before
    std::vector<OtherPoll> others = {};      ///< of a stretch: its other calls, by number
    std::vector<std::uint32_t> polled = {};  ///< of one with others: the numbers of its first calls, as they came
    /// Of a stretch: how often it answers false is a matter of time, since the program looks at a clock between its
    /// calls, or other threads call MPI.
    bool timed = false;
    bool counted = false;  ///< how often a stretch has answered false is part of its outcome; who explores says so
    /// Counts what the run's epochs came to in the order in which that was decided, from 1; 0: that is not known.
    std::uint32_t settled = 0;
};

/// So many different calls a stretch can have; with one more, another one begins.
inline constexpr std::uint32_t most_polls = 64;
/// So many false answers of a free run are no matter of time, but of the course of the program.
inline constexpr std::uint32_t few_own_false_answers = 4;
/// Likewise where time is virtual: a time-out comes after as many in each run; with more, ranks are in haste.
inline constexpr std::uint32_t few_released_false_answers = 64;
constexpr std::uint32_t few_false_answers(bool virtual_time) {
    return virtual_time ? few_released_false_answers : few_own_false_answers;
}
/// Whether how often a stretch answers false may matter, and is not left to time or to other threads.
inline bool may_be_counted(const Epoch& epoch) {
    return epoch.repetition != Repetition::not_tried && epoch.repetition != Repetition::unchanged && !epoch.timed &&
           epoch.threads.empty();
}
/// Of how many of its calls it is kept which they were.
inline constexpr std::size_t most_polled = 64;

/// What a decision or an outcome can be about: the operation itself, or one call of a stretch.
struct PollView {
    std::uint32_t number;
    std::uint32_t before;
    EpochKind kind;
    CommId comm;
    Tag tag;
    const std::vector<PotentialMatch>& potential_matches;
    const std::vector<Completable>& completable;
};

/// Calls `visit(PollView)` for the epoch itself and, of a stretch, for its other calls.
template <typename Visit>
void for_each_poll(const Epoch& epoch, Visit&& visit) {
    visit(PollView{epoch.poll, epoch.before, epoch.kind, epoch.comm, epoch.tag, epoch.potential_matches,
                   epoch.completable});
    for (const OtherPoll& each : epoch.others) {
        visit(PollView{each.number, each.before, each.kind, each.comm, each.tag, each.potential_matches,
                       each.completable});
    }
}

/// Those of the call of this number.
[[nodiscard]] std::vector<PotentialMatch>& potential_matches_of(Epoch& epoch, std::uint32_t poll);
[[nodiscard]] std::vector<Completable>& completable_of(Epoch& epoch, std::uint32_t poll);
/// A call that reports all of its requests at once could not, unless all of them have completed in this run.
void forget_unless_all(Epoch& epoch, std::uint32_t poll, std::size_t requests);

/// From now on the epoch's fields are about the call of this number, which has answered; false if it has none.
[[nodiscard]] bool describe_by(Epoch& epoch, std::uint32_t poll);

}  // namespace dampi::replay
