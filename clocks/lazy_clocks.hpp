// The lazy update rules of one rank (dissertation, sections 5.1 and 5.2), as a state machine fed with plain events:
// which clock does each message carry, what must have happened before each match, and which messages may
// be late? It never decides what matched what: the caller reports matches in matching order
// (pending_receives.hpp helps with that), which is what the CompleteNow set of the papers amounts to. Which of
// the late messages are potential matches is decided outside, in late_messages.hpp.
//
// A match is an event of its own. Before it have happened: what the rank knew when it posted the receive, what the
// sender knew when it sent the message, and the matches of those receives posted earlier without which MPI's
// non-overtaking rule would have given the message to them. What the rank does between the posting and the
// completion is not among it. At completion the program gets to know of the match (learn()).
//
// Not thread-safe.
#pragma once

#include "base/types.hpp"
#include "clocks/causal_order.hpp"
#include "clocks/clock.hpp"
#include "clocks/marks.hpp"
#include "clocks/posting_queue.hpp"
#include "clocks/snapshot.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace dampi::clocks {

/// For messages that no operation has taken: they stand behind every posting.
inline constexpr base::PostingOrder never_taken = ~base::PostingOrder{0};

/// Counts the postings and matches of a rank; says which receives were pending when another was posted.
using Moment = std::uint64_t;
inline constexpr Moment never = ~Moment{0};
/// A match has happened, but the program does not know: behind every posting of which it is not told.
inline constexpr Moment unlearned = never - 1;

/// A message as its receiver sees it.
struct IncomingMessage {
    base::MessageName name;
    base::Tag tag = 0;
    Clock clock;                                 ///< the sender's when it was sent
    std::optional<std::uint32_t> buffered = {};  ///< its number among the sender's of the buffered mode, if followed
};

/// A receive or probe as it was posted.
struct Posted {
    base::PostingOrder order = 0;
    base::ReceiveSpec spec;
    std::optional<std::uint32_t> epoch;  ///< its index, if it is an epoch
    Snapshot clock;                      ///< the rank's when it was posted
    Moment at = 0;
    base::PostingOrder oldest_pending = 0;  ///< the first receive that was still pending then; `order` if none was
    bool recorded = false;  ///< its match belongs into the rank's record, since an epoch may depend on it
};

/// What became of a receive, probe or choice.
struct Match {
    Moment at = never;
    bool recorded = false;  ///< it belongs into the rank's record
    LamportClock final;     ///< with Lamport clocks: the epoch's final clock
    Snapshot past;          ///< what happened before the match
    Snapshot after;         ///< the same and the match itself: what is known by whoever knows of the match
};

class LazyClocks {
public:
    explicit LazyClocks(base::Rank own = 0, Protocol protocol = Protocol::vector, Marks marks = {});

    [[nodiscard]] Protocol protocol() const { return protocol_; }
    [[nodiscard]] const Marks& marks() const { return marks_; }
    /// What the program knows, for messages and collectives that begin now.
    [[nodiscard]] const Snapshot& now() const { return now_; }
    /// The index of the next epoch.
    [[nodiscard]] std::uint32_t epochs() const { return epochs_; }

    /// Rule R2: a receive or probe is issued; a nondeterministic one is an epoch and gets the next index.
    Posted post(const base::ReceiveSpec& spec, bool epoch);
    /// With marks of postings: whether who sent with this clock knew that the receive was posted.
    [[nodiscard]] bool knew_posting(const Clock& sender, base::PostingOrder order) const {
        return sender.vector.knows(postings_of(own_), static_cast<std::uint32_t>(order));
    }
    /// With marks of windows: a number for the end of an access or lock that has not come yet; 0: it is not followed.
    [[nodiscard]] std::uint32_t number_window_end();
    /// It has come.
    void end_in_window(std::uint32_t number);
    /// Whether that end of `rank`'s lies before what this rank does now.
    [[nodiscard]] bool knows_window_end(base::Rank rank, std::uint64_t number) const {
        return number != 0 && number < most_marks &&
               now_->clock.vector.knows(window_ends_of(rank), static_cast<std::uint32_t>(number));
    }
    /// The highest of `rank`'s numbers of which is known here that it has come; 0: none.
    [[nodiscard]] std::uint32_t latest_window_end(base::Rank rank) const {
        return std::max(now_->clock.vector.known_end(window_ends_of(rank)), 1U) - 1;
    }
    /// It is not over at once: counts among the pending ones until match() or drop(). Call in posting order, before
    /// anything else is posted.
    void keep_pending(const Posted& posted);

    /// Calls `visit(posted)` for each pending receive posted before `order` that is not marked as recorded yet, and
    /// marks it. To be called when an epoch is posted: its potential matches depend on these.
    template <typename Visit>
    void record_pending(base::PostingOrder order, Visit&& visit);
    /// Marks one pending receive as recorded; false if it is not pending or was marked before.
    bool record(base::PostingOrder order);
    /// Rule R4: `posted` is known to have matched `message` (null: one without a clock, from `source`). All receives
    /// that match-before it must have been reported before. `learned`: the program gets to know now (learn()). If
    /// not, the receive counts as pending for what is posted until then, and the match belongs into the record (call
    /// record() before).
    Match match(const Posted& posted, base::Rank source, const IncomingMessage* message, bool learned = true);
    /// A receive or probe that has not matched is gone: cancelled, or refused by MPI before it was ever pending.
    /// Returns when, if that belongs into the record; nothing for one that is gone already.
    std::optional<Moment> drop(const Posted& posted);

