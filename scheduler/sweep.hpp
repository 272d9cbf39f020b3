// A sweep: runs interleaving after interleaving on an engine, as an explorer asks for them, within a budget,
// and gathers what they show. Knows neither how interleavings are chosen nor how they are run.
#pragma once

#include "heuristics/budget.hpp"
#include "scheduler/execution_engine.hpp"
#include "scheduler/exploration/explorer.hpp"
#include "scheduler/sweep_result.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>

namespace dampi::scheduler {

/// Interleavings whose outcomes are kept for the report.
inline constexpr std::uint64_t default_outcomes_limit = 100'000;

struct SweepSettings {
    heuristics::BudgetLimits limits;
    std::uint64_t outcomes_limit = default_outcomes_limit;
    bool with_false_answers =
        false;  ///< runs that only differ in how often a polling call answered false are different
    const std::atomic<bool>* interrupted = nullptr;  ///< set from outside: end soon, with a result
    /// Called after each interleaving with the result so far and what is known to be left.
    std::function<void(const SweepResult&, std::uint64_t pending, std::uint64_t findings)> progress;
};

/// Runs until nothing is left or a bound is reached. Throws what the engine throws.
SweepResult run_sweep(ExecutionEngine& engine, Explorer& explorer, const SweepSettings& settings);

}  // namespace dampi::scheduler
