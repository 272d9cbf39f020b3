// What the centralized engine records of one rank: its epochs with their decisions, clocks and alternatives, as the
// layer does inside a rank of the distributed engine, with the same clocks (clocks/lazy_clocks). Pure: fed by the
// machine, which says what was posted and what has matched; it chooses nothing.
#pragma once

#include "clocks/late_messages.hpp"
#include "clocks/lazy_clocks.hpp"
#include "replay/decision.hpp"
#include "replay/epoch.hpp"
#include "replay/run_record.hpp"
#include "scheduler/judgement/kept_epochs.hpp"
#include "scheduler/judgement/message_types.hpp"
#include "transport/requests/protocol.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace dampi::scheduler::central {

using base::CommId;
using base::Rank;
using base::Tag;
using Decisions = std::shared_ptr<const std::vector<replay::Decision>>;

/// The rank met another operation than its decision names.
struct Deviation {
    std::string message;
    std::string function;
    std::uint64_t site = 0;
};

/// An epoch, and what the rank's log has to say about it (stack and place are known there).
struct RecordedEpoch {
    replay::Epoch epoch;
    std::vector<std::uint64_t> sites{};  ///< of a stretch of polling calls: of each, by number; of others: one
    std::uint32_t stack = transport::requests::Situation::no_stack;
    std::uint32_t false_answers = 0;
    std::uint32_t released = 0;                       ///< of these: replay::Outcome::released
    std::vector<base::PostingOrder> orders{};         ///< likewise: of a probe or receive
    std::map<std::uint32_t, std::size_t> requests{};  ///< note_requests(), by number
    transport::TypedData data{};                      ///< of a receive: what it asks for
    /// Of a receive, after finish(): its potential matches, whose data may not agree with that.
    std::vector<std::pair<replay::Outcome, SentData>> messages{};
};

class RankRecord {
public:
    /// At most `room` units of epochs are kept (kept_epochs.hpp), the first ones; omitted() says where they end.
    RankRecord(Rank own, clocks::Protocol protocol, Decisions decisions, clocks::Marks marks = {},
               std::uint64_t room = most_kept_units)
        : own_(own), clocks_(own, protocol, marks), decisions_(std::move(decisions)), room_(room) {}

    [[nodiscard]] clocks::LazyClocks& clocks() { return clocks_; }
    [[nodiscard]] const clocks::LazyClocks& clocks() const { return clocks_; }

    // ---- epochs that choose a message

    /// A receive or blocking probe is posted; a wildcard is an epoch.
    clocks::Posted post(const base::ReceiveSpec& spec, replay::EpochKind kind,
                        const transport::requests::Situation& situation, const std::string& communicator_name,
                        const transport::TypedData& data = {});
    /// A polling probe with which a stretch begins; its epoch is Posted::epoch.
    clocks::Posted post_polling_probe(const base::ReceiveSpec& spec, replay::EpochKind kind,
                                      const transport::requests::Situation& situation,
                                      const std::string& communicator_name);
    /// It answers with a message now: the probe to be matched, after end_stretch().
    clocks::Posted post_answer(std::uint32_t index, const base::ReceiveSpec& spec);

    // ---- stretches of polling calls

    /// Of its epoch: a replay::Repetition that the rank has told, and of how many calls.
    void note_repetition(std::uint32_t index, std::uint32_t repetition, std::uint32_t turns_after = 0,
                         std::uint32_t round = 0);
    /// A call that it has not had yet gets the next number. Of a probe: as it is posted.
    clocks::Posted add_poll(std::uint32_t index, replay::EpochKind kind, const base::ReceiveSpec& spec,
                            const transport::requests::Situation& situation, std::uint32_t false_answers);
    /// How a stretch ends.
    struct StretchEnd {
        std::uint32_t poll = 0;               ///< who answers; 0 if it is given up
        std::uint32_t false_answers = 0;      ///< before
        std::uint32_t released = 0;           ///< of these: replay::Outcome::released
        std::vector<std::uint32_t> polled{};  ///< replay::Epoch::polled
        bool timed = false;                   ///< replay::Epoch::timed
    };
    /// It answers now, or is given up: choose() or post_answer() and match() come next, then note_unanswered() for each
    /// other call of it that is a probe.
    void end_stretch(std::uint32_t index, StretchEnd end);
    void note_unanswered(std::uint32_t index, const clocks::Posted& probe, const clocks::Match& match);

