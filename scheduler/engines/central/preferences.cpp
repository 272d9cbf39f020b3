#include "scheduler/engines/central/preferences.hpp"

#include "base/hash.hpp"

#include <algorithm>
#include <numeric>

namespace dampi::scheduler::central {
namespace {

constexpr std::uint64_t most_changes = 3;
/// A run has tens of choices, or thousands: each order of magnitude is as likely.
constexpr std::uint64_t first_horizon = 4;
constexpr std::uint64_t horizons = 8;

/// For so many choices of the run it holds what was drawn; then each is as likely, so that nobody is put off for ever.
std::uint64_t holds_for(std::uint64_t lot) {
    constexpr std::uint64_t shortest = 64;
    constexpr std::uint64_t lengths = 6;
    return shortest << lot % lengths;
}

}  // namespace

Preferences::Preferences(const Random& random) {
    constexpr std::uint64_t kinds = 4;
    const std::uint64_t kind = random() % kinds;
    if (kind < kinds / 2) {
        return;
    }
    kind_ = kind == kinds / 2 ? Kind::of_senders : Kind::of_channels;
    lot_ = random();
    const std::uint64_t count = random() % (most_changes + 1);
    const std::uint64_t horizon = first_horizon << random() % horizons;
    for (std::uint64_t i = 0; i < count; ++i) {
        changes_.push_back(random() % horizon);
    }
}

std::size_t Preferences::one(const std::vector<Channel>& channels, const Random& random) {
    if (kind_ == Kind::none || choices_ >= holds_for(lot_)) {
        return static_cast<std::size_t>(random() % channels.size());
    }
    std::vector<std::size_t> first;
    Turn lowest;
    for (std::size_t i = 0; i < channels.size(); ++i) {
        const Turn own = turn(channels[i]);
        if (first.empty() || own < lowest) {
            first.clear();
            lowest = own;
        }
        if (own == lowest) {
            first.push_back(i);
        }
    }
    const std::size_t chosen = first[static_cast<std::size_t>(random() % first.size())];
    made(channels[chosen]);
    return chosen;
}

std::vector<std::size_t> Preferences::some(const std::vector<Channel>& channels, const Random& random) {
    std::vector<std::size_t> chosen;
    if (kind_ == Kind::none || choices_ >= holds_for(lot_)) {
        const auto sure = static_cast<std::size_t>(random() % channels.size());
        for (std::size_t i = 0; i < channels.size(); ++i) {
            if (i == sure || random() % 3 != 0) {
                chosen.push_back(i);
            }
        }
        return chosen;
    }
    chosen.resize(channels.size());
    std::iota(chosen.begin(), chosen.end(), std::size_t{0});
    std::stable_sort(chosen.begin(), chosen.end(),
                     [&](std::size_t a, std::size_t b) { return turn(channels[a]) < turn(channels[b]); });
    chosen.resize(1 + static_cast<std::size_t>(random() % channels.size()));
    made(channels[chosen.front()]);
    std::sort(chosen.begin(), chosen.end());
    return chosen;
}

Channel Preferences::holder(const Channel& channel) const {
    return kind_ == Kind::of_senders ? Channel{channel.source, 0} : channel;
}

Preferences::Turn Preferences::turn(const Channel& channel) const {
    const Channel own = holder(channel);
    const auto put_back = static_cast<std::size_t>(std::find(last_.begin(), last_.end(), own) - last_.begin());
    return {put_back == last_.size() ? 0 : 1 + put_back, base::Hash(lot_)
                                                             .add(static_cast<std::uint64_t>(own.source))
                                                             .add(static_cast<std::uint64_t>(own.destination))
                                                             .value()};
}

void Preferences::made(const Channel& chosen) {
    if (std::find(changes_.begin(), changes_.end(), choices_++) != changes_.end()) {
        const Channel own = holder(chosen);
        std::erase(last_, own);
        last_.push_back(own);
    }
}

}  // namespace dampi::scheduler::central
