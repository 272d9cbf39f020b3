// Budgets: when exploration must stop although something is left to run, and in which words that is said.
// A pure value, fed with the numbers of the sweep.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace dampi::heuristics {

/// The bounds that the user set; without any, exploration ends only when nothing is left.
struct BudgetLimits {
    std::optional<std::uint64_t> max_interleavings;       ///< 1 or more
    std::optional<std::chrono::milliseconds> time_limit;  ///< more than 0, of the whole sweep
    bool stop_on_first = false;
};

/// How far the sweep has come.
struct Spending {
    std::uint64_t explored = 0;           ///< interleavings that were run
    std::chrono::milliseconds elapsed{};  ///< wall time since the sweep's start
    std::uint64_t findings = 0;           ///< distinct violations
};

/// The bound that ended the sweep.
struct ReachedBound {
    std::string reason;    ///< "stop-on-first", "max-interleavings" or "time-limit"
    std::string sentence;  ///< for the user: which bound it was, and with which value
};

class Budget {
public:
    explicit Budget(BudgetLimits limits) : limits_(limits) {}

    /// Whether another interleaving must not be started, and why. Ask only when there is one left to run:
    /// a bound that is reached together with the end leaves nothing out. When several bounds are reached
    /// at once the first of stop-on-first, max-interleavings, time-limit is named.
    [[nodiscard]] std::optional<ReachedBound> reached(const Spending& spending) const;

    /// How long the interleaving that runs may still take (0 when the time is over); nothing: no limit.
    [[nodiscard]] std::optional<std::chrono::milliseconds> time_left(std::chrono::milliseconds elapsed) const;

    /// The words for a running interleaving that was ended because time_left() came to 0.
    [[nodiscard]] ReachedBound time_is_over() const;

private:
    BudgetLimits limits_;
};

}  // namespace dampi::heuristics
