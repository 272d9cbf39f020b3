// How much longer than in real time a rank sleeps in virtual time, before it takes that for granted: it may be that
// others wait for it outside MPI, so that they never seem to wait. The same in both engines.
#pragma once

#include <algorithm>
#include <chrono>

namespace dampi::replay {

/// `in_vain`: so much longer it has slept in all, and nothing came of it.
[[nodiscard]] constexpr std::chrono::nanoseconds sleeping_patience(std::chrono::nanoseconds in_vain) {
    constexpr std::chrono::nanoseconds longest = std::chrono::seconds(1);
    constexpr std::chrono::nanoseconds all = std::chrono::seconds(5);
    return std::clamp<std::chrono::nanoseconds>(all - in_vain, std::chrono::nanoseconds(0), longest);
}

}  // namespace dampi::replay