    /// `posted` has matched; `takes`: it is no probe that leaves the message where it is.
    clocks::Match match(const clocks::Posted& posted, const clocks::IncomingMessage& message, bool learned, bool takes,
                        const SentData& sent = {});
    /// A receive was cancelled.
    void drop(const clocks::Posted& posted);

    // ---- choices

    std::uint32_t post_choice(replay::EpochKind kind, const transport::requests::Situation& situation);
    /// It reports these positions (ascending), whose completion stands for `known`. `posted`: what the program knew
    /// when it chose; null: what it knows now. `told`: it gets to know what was chosen.
    clocks::Match choose(std::uint32_t index, std::vector<std::uint32_t> completed,
                         const std::vector<clocks::Snapshot>& known, const clocks::Snapshot& posted = nullptr,
                         bool told = true);
    /// The choice has one more request that it could report; false where it is not kept, and nothing of that is needed.
    bool add_candidate(std::uint32_t index);
    /// Request `position` of the choice, or of call `poll` of a stretch, has completed or could have; who knows of it
    /// knows `known`.
    void add_completable(std::uint32_t index, std::uint32_t poll, std::uint32_t position, const clocks::Clock& known);
    /// How many the polling call asks for: one that reports all at once needs them all.
    void note_requests(std::uint32_t index, std::uint32_t poll, std::size_t requests);

    /// Epoch::settled. Nothing for one that is not kept.
    void note_settled(std::uint32_t index, std::uint32_t number) {
        if (keeps(index)) {
            epochs_[index].epoch.settled = number;
        }
    }

    // ---- decisions

    /// The decision for an epoch that was opened; null where the rank is left to itself.
    [[nodiscard]] const replay::Decision* decision(std::uint32_t index) const;
    /// From here on the rank is left to itself.
    void diverge(const std::string& message, const transport::requests::Situation& situation);
    [[nodiscard]] const std::optional<Deviation>& deviation() const { return deviation_; }
    /// What is forced on the run instead: Machine::agrees().
    void decide(Decisions decisions);

    /// Those that are kept; the others come after them.
    [[nodiscard]] const std::vector<RecordedEpoch>& epochs() const { return epochs_; }
    [[nodiscard]] const std::optional<replay::OmittedEpochs>& omitted() const { return omitted_; }
    [[nodiscard]] bool keeps(std::uint32_t index) const { return index < epochs_.size(); }
    /// What has been recorded, in units of kept_epochs.hpp.
    [[nodiscard]] std::uint64_t units() const { return used_; }
    /// The one that was opened last, kept or not; null before the first, or where it is over and not kept.
    [[nodiscard]] const RecordedEpoch* latest() const;
    /// Messages to this rank that nobody has received are late, too.
    void add_leftover(clocks::LateMessage message, const SentData& sent) { add_late(std::move(message), sent); }
    /// At the end of the run: the epochs with their potential matches and completions. To be called once.
    [[nodiscard]] std::vector<RecordedEpoch> finish();

private:
    RecordedEpoch& open(std::uint32_t index, replay::EpochKind kind, const base::ReceiveSpec& spec,
                        const transport::requests::Situation& situation, const std::string& communicator_name);
    void record(const clocks::Posted& posted, std::optional<std::uint32_t> epoch, std::uint32_t poll = 0);
    void record_pending(base::PostingOrder order);
    /// One that is kept, or has not come to its outcome yet.
    RecordedEpoch& at(std::uint32_t index);
    /// One that is not kept has come to its outcome.
    void forget(std::uint32_t index) { passing_.erase(index); }
    void use_room(std::uint64_t units);
    void add_late(clocks::LateMessage message, const SentData& sent);

    Rank own_;
    clocks::LazyClocks clocks_;
    Decisions decisions_;
    std::optional<Deviation> deviation_;
    std::vector<RecordedEpoch> epochs_;
    std::unordered_map<base::PostingOrder, clocks::RecordedReceive> recorded_;
    std::vector<clocks::LateMessage> late_;
    std::map<base::MessageName, SentData> late_data_;  ///< of those of which something is known
    std::uint64_t room_;
    std::uint64_t used_ = 0;
    std::optional<replay::OmittedEpochs> omitted_;
    std::map<std::uint32_t, RecordedEpoch> passing_;  ///< that are not kept, until they come to their outcome
    /// By source and communicator: the first late message that is not kept.
    std::map<std::pair<Rank, CommId>, std::uint64_t> dropped_;
};

}  // namespace dampi::scheduler::central
