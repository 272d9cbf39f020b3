#include "scheduler/engines/central/run_slots.hpp"

#include <utility>

namespace dampi::scheduler::central {
namespace {

/// A run that takes longer does more than to exchange messages.
constexpr std::chrono::milliseconds longest_short_run{20};

}  // namespace

RunSlots::RunSlots() { launch::own_processors(); }

RunSlot RunSlots::take() {
    const std::lock_guard lock(mutex_);
    RunSlot slot;
    if (free_.empty()) {
        slot.number = made_++;
    } else {
        slot = std::move(free_.back());
        free_.pop_back();
    }
    const auto& processors = launch::own_processors();
    const bool all_have_work = !processors.empty() && static_cast<std::size_t>(made_) >= processors.size();
    slot.processor = all_have_work && short_runs_
                         ? processors[static_cast<std::size_t>(slot.number) % processors.size()]
                         : launch::any_processor;
    return slot;
}

void RunSlots::put_back(RunSlot slot, std::chrono::steady_clock::duration duration) {
    const std::lock_guard lock(mutex_);
    short_runs_ = duration < longest_short_run;
    free_.push_back(std::move(slot));
}

}  // namespace dampi::scheduler::central