    /// A choice (which completed request is reported, what a polling call answers) is an epoch, too. Its index.
    std::uint32_t post_choice() { return epochs_++; }
    /// Choice `index`, made when the program knew `posted`, has reported operations whose completion stands for
    /// `known`.
    Match choose(std::uint32_t index, Snapshot posted, const std::vector<Snapshot>& known);

    /// Choice `choice` was a polling probe, posted as `posted`, or a stretch of polling calls with this one among them,
    /// that has not answered: messages may be late for it, too. `match`: what the choice has come to.
    void give_up(std::uint32_t choice, const Posted& posted, const Match& match);
    /// Likewise where another probe of the stretch has answered, and match() was told so.
    void give_up(std::uint32_t choice, const Posted& posted);

    /// Theorem 5.3, as far as the rank needs it: whether a message taken by the operation posted as `taken_by` is late
    /// for some matched epoch and the first such of its source, so that it belongs into the rank's record.
    bool is_late(const IncomingMessage& message, base::PostingOrder taken_by);

    /// Rules R4 and R5: the program has learned what was known then.
    void learn(const Clock& clock);
    void learn(const Snapshot& snapshot);

    /// Calls `visit(snapshot)` for what is known by matches that later ones may turn out to come after.
    template <typename Visit>
    void for_each_kept(Visit&& visit) const {
        for (const Known& known : settled_) {
            visit(known.match.after);
        }
    }

private:
    /// What may still be asked of a receive when a later one matches.
    struct Known {
        Posted posted;
        Match match;
        std::optional<MessageFacts> taken;
    };
    struct Candidate {
        base::Rank source;
        std::uint64_t number;
    };
    struct EpochState {
        std::uint32_t index;
        std::uint32_t highest_index;  ///< of this and all before it in matched_
        base::ReceiveSpec spec;
        base::PostingOrder order = 0;
        LamportClock final;
        base::Rank matched_source = base::any_source;
        std::vector<Candidate> candidates{};
    };

    /// Messages of one source on one communicator (of one tag, where it says so): all that matched_ had of epochs below
    /// `epochs` has been compared with message `number`, and none of them can be one for which a later message is late
    /// and that one was not: each was matched by this source, known to the sender, does not fit, or has a candidate.
    struct Compared {
        std::uint64_t number = 0;
        std::size_t epochs = 0;
    };
    struct Stream {
        Compared any_tag;  ///< those that do not fit by their tag alone do not count as compared
        std::map<base::Tag, Compared> of_tag;
    };

    /// Whether an operation that is not over was posted after the receive, and before `moment`.
    [[nodiscard]] bool asked_later(base::PostingOrder receive, Moment moment) const;
    /// The first receive that the program does not know to have matched; `order` if there is none.
    [[nodiscard]] base::PostingOrder oldest_unknown(base::PostingOrder order);
    /// From now on messages may be late for the epoch.
    void add_matched(std::uint32_t epoch, const Posted& posted, const Match& match, base::Rank source);
    /// Keeps what later receives that are pending now may ask.
    void settle(const Posted& posted, const Match& match, const std::optional<MessageFacts>& taken);
    /// With Lamport clocks: takes the next number for an epoch that has matched.
    LamportClock advance();
    void change(Clock clock);

    base::Rank own_;
    Protocol protocol_;
    Marks marks_;
    Snapshot now_;
    base::PostingOrder next_order_ = 0;
    Moment next_moment_ = 0;
    std::uint32_t epochs_ = 0;
    std::uint32_t window_ends_ = 0;
    LamportClock next_final_;  ///< with Lamport clocks: above those of all epochs that have matched
    PostingQueue<Posted> pending_;
    /// The operation posted last, while it is neither over nor among the pending ones: earlier receives may be reported
    /// on its behalf.
    struct {
        base::PostingOrder order = never_taken;  ///< never_taken: no receive
        Moment at = 0;
    } current_;
    base::PostingOrder recorded_below_ = 0;
    std::vector<Known> settled_;  ///< matched while a later receive was pending, or unlearned
    std::size_t unlearned_ = 0;   ///< those of settled_ that the program is not known to know of
    std::size_t forget_at_ = 64;
    std::map<std::pair<base::CommId, base::Rank>, Stream> streams_;
    std::vector<EpochState> matched_;  ///< matched receiving epochs in the order of their matches
};

template <typename Visit>
void LazyClocks::record_pending(base::PostingOrder order, Visit&& visit) {
    // Whatever was pending at an earlier call is marked already.
    for (auto it = pending_.end(); it != pending_.begin() && std::prev(it)->order >= recorded_below_;) {
        --it;
        if (it->order < order && !it->recorded) {
            it->recorded = true;
            visit(*it);
        }
    }
    recorded_below_ = order;
}

}  // namespace dampi::clocks
