#include "piggyback/distributed/completion/polling.hpp"

#include "piggyback/distributed/divergence.hpp"
#include "piggyback/distributed/layer.hpp"
#include "piggyback/distributed/matching/matching.hpp"
#include "piggyback/distributed/progress.hpp"
#include "piggyback/distributed/waiting.hpp"
#include "piggyback/rank/errors/errors.hpp"
#include "piggyback/rank/time/virtual_time.hpp"
#include "replay/answer_in_time.hpp"
#include "replay/polling_patience.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace dampi::piggyback::distributed {
namespace {

using namespace std::chrono_literals;

// What a call waits at the least while it is not in haste (replay/polling_patience.hpp): for longer than dampi-run
// takes to see that nobody else can go on, and then for many calls.
constexpr auto shortest_patience = 500us;

// Where time is virtual a call waits for so many looks at the least, a tenth of a second on an idle machine: on a busy
// one dampi-run has asked by then whether the rank is blocked, and ranks that compute have come to it.
constexpr std::uint32_t looks_until_seen = 1500;

// A rank that answers false without waiting gives its core away after so many false answers, where each rank could have
// one of its own; natively it would not.
constexpr std::uint32_t calls_per_turn = 64;
// Nor sooner than it has had the core for so long: on a busy machine it gets it back only after some milliseconds, and
// it may have to answer millions of times.
constexpr auto turn = 1ms;
constexpr auto turn_on_crowded_cores = 100us;

// Of decided false answers so many look at what MPI has for the rank, and then each calls_per_turn-th.
constexpr std::uint32_t calls_before_haste = 1000;

// On a busy machine a wait takes longer than it should: so much longer it counts at the most.
constexpr int most_times_longer = 10;

/// The rank answers false without waiting: gives its core away now and then.
void take_turns(DistributedLayer& layer, std::uint32_t false_answers) {
    static std::chrono::steady_clock::time_point turn_began;  // one thread at a time is in the layer
    if (layer.multithreaded) {
        waiting_detail::yield(layer);  // others of its threads may have to go on
    } else if ((layer.crowded || false_answers % calls_per_turn == 0) &&
               std::chrono::steady_clock::now() - turn_began >= (layer.crowded ? turn_on_crowded_cores : turn)) {
        waiting_detail::yield(layer);
        turn_began = std::chrono::steady_clock::now();
    }
}

/// Whether the answer that is decided for the stretch is "nothing yet" only, and then something else by the program.
bool to_be_given_up(const transport::RankDecision& decision) {
    return decision.source == base::any_source && decision.completed.empty();
}

std::string times(std::uint32_t count) { return count == 1 ? "once" : std::to_string(count) + " times"; }

void show_false_answers(const DistributedLayer& layer, std::uint32_t epoch, std::uint32_t false_answers) {
    auto& header = layer.board();
    header.polling_epoch.store(epoch, std::memory_order_relaxed);
    header.polling_false_answers.store(false_answers, std::memory_order_release);
}

/// Whether it is time that decides how often the calls of the stretch answer "nothing yet".
bool is_matter_of_time(const DistributedLayer& layer, const PollingStretch& polling) {
    return polling.timed() && layer.port.terms().virtual_time == 0;
}

/// How time passes with the stretch's next answer, as in the run that the decision is from.
replay::AnswerInTime in_time(const transport::RankDecision& decision, const PollingStretch& polling) {
    return replay::answer_in_time(polling.false_answers, decision.false_answers, decision.additional,
                                  decision.released);
}

/// The call, of which nothing is decided any more, answers "nothing yet". In a stretch that has had additional false
/// answers further ones are such as well: those come last in what is recorded, and time is to pass in the same order
/// when it is repeated.
void answer_freely(const DistributedLayer& layer, bool released) {
    PollingStretch& polling = thread_state().polling;
    const transport::RankDecision* const decision = layer.diverged ? nullptr : polling.choice.decision;
    const bool virtual_time = layer.port.terms().virtual_time != 0;
    if (virtual_time && decision != nullptr && decision->open && decision->additional != 0) {
        const std::uint32_t own = replay::own_false_answers(decision->false_answers, decision->additional);
        pass_with_answer({.kind = replay::AnswerInTime::Kind::additional,
                          .number = polling.false_answers - std::min(polling.false_answers, own)});
        return;
    }
    polling.released += released ? 1 : 0;
    if (virtual_time && released) {
        pass_with_answer({.kind = replay::AnswerInTime::Kind::released});
    }
}

/// Whether the call would answer something else than "nothing yet" now.
bool could_answer(DistributedLayer& layer, const Poll& poll) {
    int flag = 0;
    if (replay::chooses_message(poll.key.kind)) {
        const QuietErrors quiet;
        return PMPI_Iprobe(poll.source, poll.tag, poll.comm, &flag, MPI_STATUS_IGNORE) == MPI_SUCCESS && flag != 0;
    }
    const auto complete = [&](MPI_Request handle) {
        const Request* request = layer.requests.find(handle);
        int done = 0;
        return request != nullptr && request->active && !request->told &&
               (peek(request->native(), &done, MPI_STATUS_IGNORE) != MPI_SUCCESS || done != 0);
    };
    const auto& handles = poll.key.requests;
    return !replay::reports_all(poll.key.kind) && std::any_of(handles.begin(), handles.end(), complete);
}

void close(const DistributedLayer& layer, PollingStretch& polling) {
    polling.open = false;
    this_thread->false_answers.repeats(*DistributedLayer::current(), 0);
    show_false_answers(layer, polling.choice.index, 0);
}

/// A program that ends has given up polling. (One that dies is seen from outside.)
__attribute__((destructor)) void program_ends() {
    DistributedLayer* layer = DistributedLayer::current();
    if (layer != nullptr && layer->active() && thread_state_if_any() != nullptr && thread_state().polling.open &&
        !layer->multithreaded) {
        layer->set_active(false);  // MPI may be gone already
        give_up_polling(*layer, Call("exit"), thread_state().polling);
        layer->set_active(true);
    }
}

}  // namespace

