#include "piggyback/distributed/completion/polling.hpp"

#include "piggyback/distributed/divergence.hpp"
#include "piggyback/distributed/layer.hpp"
#include "piggyback/distributed/matching/matching.hpp"
#include "piggyback/distributed/progress.hpp"
#include "piggyback/distributed/waiting.hpp"
#include "replay/polling_patience.hpp"

#include <string>
#include <utility>

namespace dampi::piggyback::distributed {
namespace {

using namespace std::chrono_literals;

// What a call waits at the least while it is not in haste (replay/polling_patience.hpp).
constexpr auto shortest_patience = 100us;

// Where time is virtual a call waits for so many looks at the least: until then dampi-run has asked whether the rank is
// blocked, and got its answer, however busy the machine is.
constexpr std::uint32_t looks_until_seen = 300;

// A rank in haste gives its core away after so many false answers, where each rank could have one of its own; natively
// it would not.
constexpr std::uint32_t calls_per_turn = 64;

/// Whether the answer that is decided for the sequence is "nothing yet" only, and then something else by the program.
bool to_be_given_up(const transport::RankDecision& decision) {
    return decision.source == base::any_source && decision.completed.empty();
}

std::string times(std::uint32_t count) { return count == 1 ? "once" : std::to_string(count) + " times"; }

void show_false_answers(const DistributedLayer& layer, std::uint32_t epoch, std::uint32_t false_answers) {
    auto& header = layer.board();
    header.polling_epoch.store(epoch, std::memory_order_relaxed);
    header.polling_false_answers.store(false_answers, std::memory_order_release);
}

void close(const DistributedLayer& layer, PollingSequence& polling) {
    polling.open = false;
    this_thread->false_answers.repeats(*DistributedLayer::current(), false);
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

bool continues_polling(DistributedLayer& layer, const Call& call, const PollingKey& key) {
    this_thread->false_answers.ask(layer);
    const PollingSequence& polling = thread_state().polling;
    if (polling.open && polling.key == key) {
        show_false_answers(layer, polling.choice.index, 0);
        return true;
    }
    end_open_polling(call);
    return false;
}

void begin_polling(PollingKey key, const Choice& choice) {
    PollingSequence& polling = thread_state().polling;
    polling = {.open = true,
               .key = std::move(key),
               .choice = choice,
               .false_answers = 0,
               .waited_in_vain = polling.waited_in_vain};
}

PollingAnswer next_answer(DistributedLayer& layer, const Call& call) {
    PollingSequence& polling = thread_state().polling;
    const auto*& decision = polling.choice.decision;
    if (layer.diverged) {
        decision = nullptr;
    }
    if (decision == nullptr) {
        return PollingAnswer::free;
    }
    if (polling.false_answers < decision->false_answers) {
        make_progress();
        answer_nothing_yet(layer);
        waiting_detail::yield(layer);
        return PollingAnswer::nothing_yet;
    }
    if (decision->open) {
        return PollingAnswer::free;
    }
    if (to_be_given_up(*decision)) {
        diverge(layer, call, polling.choice.index,
                "rank " + std::to_string(layer.rank()) + " was to go on after " + call.function() +
                    " has answered \"nothing yet\" " + times(polling.false_answers) + ", but has asked again");
        decision = nullptr;
        return PollingAnswer::free;
    }
    return PollingAnswer::decided;
}

Patience::Patience(DistributedLayer& layer) : layer_(layer), released_(layer.board()) {
    const PollingSequence& polling = thread_state().polling;
    if (layer.multithreaded) {
        patience_ = 0us;  // another thread may have to go on before anything comes
    } else {
        patience_ = replay::polling_patience(polling.false_answers, polling.waited_in_vain, polling.false_answers,
                                             shortest_patience);
        if (layer.port.terms().virtual_time != 0) {
            patience_ = replay::patience_in_virtual_time(patience_, polling.false_answers);
            least_looks_ = looks_until_seen;
        }
        if (patience_ == 0us && (layer.crowded || polling.false_answers % calls_per_turn == 0)) {
            waiting_detail::yield(layer);
        }
    }
    if (patience_ != 0us) {
        end_ = std::chrono::steady_clock::now() + patience_;
    }
}

bool Patience::over() {
    if (released_.is(layer_.board())) {
        return true;
    }
    const bool over = patience_ == 0us || (++looks_ >= least_looks_ && std::chrono::steady_clock::now() >= end_);
    if (over) {
        thread_state().polling.waited_in_vain += patience_;
    }
    return over;
}

void answer_nothing_yet(DistributedLayer& layer) {
    PollingSequence& polling = thread_state().polling;
    show_false_answers(layer, polling.choice.index, ++polling.false_answers);
    this_thread->false_answers.answer(layer);
}

PollingSequence* end_polling(DistributedLayer& layer, std::uint32_t index) {
    PollingSequence& polling = thread_state().polling;
    if (!polling.open || polling.choice.index != index) {
        return nullptr;
    }
    close(layer, polling);
    return &polling;
}

void give_up_polling(DistributedLayer& layer, const Call& call, PollingSequence& polling) {
    const auto* decision = polling.choice.decision;
    if (decision != nullptr && !layer.diverged &&
        (polling.false_answers < decision->false_answers || (!decision->open && !to_be_given_up(*decision)))) {
        diverge(layer, call, polling.choice.index,
                "rank " + std::to_string(layer.rank()) +
                    " was to repeat a polling call that has answered \"nothing yet\" " + times(polling.false_answers) +
                    ", but has called " + call.function());
    }
    record_answer(layer, polling.choice, polling.false_answers);
    const clocks::Match match = choose(layer, polling.choice, {}, {});
    if (chooses_message(polling.key.kind)) {
        layer.clocks.give_up(polling.choice.index, polling.choice.probe, match);
    }
    close(layer, polling);
}

}  // namespace dampi::piggyback::distributed
