#include "scheduler/engines/central/delays.hpp"

#include <algorithm>

namespace dampi::scheduler::central {
namespace {

constexpr std::uint64_t most_delays = 3;
/// A run has tens of choices, or thousands: each order of magnitude is as likely.
constexpr std::uint64_t first_horizon = 8;
constexpr std::uint64_t horizons = 8;
/// Where polls are counted, giving up takes thousands of answers.
constexpr std::uint64_t first_length = 4;
constexpr std::uint64_t lengths = 10;
/// Where a clock is looked at, a time-out takes some tens of answers.
constexpr std::uint64_t steps_on_clocks = 8;

}  // namespace

Delays::Delays(const std::function<std::uint64_t()>& random) {
    const std::uint64_t count = random() % (most_delays + 1);
    are_there_ = count != 0;
    const std::uint64_t horizon = first_horizon << random() % horizons;
    for (std::uint64_t i = 0; i < count; ++i) {
        planned_.push_back({random() % horizon, first_length << random() % lengths});
    }
}

void Delays::look(const std::vector<Channel>& channels, const std::function<std::uint64_t()>& random) {
    const std::uint64_t choice = choices_++;
    for (const Planned& planned : planned_) {
        if (planned.choice == choice && !channels.empty()) {
            const Channel channel = channels[static_cast<std::size_t>(random() % channels.size())];
            if (!holds(channel)) {
                late_.push_back({channel, planned.steps});
            }
        }
    }
}

bool Delays::holds(const Channel& channel) const {
    return std::any_of(late_.begin(), late_.end(), [&channel](const Late& late) { return late.channel == channel; });
}

void Delays::pass_time(bool on_clocks) {
    for (Late& late : late_) {
        late.steps_left -= std::min(late.steps_left, on_clocks ? steps_on_clocks : 1);
    }
    std::erase_if(late_, [](const Late& late) { return late.steps_left == 0; });
}

void Delays::end() {
    late_.clear();
    planned_.clear();
}

}  // namespace dampi::scheduler::central
