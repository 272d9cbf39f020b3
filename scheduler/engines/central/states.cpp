// What there is to say of the machine: who waits for what, what is left over, and at the end the epochs.
#include "scheduler/engines/central/machine.hpp"

#include "scheduler/engines/central/call_kinds.hpp"

#include <algorithm>
#include <numeric>

namespace dampi::scheduler::central {
namespace {

using base::any_source;
using base::ReceiveSpec;
using transport::WaitKind;
using namespace transport::requests;

}  // namespace

/// Whether somebody has received the message, or has posted a receive that may come to do so.
bool Machine::may_be_taken(const Message& message) const {
    if (message.taken) {
        return !message.held;
    }
    const Process& receiver = process(message.destination);
    return !receiver.ended && first_posted(receiver, message) != no_operation;
}

/// What the rank lacks of an operation. `any`: it waits for one of several, so that only one thing may be named.
void Machine::add_waits(const Process& own, const Posting& posting, bool any, RankState& state) const {
    Wait wait;
    wait.may_be_satisfied = complete(own, posting);
    switch (posting.kind) {
        case Posting::Kind::receive: {
            const Receive& receive = posting.receive;
            wait.kind = WaitKind::receive;
            wait.forced = receive.forced;
            wait.peer = receive.asked;
            wait.tag = receive.posted.spec.tag;
            wait.comm = receive.posted.spec.comm;
            wait.number = receive.posted.order + 1;
            wait.made_at = receive.made_at;
            // It has matched, and only has to be told so when those before it have.
            wait.may_be_satisfied = wait.may_be_satisfied || receive.message != no_message;
            break;
        }
        case Posting::Kind::send: {
            const Message& message = messages_[posting.message];
            wait.kind = WaitKind::send;
            wait.peer = message.destination;
            wait.tag = message.tag;
            wait.comm = message.comm;
            wait.number = message.number;
            wait.made_at = message.made_at;
            wait.synchronous = true;
            wait.held = message.held;
            wait.providers = {message.destination};
            // A receive may be there whose match is still to be chosen.
            wait.may_be_satisfied = wait.may_be_satisfied || may_be_taken(message);
            if (posting.room != no_room_use) {
                const RoomUses uses = own.room.up_to(posting.room);
                wait.providers = own.room.receivers(uses);
                for (const Message& before : messages_) {
                    wait.may_be_satisfied =
                        wait.may_be_satisfied || (before.references != 0 && before.source == message.source &&
                                                  std::find(uses.begin(), uses.end(), before.room) != uses.end() &&
                                                  !before.acknowledged && may_be_taken(before));
                }
            }
            state.waits.push_back(std::move(wait));
            return;
        }
        case Posting::Kind::collective: {
            const Group& meeting = groups_.at(posting.comm);
            const Round* at = round(meeting, posting.sequence);
            const auto rank = static_cast<Rank>(&own - processes_.data());
            const std::size_t index = meeting.index.at(rank);
            const Entered& entered = at->entered[index];
            wait.kind = entered.leader ? WaitKind::leader : WaitKind::collective;
            wait.tag = entered.tag;
            wait.comm = posting.comm;
            wait.number = posting.sequence;
            wait.made_at = entered.made_at;
            if (posting.ready) {
                state.waits.push_back(std::move(wait));
                return;
            }
            std::vector<std::size_t> sources = awaited_by(meeting, index, entered);
            if (at->broken) {  // nobody comes out of it, whomever he waited for
                sources.clear();
                for (std::size_t i = 0; i < meeting.size(); ++i) {
                    if (i != index) {
                        sources.push_back(i);
                    }
                }
            }
            for (const std::size_t source : sources) {
                if (!at->broken && at->entered[source].here) {
                    continue;
                }
                wait.peer = meeting.rank(source);
                wait.providers = {wait.peer};
                state.waits.push_back(wait);
                if (any) {
                    return;
                }
            }
            return;
        }
        case Posting::Kind::pair:
            for (const Operation part : {posting.paired_receive, posting.paired_send}) {
                const Posting& of_pair = own.postings.at(part);
                if (!complete(own, of_pair)) {
                    add_waits(own, of_pair, any, state);
                    if (any) {
                        return;
                    }
                }
            }
            if (wait.may_be_satisfied) {
                state.waits.push_back(std::move(wait));
            }
            return;
        case Posting::Kind::matched_receive:
        case Posting::Kind::immediate:
            wait.may_be_satisfied = true;
            state.waits.push_back(std::move(wait));
            return;
    }
    // A receive.
    const Group& meeting = groups_.at(wait.comm);
    const bool local =
        !meeting.inter || meeting.index.at(static_cast<Rank>(&own - processes_.data())) >= meeting.members.size();
    if (wait.peer != any_source) {
        wait.providers = {wait.peer};
    } else {
        wait.providers = !meeting.inter || local ? meeting.members : meeting.remote;
    }
    if (!wait.may_be_satisfied) {
        const ReceiveSpec spec{.comm = wait.comm, .source = wait.peer, .tag = wait.tag};
        for (const auto& [key, messages] : own.unexpected) {
            wait.may_be_satisfied =
                wait.may_be_satisfied || std::any_of(messages.begin(), messages.end(), [&](MessageIndex index) {
                    const Message& message = messages_[index];
                    return spec.fits(message.comm, message.source, message.tag);
                });
        }
    }
    state.waits.push_back(std::move(wait));
}

std::vector<RankState> Machine::states() const {
    std::vector<RankState> states;
    for (Rank rank = 0; rank < settings_.processes; ++rank) {
        const Process& own = process(rank);
        RankState& state = states.emplace_back();
        state.alive = !own.ended;
        state.finalized = own.finalized;
        state.traffic = own.traffic;
        state.sequence = own.fence_number;
        state.blocked = own.fence.index() != 0;
        state.polls = polls_freely(own);
        const auto stands_at = [&](const Situation& situation) {
            state.call = situation.function;
            state.site = situation.site;
        };
        if (const auto* fence = std::get_if<WaitFence>(&own.fence)) {
            stands_at(fence->call.situation);
            const bool all = all_or_nothing(fence->call.mode) || !fence->decided.empty();
            state.any = !all && fence->call.operations.size() > 1;
            for (std::size_t i = 0; i < fence->call.operations.size(); ++i) {
                if (fence->decided.empty() ||
                    std::binary_search(fence->decided.begin(), fence->decided.end(), fence->call.positions[i])) {
                    const Posting& posting = own.postings.at(fence->call.operations[i]);
                    if (state.any || !complete(own, posting)) {
                        add_waits(own, posting, state.any, state);
                    }
                }
            }
        } else if (const auto* probing = std::get_if<ProbeFence>(&own.fence)) {
            stands_at(probing->call.situation);
            Posting posting;
            posting.kind = Posting::Kind::receive;
            posting.receive.posted.spec = {
                .comm = probing->call.comm, .source = probing->call.source, .tag = probing->call.tag};
            posting.receive.asked = probing->asked;
            posting.receive.forced = probing->asked != probing->call.source;
            add_waits(own, posting, false, state);
            state.waits.back().kind = WaitKind::probe;
            state.waits.back().number = 0;
        } else if (const auto* finalize = std::get_if<FinalizeCall>(&own.fence)) {
            stands_at(finalize->situation);
            for (Rank other = 0; other < settings_.processes; ++other) {
                if (!finalizing(other)) {
                    state.waits.push_back({.kind = WaitKind::finalize, .peer = other, .providers = {other}});
                }
            }
        } else if (const auto* sleeps = std::get_if<SleepCall>(&own.fence)) {
            state.call = "sleep";
            state.sleeps_until = sleeps->until;
        } else if (const auto* detach = std::get_if<DetachCall>(&own.fence)) {
            stands_at(detach->situation);
            for (const Message& message : messages_) {
                if (message.references != 0 && message.keeps_buffer && message.source == rank && !message.taken) {
                    state.waits.push_back({.kind = WaitKind::send,
                                           .peer = message.destination,
                                           .tag = message.tag,
                                           .comm = message.comm,
                                           .number = message.number,
                                           .synchronous = true,
                                           .providers = {message.destination}});
                }
            }
        }
    }
    return states;
}

std::vector<OpenMessage> Machine::open_messages() const {
    std::vector<OpenMessage> open;
    for (const Process& own : processes_) {
        for (const auto& [key, messages] : own.unexpected) {
            for (const MessageIndex index : messages) {
                const Message& message = messages_[index];
                const Room& room = process(message.source).room;
                const bool has_room =
                    message.room != no_room_use && room.fits(room.up_to(message.room), settings_.room);
                open.push_back({.source = message.source,
                                .destination = message.destination,
                                .comm = message.comm,
                                .tag = message.tag,
                                .number = message.number,
                                .site = message.site,
                                .waited_for = message.waited_for && !has_room,
                                .data = message.data});
            }
        }
    }
    return open;
}

std::vector<OpenReceive> Machine::open_receives() const {
    std::vector<OpenReceive> open;
    for (std::size_t rank = 0; rank < processes_.size(); ++rank) {
        const Process& own = processes_[rank];
        for (const auto& [order, operation] : own.posted) {
            const Receive& receive = own.postings.at(operation).receive;
            open.push_back({.rank = static_cast<Rank>(rank),
                            .spec = receive.posted.spec,
                            .forced = receive.forced ? receive.asked : any_source,
                            .order = receive.posted.order,
                            .site = receive.site});
        }
    }
    return open;
}

bool Machine::waits_for_decision() const {
    return std::any_of(processes_.begin(), processes_.end(), [](const Process& own) {
        const RecordedEpoch* const latest = own.record.latest();
        const bool at_fence = !own.ended && own.fence.index() != 0;
        return own.forced_open != 0 ||
               (at_fence && latest != nullptr && latest->epoch.forced && !latest->epoch.outcome);
    });
}

std::uint64_t Machine::units() const {
    return std::accumulate(processes_.begin(), processes_.end(), std::uint64_t{0},
                           [](std::uint64_t sum, const Process& each) { return sum + each.record.units(); });
}

std::vector<std::vector<RecordedEpoch>> Machine::finish() {
    for (Rank rank = 0; rank < settings_.processes; ++rank) {
        Process& own = process(rank);
        std::vector<Operation> operations;
        for (const auto& entry : own.pending) {
            operations.push_back(entry.payload);
        }
        for (const Operation operation : operations) {
            Receive& receive = own.postings.at(operation).receive;
            if (receive.message != no_message && resolvable(own, receive)) {
                resolve(rank, receive, false, true);
            }
        }
    }
    for (Process& own : processes_) {
        for (auto& [operation, posting] : own.postings) {
            if (complete(own, posting) && !posting.cancelled) {
                posting.receive.cancel.reset();
                conclude(own, posting);
            }
        }
        for (const auto& [key, messages] : own.unexpected) {
            for (const MessageIndex index : messages) {
                const Message& message = messages_[index];
                const clocks::IncomingMessage incoming{
                    .name = {.source = message.source, .comm = message.comm, .number = message.number},
                    .tag = message.tag,
                    .clock = message.clock->clock};
                check_cancelled(own, incoming, clocks::never_taken);
                own.record.add_leftover({.name = incoming.name,
                                         .tag = message.tag,
                                         .taken_by = clocks::never_taken,
                                         .clock = incoming.clock},
                                        sent_data(message));
            }
        }
    }
    std::vector<std::vector<RecordedEpoch>> epochs;
    for (const Process& own : processes_) {
        other_room_ += settings_.room == 0 ? 0 : own.room.could_differ(settings_.room);
    }
    for (Process& own : processes_) {
        epochs.push_back(own.record.finish());
    }
    return epochs;
}

}  // namespace dampi::scheduler::central
