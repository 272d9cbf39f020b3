#include "piggyback/rank/threads/false_answers.hpp"

#include "piggyback/rank/core.hpp"

#include <unistd.h>

namespace dampi::piggyback {
namespace {

/// Between a false answer and the next question, of a program that does nothing in between.
constexpr auto idle_time = std::chrono::microseconds(5);

using Time = std::chrono::steady_clock::time_point;

}  // namespace

transport::Board::PollingThread* FalseAnswers::shown(Core& core) {
    auto& header = core.board();
    const std::uint32_t count = header.polling_thread_count.load(std::memory_order_relaxed);
    if (shown_ == nullptr && count < transport::most_polling_threads) {
        shown_ = &header.polling_threads[count];
        shown_->id.store(gettid(), std::memory_order_relaxed);
        header.polling_thread_count.store(count + 1, std::memory_order_release);
    }
    return shown_;
}

void FalseAnswers::come() {
    if (answered_ != Time{}) {
        came_ = std::chrono::steady_clock::now();
    }
}

void FalseAnswers::ask(Core& core) {
    if (answered_ != Time{} && (came_ > answered_ ? came_ : std::chrono::steady_clock::now()) - answered_ < idle_time) {
        if (auto* thread = shown(core)) {
            count_up(thread->idle_false_answers);
        }
    }
    answered_ = {};
}

void FalseAnswers::repeats(Core& core, std::uint32_t calls) {
    if (calls != 0 || shown_ != nullptr) {
        if (auto* thread = shown(core)) {
            thread->repeats.store(calls, std::memory_order_release);
        }
    }
}

void FalseAnswers::answer(Core& core) {
    if (auto* thread = shown(core)) {
        count_up(thread->false_answers);
    }
    answered_ = std::chrono::steady_clock::now();
}

}  // namespace dampi::piggyback