PollingTurn continues_polling(DistributedLayer& layer, const Call& call, const PollingKey& key) {
    this_thread->false_answers.ask(layer);
    PollingStretch& polling = thread_state().polling;
    if (!polling.open) {
        return PollingTurn::first;
    }
    show_false_answers(layer, polling.choice.index, 0);
    const auto known =
        std::find_if(polling.polls.begin(), polling.polls.end(), [&](const Poll& each) { return each.key == key; });
    if (known == polling.polls.end() && polling.polls.size() == replay::most_polls) {
        give_up_polling(layer, call, polling);
        return PollingTurn::first;
    }
    polling.current = static_cast<std::uint32_t>(known - polling.polls.begin());
    if (polling.polled.size() < replay::most_polled) {
        polling.polled.push_back(polling.current);
    }
    return known == polling.polls.end() ? PollingTurn::another : PollingTurn::again;
}

void begin_polling(Poll poll, const Choice& choice) {
    PollingStretch& polling = thread_state().polling;
    polling.open = true;
    polling.choice = choice;
    polling.polls.clear();
    polling.polls.push_back(std::move(poll));
    polling.current = 0;
    polling.polled.assign(1, 0);
    polling.false_answers = 0;
    polling.released = 0;
    polling.at_once = 0;
    polling.looks_at_clock = false;
    polling.thread = this_thread;
    polling.clock_looks = this_thread->clock_looks;
}

bool waits_for_timer(const DistributedLayer& layer) {
    const PollingStretch& polling = thread_state().polling;
    const transport::RankDecision* const decision = polling.choice.decision;
    return layer.port.terms().virtual_time != 0 && !layer.diverged && decision != nullptr && timer_is_set() &&
           in_time(*decision, polling).kind == replay::AnswerInTime::Kind::released;
}

PollingAnswer next_answer(DistributedLayer& layer, const Call& call) {
    PollingStretch& polling = thread_state().polling;
    const auto*& decision = polling.choice.decision;
    if (layer.diverged) {
        decision = nullptr;
    }
    const auto answer_at_once = [&] {
        if (polling.false_answers < calls_before_haste || polling.false_answers % calls_per_turn == 0) {
            make_progress();
        }
        take_turns(layer, polling.false_answers);
        answer_nothing_yet(layer);
        return PollingAnswer::nothing_yet;
    };
    if (decision == nullptr) {
        return polling.false_answers < polling.at_once ? answer_at_once() : PollingAnswer::free;
    }
    const bool timed = is_matter_of_time(layer, polling);
    const bool given_up = !decision->open && to_be_given_up(*decision);
    if (polling.false_answers < decision->false_answers && (!timed || given_up)) {
        if (layer.port.terms().virtual_time != 0) {
            const replay::AnswerInTime answer = in_time(*decision, polling);
            polling.released += answer.kind == replay::AnswerInTime::Kind::released ? 1 : 0;
            pass_with_answer(answer);
        }
        return answer_at_once();
    }
    if (decision->open) {
        return PollingAnswer::free;
    }
    if (given_up && timed) {
        return answer_at_once();
    }
    if (given_up) {
        diverge(layer, call, polling.choice.index,
                "rank " + std::to_string(layer.rank()) + " was to go on after " + call.function() +
                    " has answered \"nothing yet\" " + times(polling.false_answers) + ", but has asked again");
        decision = nullptr;
        return PollingAnswer::free;
    }
    return polling.current == decision->poll ? PollingAnswer::decided : answer_at_once();
}

