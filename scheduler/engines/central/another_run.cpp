// Where a run stands, with other decisions: a run from the start with these would have come there as well, so it can go
// on from here in its place.
//
// All that was chosen freely up to here must be decided there, or that run would have chosen itself, perhaps something
// else. What is open here (a wildcard that has met no message, a wait or a poll that is not answered) may be decided:
// that run would have forced it from the moment at which it was posted, but until here nothing depends on it. What MPI
// leaves no choice about follows from the rest, in whichever order it is found out.
#include "scheduler/engines/central/machine.hpp"

#include "scheduler/engines/central/call_kinds.hpp"

#include <algorithm>
#include <utility>

namespace dampi::scheduler::central {
namespace {

using base::any_source;
using replay::Decision;
using replay::Epoch;
using replay::EpochId;
using replay::Outcome;
using namespace transport::requests;

const Decision* decision_for(const std::vector<Decision>& decisions, const EpochId& epoch) {
    const auto found = std::lower_bound(decisions.begin(), decisions.end(), epoch,
                                        [](const Decision& each, const EpochId& id) { return each.epoch < id; });
    return found != decisions.end() && found->epoch == epoch ? &*found : nullptr;
}

}  // namespace

/// The receive of an epoch that the program has not been told of.
const Machine::Receive* Machine::open_receive(const Process& own, std::uint32_t epoch) const {
    for (const auto& [operation, posting] : own.postings) {
        if (posting.kind == Posting::Kind::receive && !posting.cancelled && posting.receive.posted.epoch == epoch) {
            return &posting.receive;
        }
    }
    return nullptr;
}

/// What the epoch has come to, also if the clocks do not know yet.
std::optional<Outcome> Machine::outcome(const Process& own, const RecordedEpoch& recorded) const {
    if (recorded.epoch.outcome || !replay::takes_message(recorded.epoch.kind)) {
        return recorded.epoch.outcome;
    }
    const Receive* receive = open_receive(own, recorded.epoch.id.index);
    const auto took = receive == nullptr ? std::nullopt : taken(*receive);
    return took ? std::optional(Outcome{.source = took->source,
                                        .tag = took->tag,
                                        .number = took->number,
                                        .completed = {},
                                        .false_answers = recorded.false_answers})
                : std::nullopt;
}

/// Whether what is open here could still come to what is decided.
bool Machine::may_decide(const Process& own, const Epoch& epoch, const Decision& decision) const {
    const Outcome& decided = decision.outcome;
    const std::uint32_t index = epoch.id.index;
    const bool polls = own.polling && own.polling->choice == index;
    if (!(polls && decided.poll != 0) &&
        (decision.kind != epoch.kind || decision.comm != epoch.comm || decision.tag != epoch.tag)) {
        return false;
    }
    if (polls && own.polling->polls.size() > 1) {
        return false;  // which of its calls could still answer what is not looked at here
    }
    if (polls) {
        if (decided.poll != 0) {
            return replay::is_polling(decision.kind);  // that call is still to come
        }
        const bool asks_again = own.polling->false_answers >= decided.false_answers;
        if (own.polling->false_answers > decided.false_answers || (asks_again && decided.gave_up() && !decision.open)) {
            return false;
        }
        if (decision.open || decided.gave_up()) {
            return true;
        }
        if (const auto* probe = std::get_if<ProbeFence>(&own.fence)) {
            return in(epoch.comm, decided.source) &&
                   (probe->call.source == any_source || probe->call.source == decided.source);
        }
        const auto* wait = std::get_if<WaitFence>(&own.fence);
        return wait != nullptr && makes_sense(*wait, epoch.kind, decided.completed);
    }
    if (decision.open) {
        return false;
    }
    if (const auto* wait = std::get_if<WaitFence>(&own.fence); wait != nullptr && wait->choice == index) {
        return makes_sense(*wait, epoch.kind, decided.completed);
    }
    const auto* probe = std::get_if<ProbeFence>(&own.fence);
    const bool message =
        (probe != nullptr && probe->probe.posted.epoch == index) || open_receive(own, index) != nullptr;
    return message && in(epoch.comm, decided.source);
}

bool Machine::agrees(const std::vector<Decision>& decisions) const {
    return std::all_of(processes_.begin(), processes_.end(), [&](const Process& own) {
        const auto& epochs = own.record.epochs();
        return !own.record.deviation() && !own.record.omitted() && !own.imprecise &&
               std::all_of(epochs.begin(), epochs.end(), [&](const RecordedEpoch& recorded) {
                   const Decision* decided = decision_for(decisions, recorded.epoch.id);
                   if (const auto came_to = outcome(own, recorded)) {
                       return decided != nullptr && !decided->open && decided->outcome == *came_to &&
                              decided->kind == recorded.epoch.kind;
                   }
                   if (const Decision* before = own.record.decision(recorded.epoch.id.index)) {
                       return decided != nullptr && *decided == *before;
                   }
                   return decided == nullptr || may_decide(own, recorded.epoch, *decided);
               });
    });
}

void Machine::decide(Decisions decisions, std::uint64_t free_seed) {
    decisions_ = std::move(decisions);
    settings_.free_seed = random_state_ = free_seed;
    plan_chance();
    has_met_decisions_ = false;
    for (Process& own : processes_) {
        own.record.decide(decisions_);
        for (auto at = own.posted.begin(); at != own.posted.end();) {
            const auto [order, operation] = *at;
            Receive& receive = own.postings.at(operation).receive;
            const Decision* decided =
                receive.forced || !receive.posted.epoch ? nullptr : own.record.decision(*receive.posted.epoch);
            if (decided != nullptr) {
                own.posted.remove(order, asked(receive));
                receive.asked = decided->outcome.source;
                receive.forced = true;
                ++own.forced_open;
                own.posted.add(order, asked(receive), operation);
            }
            at = own.posted.after(order);
        }
        if (auto* wait = std::get_if<WaitFence>(&own.fence); wait != nullptr && wait->choice && wait->decided.empty()) {
            if (const Decision* decided = own.record.decision(*wait->choice);
                decided != nullptr && !is_test(wait->call.mode)) {
                wait->decided = decided->outcome.completed;
            }
        } else if (auto* probe = std::get_if<ProbeFence>(&own.fence);
                   probe != nullptr && probe->probe.posted.epoch && !probe->probe.forced) {
            if (const Decision* decided = own.record.decision(*probe->probe.posted.epoch)) {
                probe->asked = probe->probe.asked = decided->outcome.source;
                probe->probe.forced = true;
            }
        }
    }
    // Polls are followed up when they are looked at.
    for (Rank rank = 0; rank < settings_.processes; ++rank) {
        match_named(rank);
        look(rank);
    }
}

}  // namespace dampi::scheduler::central
