// One polling call: how long it looks, and for what (polling.hpp tells why).
#pragma once

#include "piggyback/distributed/completion/polling.hpp"
#include "piggyback/distributed/layer.hpp"
#include "piggyback/distributed/progress.hpp"
#include "piggyback/distributed/waiting.hpp"
#include "piggyback/rank/call.hpp"
#include "piggyback/rank/repetition.hpp"
#include "replay/decision.hpp"

#include <algorithm>

namespace dampi::piggyback::distributed {

/// Waits until dampi-run lets the call answer what is decided.
inline void await_release(DistributedLayer& layer, const Call& call) {
    Patience patience(layer, true);
    Waiting waiting(layer, call, [](WaitDescription& description) {
        description.polls();
        description.add(
            {.kind = transport::WaitKind::time, .number = 0});  // whatever has come, it waits for nothing else
    });
    waiting.is_long();
    while (!patience.over()) {
        make_progress();
        waiting.pause();
    }
}

/// One more call of the stretch that has begun. `look(decision)` looks once and says whether the call is over, be it
/// with an error: with a decision only for what is decided, with null for anything. `describe(description, decision)`
/// says what is waited for. False: the call answers "nothing yet", which its results say before this is called.
template <typename Look, typename Describe>
bool look_or_nothing_yet(DistributedLayer& layer, const Call& call, Look&& look, Describe&& describe) {
    PollingStretch& polling = thread_state().polling;
    const bool decided = polling.choice.decision != nullptr && !layer.diverged;
    if (!decided && polling.choice.repetition == replay::Repetition::not_tried) {
        FoundRepetition found;
        if (polling.false_answers == 0) {
            found = repetition_of(layer, call.function(), call.return_address());
        }
        polling.choice.repetition = found.repetition;
        polling.choice.turns_after = found.turns_after;
        polling.choice.round = found.round;
        polling.at_once = replay::answers_at_once(found.repetition, found.turns_after, found.round);
        polling.looks_at_clock = found.looks_at_clock;
    }
    if (waits_for_timer(layer)) {
        await_release(layer, call);
    }
    const PollingAnswer answer = next_answer(layer, call);
    if (answer == PollingAnswer::nothing_yet) {
        return false;
    }
    note_repetition(layer, call.function(), call.return_address(), polling.false_answers);
    const auto* decision = answer == PollingAnswer::decided ? thread_state().polling.choice.decision : nullptr;
    Patience patience(layer);
    Waiting waiting(layer, call, [&](WaitDescription& description) {
        if (decision == nullptr) {
            description.polls();
        }
        describe(description, decision);
    });
    if (layer.port.terms().virtual_time != 0) {
        waiting.is_long();  // time may stand still until it is seen that this rank waits
    }
    for (;;) {
        if (look(decision)) {
            return true;
        }
        if (decision == nullptr && (patience.over() || (polling.polls.size() > 1 && another_could_answer(layer)))) {
            if (layer.multithreaded) {
                waiting_detail::yield(layer);  // first: what the program does after its answer is its own
            }
            answer_nothing_yet(layer);
            return false;
        }
        waiting.pause();
    }
}

}  // namespace dampi::piggyback::distributed
