#include "piggyback/central/rank_side.hpp"
#include "piggyback/rank/repetition.hpp"
#include "piggyback/rank/time/virtual_time.hpp"

#include "piggyback/central/wrapping.hpp"
#include "piggyback/rank/lifecycle/crash.hpp"
#include "piggyback/rank/lifecycle/environment.hpp"
#include "piggyback/rank/lifecycle/prepare.hpp"
#include "piggyback/rank/lifecycle/rewind.hpp"
#include "piggyback/rank/situation.hpp"
#include "transport/memory/memory_port.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <memory>

#include <unistd.h>

namespace dampi::piggyback::central {
namespace {

/// A rank whose run is over. dampi-run ends the process.
[[noreturn]] void wait_for_the_end(Layer& layer) {
    write_situation(layer, Asking::layer);
    layer.board().settled_round.store(transport::epilogue_round, std::memory_order_release);
    for (;;) {
        pause();
    }
}

}  // namespace

namespace {

/// Calls a function that throws only when the system refuses something.
template <typename Function>
void or_end(Function&& function) noexcept {
    try {
        function();
    } catch (const std::exception& error) {
        std::fprintf(stderr, "dampi: %s\n", error.what());
        _exit(transport::layer_gave_up);
    }
}

void leave_run() noexcept {
    or_end([] {
        transport::memory::MemoryPort::of_process()->area().file().let_go();
        RankSide::current()->exchange.file().let_go();
    });
}

void enter_run(const char* area, const char* exchange) noexcept {
    or_end([&] {
        DAMPI_CHECK(area != nullptr && exchange != nullptr);
        transport::memory::MemoryPort::of_process()->area().file().attach_again(area);
        RankSide::current()->exchange.file().attach_again(exchange);
    });
    record_crashes(*Layer::current());
    this_thread->id = gettid();
    this_thread->false_answers = {};  // they are shown under this number
}

}  // namespace

void RankSide::become_part_of_snapshot() { hold_snapshot({.leave = leave_run, .enter = enter_run}); }

void attach(const char* path) {
    RankSide::current_ =
        new RankSide(transport::requests::Exchange::attach(path, kept_mappings()), Layer::current()->rank());
    RankSide::current_->moments.begin(Layer::current()->rank());
    if (RankSide::current_->exchange.header().compares_states != 0) {
        RankSide::current_->history.follow();
    }
}

RankSide::RankSide(transport::requests::Exchange shared, base::Rank own)
    : exchange(std::move(shared)), writer_(exchange, own), payload_(exchange, own) {}

void RankSide::serve(const Call& call, Answer::What what) {
    switch (what) {
        case Answer::What::timer:
            let_timers_go_off(Layer::current()->port.granted());
            writer_.post(transport::requests::TimerCall{});
            exchange.ring_doorbell();
            return;
        case Answer::What::snapshot:
            return become_part_of_snapshot();
        case Answer::What::state:
            return tell_state(call);
        case Answer::What::repetition:
            return find_repetition(call);
        case Answer::What::leave:
            come_back_early();
            _exit(0);  // dampi-run waits for that, and knows why
        case Answer::What::result:
        case Answer::What::epilogue:
            break;
    }
    stop();
}

transport::requests::Situation RankSide::place_of(const Call& call) const {
    transport::requests::Situation place;
    place.site = call.site();
    place.function = call.function();
    return place;
}

transport::requests::Situation RankSide::epoch_of(const Call& call, bool first) {
    transport::requests::Situation place = place_of(call);
    if (!first) {
        return place;
    }
    Layer& layer = *Layer::current();
    const Brackets::Bracket bracket = layer.brackets.innermost();
    place.zone = layer.zone;
    place.bracketed = bracket.self_run_only ? 1U : 0U;
    place.mixing_bound = bracket.mixing_bound.value_or(transport::requests::Situation::no_mixing_bound);
    if (layer.record_stacks) {
        place.stack = layer.call_stacks.number(layer, call.site());
    }
    place.previous_follow_up = layer.follow_up.begin_epoch();
    return place;
}

transport::requests::PollingTurn RankSide::take_polling_turn(const Call& call, PollingCall polling) {
    Layer& layer = *Layer::current();
    this_thread->false_answers.ask(layer);
    const auto known = std::find(polls_.begin(), polls_.end(), polling);
    transport::requests::PollingTurn turn;
    turn.poll = static_cast<std::uint32_t>(known - polls_.begin());
    if (turn.poll == replay::most_polls) {
        end_polling();
        turn.poll = 0;
    }
    poll_is_new_ = turn.poll == polls_.size();
    if (poll_is_new_) {
        polls_.push_back(std::move(polling));
    }
    turn.begins = turn.poll == 0 && false_answers_ == 0 ? 1 : 0;
    if (turn.begins != 0) {
        clock_looks_ = this_thread->clock_looks;
        const auto found = known_repetition(layer, call.return_address());
        turn.may_be_tried = found ? 0 : 1;
        turn.repetition = found ? static_cast<std::uint32_t>(found->repetition) : 0;
        looks_at_clock_ = found && found->looks_at_clock;
    } else {
        note_repetition(layer, call.function(), call.return_address(), false_answers_);
    }
    turn.timed = looks_at_clock_ || this_thread->clock_looks != clock_looks_ ? 1 : 0;
    return turn;
}

std::optional<FoundRepetition> RankSide::repetition_elsewhere(const Call& call) {
    const auto state = repetition_state(call);
    if (!state) {
        return std::nullopt;
    }
    writer_.hand_over(transport::requests::RepetitionStateCall{.low = state->low, .high = state->high});
    const Answer answer = await_answer();
    if (answer.what != Answer::What::repetition) {
        serve(call, answer.what);  // the run is over
    }
    if (answer.repetition == 0 || answer.repetition > static_cast<std::uint32_t>(replay::last_repetition)) {
        return std::nullopt;
    }
    return FoundRepetition{.repetition = static_cast<replay::Repetition>(answer.repetition),
                           .turns_after = answer.turns_after,
                           .round = answer.round};
}

void RankSide::find_repetition(const Call& call) {
    const FoundRepetition found =
        try_repetition(*Layer::current(), call.function(), call.return_address(), repetition_elsewhere(call));
    looks_at_clock_ = found.looks_at_clock;
    writer_.post(transport::requests::RepetitionCall{.repetition = static_cast<std::uint32_t>(found.repetition),
                                                     .turns_after = found.turns_after,
                                                     .round = found.round,
                                                     .timed = looks_at_clock_ ? 1U : 0U});
    exchange.ring_doorbell();
}

void RankSide::end_polling() {
    tell_unasked();
    if (!polls_.empty()) {
        this_thread->false_answers.repeats(*Layer::current(), 0);
    }
    polls_.clear();
    false_answers_ = 0;
}

Answer RankSide::answer_unasked(const Call& call) {
    if (moments.wanted()) [[unlikely]] {
        moments.note(call);
    }
    --unasked_left_;
    ++unasked_;
    Answer answer;
    answer.flag = 0;
    answer.in_time = unasked_in_time_;
    return answer;
}

void RankSide::tell_unasked() {
    unasked_left_ = 0;
    if (unasked_ != 0) {
        tell(transport::requests::UnaskedCall{.false_answers = std::exchange(unasked_, 0)});
    }
}

void RankSide::note_false_answer(const Answer& answer) {
    ++false_answers_;
    pass_with_answer(answer.in_time);
    this_thread->false_answers.answer(*Layer::current());
}

void RankSide::refuse_threads() {
    writer_.ask(transport::requests::RefusedCall{.function = "MPI_Init_thread with several threads that call MPI"});
    stop();
}

void RankSide::stop() { wait_for_the_end(*Layer::current()); }

void RankSide::finish_freed(const Call& call, Answer& answer) {
    const auto last = std::stable_partition(answer.completions.begin(), answer.completions.end(),
                                            [](const auto& completion) { return completion.freed == 0; });
    for (auto at = last; at != answer.completions.end(); ++at) {
        const auto kept =
            std::find_if(freed_.begin(), freed_.end(), [&](const auto& each) { return each.first == at->operation; });
        if (kept == freed_.end()) {
            release(at->payload);
            continue;
        }
        const Arrival arrival = std::move(kept->second);
        freed_.erase(kept);
        arrival(call, *at);
    }
    answer.completions.erase(last, answer.completions.end());
}

void RankSide::end_by_abort(int code) {
    tell(transport::requests::AbortCall{.code = code});
    exchange.ring_doorbell();
    for (;;) {
        pause();
    }
}

void refuse(const Call& call) noexcept {
    RankSide* side = RankSide::current();
    DAMPI_CHECK(side != nullptr);
    side->ask(call, transport::requests::RefusedCall{.function = call.function()});
    DAMPI_CHECK(!"the answer to a refused call is the end of the run");
    __builtin_unreachable();
}

void end_polling() noexcept {
    if (RankSide* side = RankSide::current()) {
        side->end_polling();
    }
}

}  // namespace dampi::piggyback::central