Patience::Patience(DistributedLayer& layer, bool decided) : layer_(layer), decided_(decided), released_(layer.board()) {
    const PollingStretch& polling = thread_state().polling;
    if (layer.multithreaded) {
        patience_ = 0us;  // another thread may have to go on before anything comes
    } else {
        patience_ = replay::polling_patience(polling.false_answers, polling.waited_in_vain, polling.false_answers,
                                             shortest_patience);
        if (layer.port.terms().virtual_time != 0) {
            patience_ = replay::patience_in_virtual_time(patience_, polling.false_answers);
            least_looks_ = looks_until_seen;
            if (decided) {
                patience_ = replay::patience_with_decided;
            }
        }
        if (patience_ == 0us) {
            take_turns(layer, polling.false_answers);
        }
    }
    if (patience_ != 0us) {
        begin_ = std::chrono::steady_clock::now();
    }
}

bool Patience::over() {
    if (released_.is(layer_.board(), thread_state().polling.timed())) {
        if (decided_) {
            return true;  // what it does is decided, too
        }
        answer_freely(layer_, true);
        return true;
    }
    if (patience_ == 0us) {
        answer_freely(layer_, false);
        return true;
    }
    if (++looks_ < least_looks_) {
        return false;
    }
    const auto waited = std::chrono::steady_clock::now() - begin_;
    if (waited < patience_) {
        return false;
    }
    const bool virtual_time = layer_.port.terms().virtual_time != 0;
    thread_state().polling.waited_in_vain += std::min(std::chrono::duration_cast<std::chrono::microseconds>(waited),
                                                      (virtual_time ? 1 : most_times_longer) * patience_);
    if (!decided_) {
        answer_freely(layer_, false);
    }
    return true;
}

void answer_nothing_yet(DistributedLayer& layer) {
    PollingStretch& polling = thread_state().polling;
    show_false_answers(layer, polling.choice.index, ++polling.false_answers);
    this_thread->false_answers.answer(layer);
}

bool another_could_answer(DistributedLayer& layer) {
    const PollingStretch& polling = thread_state().polling;
    for (std::uint32_t i = 0; i < polling.polls.size(); ++i) {
        if (i != polling.current && could_answer(layer, polling.polls[i])) {
            answer_freely(layer, false);
            return true;
        }
    }
    return false;
}

PollingStretch* end_polling(DistributedLayer& layer, std::uint32_t index) {
    PollingStretch& polling = thread_state().polling;
    if (!polling.open || polling.choice.index != index) {
        return nullptr;
    }
    close(layer, polling);
    return &polling;
}

void note_unanswered(DistributedLayer& layer, const PollingStretch& polling, const clocks::Match* match) {
    for (std::uint32_t i = 0; i < polling.polls.size(); ++i) {
        if (i != polling.current && replay::chooses_message(polling.polls[i].key.kind)) {
            match != nullptr ? layer.clocks.give_up(polling.choice.index, polling.polls[i].probe, *match)
                             : layer.clocks.give_up(polling.choice.index, polling.polls[i].probe);
        }
    }
}

void give_up_polling(DistributedLayer& layer, const Call& call, PollingStretch& polling) {
    const auto* decision = polling.choice.decision;
    const bool too_soon = decision != nullptr && polling.false_answers < decision->false_answers;
    if (decision != nullptr && !layer.diverged && !decision->open &&
        ((too_soon && !is_matter_of_time(layer, polling)) || !to_be_given_up(*decision))) {
        diverge(layer, call, polling.choice.index,
                "rank " + std::to_string(layer.rank()) +
                    " was to repeat a polling call that has answered \"nothing yet\" " + times(polling.false_answers) +
                    ", but has called " + call.function());
    }
    polling.current = 0;
    record_answer(layer, polling);
    const clocks::Match match = choose(layer, polling.choice, {}, {});
    if (replay::chooses_message(polling.poll().key.kind)) {
        layer.clocks.give_up(polling.choice.index, polling.poll().probe, match);
    }
    note_unanswered(layer, polling, &match);
    close(layer, polling);
}

}  // namespace dampi::piggyback::distributed
