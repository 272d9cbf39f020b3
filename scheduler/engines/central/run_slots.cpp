#include "scheduler/engines/central/run_slots.hpp"

#include <utility>

#include <unistd.h>

namespace dampi::scheduler::central {
namespace {

/// A run that takes longer may do more than to exchange messages.
constexpr std::chrono::milliseconds longest_short_run{20};
/// What an answer takes at the most where ranks take turns; mostly it is some microseconds, and some hundred where each
/// waits until another processor has woken up and is free.
constexpr std::chrono::milliseconds longest_turn{2};

}  // namespace

bool takes_turns(const Pace& pace) {
    return pace.duration < longest_short_run || pace.duration / longest_turn < static_cast<std::int64_t>(pace.answers);
}

RunSlots::RunSlots() : first_(static_cast<int>(::getpid())) { launch::own_processors(); }

RunSlot RunSlots::take() {
    const std::lock_guard lock(mutex_);
    RunSlot slot;
    if (free_.empty()) {
        slot.number = made_++;
    } else {
        slot = std::move(free_.back());
        free_.pop_back();
    }
    slot.is_alone = static_cast<std::size_t>(made_) == free_.size() + 1;
    const auto& processors = launch::own_processors();
    const bool all_have_work = !processors.empty() && static_cast<std::size_t>(made_) >= processors.size();
    slot.processor = all_have_work && take_turns_
                         ? processors[static_cast<std::size_t>(first_ + slot.number) % processors.size()]
                         : launch::any_processor;
    return slot;
}

void RunSlots::put_back(RunSlot slot, const Pace& pace) {
    const std::lock_guard lock(mutex_);
    take_turns_ = takes_turns(pace);
    free_.push_back(std::move(slot));
}

}  // namespace dampi::scheduler::central
