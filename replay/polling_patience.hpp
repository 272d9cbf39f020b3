// How long a polling call waits for an answer before it says "nothing yet": the same in both engines, so that they
// explore the same runs. Any answer is allowed at any time, so this decides nothing but how many false answers there
// are. Who waits, and when else a call answers, is each engine's matter.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace dampi::replay {

/// For the next call of a rank. `repeated`: how many false answers the sequence that it belongs to has had. `in_vain`:
/// so long the rank has waited in all for what did not come. `answers`: how many false ones it may have counted.
/// `shortest`: what it makes sense to wait at the least. Zero: the rank is in haste.
[[nodiscard]] constexpr std::chrono::microseconds polling_patience(std::uint64_t repeated,
                                                                   std::chrono::microseconds in_vain,
                                                                   std::uint64_t answers,
                                                                   std::chrono::microseconds shortest) {
    // A message that is on its way comes within this time, even on a busy machine, if its sender does not compute. Each
    // further call of a sequence waits half as long: a program that polls until a time is over, or while it computes,
    // gets on.
    constexpr std::chrono::microseconds longest{100'000};
    // So does one that polls for many things in turn: a rank that has waited in vain for this long waits no longer.
    constexpr std::chrono::microseconds all{1'000'000};
    // And one that repeats a call so often may count how often: it gets its answers as fast as from MPI.
    constexpr std::uint64_t answers_before_haste = 1000;
    // So does one that has waited so long in short waits as well: it lives on false answers, perhaps millions of them.
    constexpr std::chrono::microseconds all_of_short_ones{500'000};
    if (in_vain < all) {
        return std::max(shortest, longest / (1U << std::min<std::uint64_t>(repeated, 20)));
    }
    return answers < answers_before_haste && in_vain < all + all_of_short_ones ? shortest
                                                                               : std::chrono::microseconds(0);
}

/// Where time is virtual it only passes while all ranks wait: so each call waits for long enough that it can be seen,
/// and of those in haste every now and then one.
[[nodiscard]] constexpr std::chrono::microseconds patience_in_virtual_time(std::chrono::microseconds patience,
                                                                           std::uint64_t repeated) {
    constexpr std::uint64_t calls_in_haste = 64;
    constexpr std::chrono::microseconds seen_in_haste{5000};
    constexpr std::chrono::microseconds seen{100'000};
    if (patience.count() == 0) {
        return repeated % calls_in_haste == 0 ? seen_in_haste : patience;
    }
    return std::max(patience, seen);
}

/// Likewise for one whose "nothing yet" is decided and waits for a timer of the program's, as in the run before: nobody
/// loses patience because others are slow. But they may wait for the rank outside MPI.
inline constexpr std::chrono::microseconds patience_with_decided{10'000'000};

}  // namespace dampi::replay
