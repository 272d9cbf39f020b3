// The clock of the Lazy Lamport Clocks Protocol (dissertation, section 5.1): one number. It counts only
// nondeterministic operations, so a program without any stays at zero.
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>

namespace dampi::clocks {

struct LamportClock {
    std::uint64_t value = 0;

    auto operator<=>(const LamportClock&) const = default;

    /// Rule R4: an epoch has matched.
    void advance() { ++value; }
    /// Rules R4 and R5: knowledge that came with a message or a collective.
    void merge(LamportClock other) { value = std::max(value, other.value); }

    /// Definition 5.1: a message that was sent at `*this` is late for an epoch whose final clock is
    /// `epoch`: its sender cannot have known that the epoch had matched.
    [[nodiscard]] bool is_late_for(LamportClock epoch) const { return value <= epoch.value; }
};

}  // namespace dampi::clocks
