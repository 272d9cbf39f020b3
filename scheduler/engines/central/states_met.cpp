// States in which runs meet: what a state is. What of the epochs before it counts is said in what_may_be_late.cpp; the
// argument is in docs/architecture/equal-states.md.
#include "scheduler/engines/central/machine.hpp"

#include "scheduler/engines/central/call_kinds.hpp"
#include "transport/requests/state_parts.hpp"

#include <algorithm>

namespace dampi::scheduler::central {
namespace {

using base::Digest;
using base::DigestBuilder;
using transport::TypedData;
using namespace transport::requests;

}  // namespace

/// With what its rank is told now.
void Machine::note_told(Rank rank, std::uint32_t epoch) {
    Process& own = process(rank);
    if (!settings_.keep_courses) {
        return;
    }
    if (own.told.size() <= epoch) {
        own.told.resize(epoch + 1);
    }
    own.told[epoch] = own.waits;
}

std::vector<replay::RankCourse> Machine::courses() const {
    std::vector<replay::RankCourse> all;
    for (const Process& own : processes_) {
        all.push_back({.end = own.end_state, .waits = own.waits, .told = own.told});
    }
    return all;
}

bool Machine::has_met_decisions() {
    has_met_decisions_ =
        has_met_decisions_ || std::all_of(decisions_->begin(), decisions_->end(), [&](const replay::Decision& each) {
            const auto& epochs = process(each.epoch.rank).record.epochs();
            return each.epoch.index < epochs.size() && epochs[each.epoch.index].epoch.settled != 0;
        });
    return has_met_decisions_;
}

bool Machine::has_come_to_decisions() const {
    return std::all_of(decisions_->begin(), decisions_->end(), [&](const replay::Decision& each) {
        const Process& own = process(each.epoch.rank);
        return own.ended || each.epoch.index < own.record.epochs().size();
    });
}

/// Whether all that is going on can be put into a state.
bool Machine::can_be_compared() const {
    return !history_counts_ && settings_.room == 0 && !settings_.virtual_time && mismatches_.empty() &&
           settings_.protocol == clocks::Protocol::vector &&
           std::all_of(processes_.begin(), processes_.end(), [](const Process& own) {
               return !own.record.deviation() && !own.record.omitted() && own.matched.empty() && own.freed.empty() &&
                      own.freed_matched.empty() && own.cancelled.empty() && own.forced_open == 0 &&
                      own.unacknowledged == 0 && own.buffered == 0 && own.attached.count() == 0 && !own.polling &&
                      !own.imprecise;
           });
}

/// Writes a state down. Operations are named by how long ago their rank has posted them, messages by their place among
/// those of their source that nobody has received, collectives by how many of their communicator are not over before
/// them: so that nothing depends on what is over.
class Machine::StateWords {
public:
    StateWords(const Machine& machine, const std::vector<OwnState>& ranks, const Contents& contents)
        : machine_(machine), ranks_(ranks), contents_(contents) {}

    std::optional<Digest> digest() {
        words_.add(static_cast<std::uint64_t>(machine_.settings_.collectives_wait))
            .add(machine_.settings_.waits_from)
            .add(static_cast<std::uint64_t>(machine_.settings_.waits_alone));
        for (std::size_t i = 0; i < machine_.processes_.size(); ++i) {
            add_rank(static_cast<Rank>(i), machine_.processes_[i]);
        }
        std::vector<CommId> comms;
        for (const auto& [comm, meeting] : machine_.groups_) {
            comms.push_back(comm);
        }
        std::sort(comms.begin(), comms.end());
        for (const CommId comm : comms) {
            add_group(comm, machine_.groups_.at(comm));
        }
        return sound_ ? std::optional(words_.value()) : std::nullopt;
    }

private:
    template <typename Number>
    void add(Number number) {
        words_.add(static_cast<std::uint64_t>(number));
    }

    [[nodiscard]] bool counts(StatePart part) const { return (machine_.settings_.state_without & bit_of(part)) == 0; }

    void add_operation(Rank rank, Operation operation) {
        const Operation last = ranks_[static_cast<std::size_t>(rank)].last_operation;
        sound_ = sound_ && operation <= last;
        add(operation == no_operation ? 0 : last - operation + 1);
    }

