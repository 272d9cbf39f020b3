#include "scheduler/engines/central/room.hpp"

#include "base/check.hpp"

#include <algorithm>
#include <utility>

namespace dampi::scheduler::central {

using clocks::Clock;
using clocks::Snapshot;

/// What is not there any more was received, and the program knows.
const Room::Taken& Room::at(RoomUse use) const {
    static const Taken known{.bytes = 0, .receiver = 0, .freed = Snapshot(Clock()), .kept = false};
    const auto found = taken_.find(use);
    return found == taken_.end() ? known : found->second;
}

template <typename Counts>
std::uint64_t Room::sum(const RoomUses& uses, Counts&& counts) const {
    std::uint64_t bytes = 0;
    for (const RoomUse use : uses) {
        bytes += counts(use) ? at(use).bytes : 0;
    }
    return bytes;
}

/// How many bytes of `uses` must have been received before the last one has room.
std::uint64_t Room::needed(const RoomUses& uses, std::uint64_t size) const {
    const std::uint64_t all = sum(uses, [](RoomUse) { return true; });
    return all > size ? all - size : 0;
}

template <typename Free>
void Room::forget(Free&& is_free) {
    std::erase_if(open_, [&](RoomUse use) {
        const auto taken = taken_.find(use);
        if (!is_free(use, taken->second)) {
            return false;
        }
        bytes_ -= taken->second.bytes;
        if (!taken->second.kept) {
            taken_.erase(taken);
        }
        return true;
    });
}

RoomUse Room::take(std::uint64_t bytes, base::Rank receiver, std::uint64_t size, const Clock& known) {
    bytes_ += bytes;
    if (!fits_anyway(size)) {
        forget([&](RoomUse, const Taken& taken) { return taken.freed && known.contains(taken.freed->clock); });
    }
    open_.push_back(++last_);
    taken_.emplace(last_, Taken{.bytes = bytes, .receiver = receiver, .freed = {}, .kept = false});
    return last_;
}

void Room::free(RoomUse use, const Snapshot& freed) {
    if (const auto found = taken_.find(use); found != taken_.end()) {
        found->second.freed = freed;
    }
}

RoomUses Room::up_to(RoomUse last) const {
    const auto end = std::upper_bound(open_.begin(), open_.end(), last);
    return end == open_.begin() || *(end - 1) != last ? RoomUses{last} : RoomUses(open_.begin(), end);
}

bool Room::fits(const RoomUses& uses, std::uint64_t size) const {
    return sum(uses, [&](RoomUse use) { return !at(use).freed; }) <= size;
}

std::vector<base::Rank> Room::receivers(const RoomUses& uses) const {
    std::vector<base::Rank> ranks;
    for (const RoomUse use : uses) {
        if (!at(use).freed) {
            ranks.push_back(at(use).receiver);
        }
    }
    std::sort(ranks.begin(), ranks.end());
    ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
    return ranks;
}

void Room::keep(const RoomUses& uses) {
    for (const RoomUse use : uses) {
        if (const auto found = taken_.find(use); found != taken_.end()) {
            found->second.kept = true;
        }
    }
}

Room::Way Room::way(const RoomUses& uses, std::uint64_t size, const Clock& known) {
    const RoomUse own = uses.back();
    const std::uint64_t least = needed(uses, size);
    Way way;
    Clock told;
    std::uint64_t freed = 0;
    // What is known anyway comes first.
    for (const bool anyway : {true, false}) {
        for (const RoomUse use : uses) {
            const Taken& taken = at(use);
            if (freed < least && use != own && taken.freed && known.contains(taken.freed->clock) == anyway) {
                freed += taken.bytes;
                told.merge(taken.freed->clock);
                way.used.push_back(use);
            }
        }
    }
    const Snapshot& received = at(own).freed;
    if (freed < least || (received && !received->clock.contains(told))) {
        DAMPI_CHECK(received);
        told = received->clock;
        way.used = {own};
    }
    if (!way.used.empty() && !known.contains(told)) {
        way.told = Snapshot(std::move(told));
        keep(uses);
        asked_.push_back({.uses = uses, .used = way.used, .known = known});
    }
    return way;
}

void Room::learn(const RoomUses& used) {
    forget([&](RoomUse use, const Taken&) { return std::find(used.begin(), used.end(), use) != used.end(); });
}

std::uint64_t Room::could_differ(std::uint64_t size) const {
    return static_cast<std::uint64_t>(std::count_if(asked_.begin(), asked_.end(), [&](const Asked& asked) {
        const RoomUse own = asked.uses.back();
        const std::uint64_t least = needed(asked.uses, size);
        return std::any_of(asked.used.begin(), asked.used.end(), [&](RoomUse used) {
            const Clock& told = at(used).freed->clock;
            const auto does_without = [&](RoomUse other) {
                return at(other).freed && !at(other).freed->clock.contains(told);
            };
            const auto makes_room = [&](RoomUse other) { return other != own && does_without(other); };
            return !asked.known.contains(told) && (does_without(own) || sum(asked.uses, makes_room) >= least);
        });
    }));
}

}  // namespace dampi::scheduler::central
