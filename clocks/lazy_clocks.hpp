// The lazy update rules and the late-message analysis of one rank (dissertation, sections 5.1 and 5.3.2.2),
// as a state machine fed with plain events. It decides each epoch's clocks and which messages are its
// potential matches. It never decides what matched what: the caller reports matches in matching order
// (pending_receives.hpp helps with that), which is what the CompleteNow set of the papers amounts to.
// Not thread-safe.
#pragma once

#include "clocks/lamport_clock.hpp"
#include "clocks/types.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace dampi::clocks {

/// A rank's operations that can match messages are numbered in posting order: an operation can only have
/// taken a message from an epoch that was posted before it.
using PostingOrder = std::uint64_t;

/// For messages that no operation has taken: they stand behind every posting.
inline constexpr PostingOrder never_taken = ~PostingOrder{0};

/// A message as its receiver sees it.
struct IncomingMessage {
    MessageName name;
    Tag tag = 0;
    LamportClock clock;  ///< the sender's when it was sent
};

/// A new fact: `message` could have matched the epoch.
struct PotentialMatchFound {
    std::uint32_t epoch = 0;
    Rank source = 0;
    Tag tag = 0;
    std::uint64_t number = 0;
};

class LazyClocks {
public:
    [[nodiscard]] LamportClock now() const { return now_; }

    /// Rule R2: a nondeterministic operation is issued. Returns its index, from 0 in issue order.
    std::uint32_t post_epoch(const ReceiveSpec& spec, PostingOrder order);

    /// Rule R4: epoch `index` is known to have matched a message from `source`. Returns its final clock.
    /// Every epoch that matches-before it must have been reported before. `synchronous`: the message was sent
    /// in synchronous mode.
    LamportClock match_epoch(std::uint32_t index, Rank source, bool synchronous);

    /// What the sender of a synchronous message learns when it knows that the message was received by a
    /// receive posted at `posted` (section 5.2.1.2). It is the clock at posting, not at matching: when its
    /// send returns, a nonblocking receive may have no final clock yet.
    static LamportClock acknowledgement(LamportClock posted, bool wildcard) {
        if (wildcard) {
            posted.advance();
        }
        return posted;
    }

    /// Section 5.2.1.2: whether a message sent at `message` could have matched an epoch in place of a
    /// synchronous message. Whatever follows that message's send is above the acknowledgement.
    static bool may_replace_synchronous(LamportClock message, LamportClock epoch_posted) {
        return message <= epoch_posted;
    }

    /// Theorem 5.3: checks a message that was taken by the operation posted as `taken_by` (never_taken for
    /// one left over) against all matched epochs posted before that, and reports for each epoch and source
    /// the earliest message that could have matched. A later call may report a smaller number for the same epoch
    /// and source, which replaces the former.
    template <typename Report>
    void analyse(const IncomingMessage& message, PostingOrder taken_by, Report&& report);

    /// Rules R4 and R5: the program has learned what was known at `clock`.
    void learn(LamportClock clock) { now_.merge(clock); }

    [[nodiscard]] std::size_t epochs() const { return epochs_.size(); }
    [[nodiscard]] LamportClock posted_clock(std::uint32_t index) const { return epochs_[index].posted; }

private:
    struct Candidate {
        Rank source;
        std::uint64_t number;
    };
    struct EpochState {
        ReceiveSpec spec;
        PostingOrder order = 0;
        LamportClock posted;
        LamportClock final;
        Rank matched_source = any_source;
        bool synchronous = false;
        std::vector<Candidate> candidates;
    };

    LamportClock now_;
    std::vector<std::size_t> done_;       ///< by source: how many of matched_ need not be looked at again
    std::vector<EpochState> epochs_;      ///< by index
    std::vector<std::uint32_t> matched_;  ///< indices in the order of their final clocks
};

template <typename Report>
void LazyClocks::analyse(const IncomingMessage& message, PostingOrder taken_by, Report&& report) {
    // Epochs at the beginning that have matched this source have no alternative from it.
    if (done_.size() <= static_cast<std::size_t>(message.name.source)) {
        done_.resize(static_cast<std::size_t>(message.name.source) + 1);
    }
    std::size_t& done = done_[static_cast<std::size_t>(message.name.source)];
    while (done < matched_.size() && epochs_[matched_[done]].matched_source == message.name.source) {
        ++done;
    }
    const auto end = matched_.rend() - static_cast<std::ptrdiff_t>(done);
    for (auto it = matched_.rbegin(); it != end; ++it) {
        EpochState& epoch = epochs_[*it];
        if (!message.clock.is_late_for(epoch.final)) {
            break;  // final clocks only grow: the message knows of all earlier ones too
        }
        if (epoch.order >= taken_by || epoch.matched_source == message.name.source ||
            !epoch.spec.fits(message.name.comm, message.name.source, message.tag) ||
            (epoch.synchronous && !may_replace_synchronous(message.clock, epoch.posted))) {
            continue;
        }
        Candidate* known = nullptr;
        for (Candidate& candidate : epoch.candidates) {
            if (candidate.source == message.name.source) {
                known = &candidate;
            }
        }
        if (known == nullptr) {
            epoch.candidates.push_back({message.name.source, message.name.number});
        } else if (message.name.number < known->number) {
            known->number = message.name.number;
        } else {
            continue;
        }
        report(PotentialMatchFound{*it, message.name.source, message.tag, message.name.number});
    }
}

}  // namespace dampi::clocks