    static void add_data(DigestBuilder& words, const TypedData& data) {
        // Types have numbers of their rank's own; signatures say what they are.
        words.add(data.hash).add(data.items).add(static_cast<std::uint64_t>(data.type != transport::no_type));
    }
    void add_data(const TypedData& data) { add_data(words_, data); }

    void add_contents(DigestBuilder& words, Place place, std::uint64_t bytes) {
        words.add(bytes);
        if (place != 0 && bytes != 0 && counts(StatePart::contents)) {
            words.add(contents_(place, bytes));
        }
    }

    Digest made_digest(const Message& message, bool with_contents) {
        DigestBuilder words;
        words.add(static_cast<std::uint64_t>(message.source))
            .add(static_cast<std::uint64_t>(message.destination))
            .add(message.comm)
            .add(static_cast<std::uint64_t>(message.tag))
            .add(static_cast<std::uint64_t>(message.waited_for))
            .add(message.site);
        add_data(words, message.data);
        if (with_contents) {
            add_contents(words, message.payload, message.bytes);
        }
        return words.value();
    }

    /// Of what does not change while the message is there, its data included: made once.
    Digest digest_of(const Message& message) {
        if (!message.digest) {
            message.digest = made_digest(message, true);
        }
        return *message.digest;
    }

    void add_message(const Message& message, bool with_contents = true) {
        words_.add(with_contents ? digest_of(message) : made_digest(message, false));
        add(message.taken);
        add(static_cast<bool>(message.acknowledged));
    }

    /// Where a message that nobody has received lies: among those of its source.
    void add_place(const Message& message, MessageIndex index) {
        const Process& receiver = machine_.process(message.destination);
        const auto found = receiver.unexpected.find({message.comm, message.source});
        std::size_t place = 0;
        if (found != receiver.unexpected.end()) {
            const auto at = std::find(found->second.begin(), found->second.end(), index);
            place = at == found->second.end() ? 0 : static_cast<std::size_t>(at - found->second.begin()) + 1;
        }
        add(place);
    }

    void add_posting(Rank rank, const Posting& posting) {
        add(posting.kind);
        add(posting.freed);
        add(posting.told);
        add(posting.cancel_called);
        add(posting.cancelled);
        add(posting.in_pair);
        sound_ = sound_ && !posting.freed && !posting.cancel_called && posting.kind != Posting::Kind::matched_receive;
        switch (posting.kind) {
            case Posting::Kind::send: {
                const Message& message = machine_.messages_[posting.message];
                add_message(message, !message.taken);  // else they are the receiver's
                add_place(message, posting.message);
                break;
            }
            case Posting::Kind::receive: {
                const Receive& receive = posting.receive;
                const base::ReceiveSpec& spec = receive.posted.spec;
                if (counts(StatePart::receives)) {
                    add(spec.comm);
                    add(spec.source);
                    add(spec.tag);
                }
                add(receive.posted.epoch.has_value());
                add_data(receive.data);
                add(receive.site);
                add(receive.message != no_message);
                if (receive.message != no_message) {
                    add_message(machine_.messages_[receive.message]);
                }
                break;
            }
            case Posting::Kind::collective:
                add(posting.comm);
                add(posting.ready);
                add(machine_.groups_.at(posting.comm).first_round > posting.sequence
                        ? 0
                        : posting.sequence - machine_.groups_.at(posting.comm).first_round + 1);
                break;
            case Posting::Kind::pair:
                add_operation(rank, posting.paired_send);
                add_operation(rank, posting.paired_receive);
                break;
            case Posting::Kind::matched_receive:
            case Posting::Kind::immediate:
                break;
        }
    }

    void add_fence(Rank rank, const Process& own) {
        add(own.fence.index());
        if (const auto* wait = std::get_if<WaitFence>(&own.fence)) {
            add(wait->call.mode);
            add(wait->call.operations.size());
            for (const Operation operation : wait->call.operations) {
                add_operation(rank, operation);
            }
            for (const std::uint32_t position : wait->call.positions) {
                add(position);
            }
            add(wait->choice.has_value());
            sound_ = sound_ && !is_test(wait->call.mode);
            words_.add(wait->call.situation.function);
            add(wait->call.situation.site);
        } else if (const auto* probe = std::get_if<ProbeFence>(&own.fence)) {
            add(probe->call.comm);
            add(probe->call.source);
            add(probe->call.tag);
            add(probe->call.matched);
            sound_ = sound_ && probe->call.polling == 0 && probe->call.matched == 0;
            add(probe->call.situation.site);
        } else if (std::holds_alternative<DetachCall>(own.fence) || std::holds_alternative<SleepCall>(own.fence)) {
            sound_ = false;
        }
    }

    void add_rank(Rank rank, const Process& own) {
        if (counts(StatePart::rank)) {
            words_.add(ranks_[static_cast<std::size_t>(rank)].digest);
        }
        add(own.ended);
        add(own.finalized);
        if (counts(StatePart::fence)) {
            add_fence(rank, own);
        }
        std::vector<Operation> operations;
        for (const auto& [operation, posting] : own.postings) {
            operations.push_back(operation);
        }
        std::sort(operations.begin(), operations.end());
        add(operations.size());
        for (const Operation operation : operations) {
            add_operation(rank, operation);
            if (counts(StatePart::postings)) {
                add_posting(rank, own.postings.at(operation));
            }
        }
        // In the order of posting, which is not that of the operations where threads or pairs are about.
        for (const auto& [order, operation] : own.posted) {
            add_operation(rank, operation);
        }
        add(own.unexpected.size());
        for (const auto& [stream, messages] : own.unexpected) {
            add(messages.size());
            if (counts(StatePart::messages)) {  // nobody has taken or acknowledged them
                words_.add(messages.digest([&](MessageIndex index) { return digest_of(machine_.messages_[index]); }));
            }
        }
        add(own.communicator_names.size());
        for (const auto& [comm, name] : own.communicator_names) {
            add(comm);
            words_.add(name);
        }
    }

    void add_group(CommId comm, const Group& meeting) {
        add(comm);
        add(meeting.inter);
        add(meeting.members.size());
        for (std::size_t i = 0; i < meeting.size(); ++i) {
            add(meeting.rank(i));
            add(meeting.count[i] - meeting.first_round);
            add(i < meeting.freed.size() && meeting.freed[i]);
        }
        sound_ = sound_ && meeting.kept.empty();
        add(meeting.rounds.size());
        for (const Round& round : meeting.rounds) {
            add(round.broken);
            add(round.entered.size());
            for (std::size_t i = 0; i < round.entered.size(); ++i) {
                const Entered& entered = round.entered[i];
                add(entered.here);
                if (entered.here && counts(StatePart::collectives)) {
                    add_part(meeting.rank(i), entered);
                }
            }
        }
    }

    void add_part(Rank rank, const Entered& entered) {
        const transport::Contribution& part = entered.contribution;
        add(entered.told);
        add(part.operation);
        add(part.reduction);
        add(part.root);
        add(part.site);
        add(part.sent);
        add(part.received);
        add_data(part.sent_data);
        add_data(part.received_data);
        add(part.arguments);
        for (const transport::Shares* shares : {&entered.given, &entered.asked}) {
            add(shares->size());
            for (const std::uint64_t word : *shares) {
                add(word);
            }
        }
        add(entered.leader);
        add(entered.tag);
        add(entered.sources);
        add(entered.listed.size());
        for (const Rank source : entered.listed) {
            add(source);
        }
        add_contents(words_, entered.payload, entered.bytes);
        if (!entered.told) {
            add_operation(rank, entered.operation);
        }
    }

    const Machine& machine_;
    const std::vector<OwnState>& ranks_;
    const Contents& contents_;
    DigestBuilder words_;
    bool sound_ = true;
};

std::optional<Digest> Machine::state(const std::vector<OwnState>& ranks, const Contents& contents) const {
    return can_be_compared() ? StateWords(*this, ranks, contents).digest() : std::nullopt;
}

}  // namespace dampi::scheduler::central
