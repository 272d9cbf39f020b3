// A sweep: runs interleavings on an engine, as an explorer asks for them, several at the same time if wanted, within a
// budget, and gathers what they show. Knows neither how interleavings are chosen nor how they are run.
#pragma once

#include "heuristics/budget.hpp"
#include "heuristics/size_estimate.hpp"
#include "scheduler/engines/execution_engine.hpp"
#include "scheduler/exploration/explorer.hpp"
#include "scheduler/sweep/sweep_account.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>

namespace dampi::scheduler {

/// How far a sweep has come, for whoever watches it.
struct SweepProgress {
    std::uint64_t explored = 0;
    std::uint64_t trials = 0;  ///< further runs, also of random walks
    std::uint64_t running = 0;
    std::uint64_t pending = 0;                     ///< known to be left
    std::uint64_t findings = 0;                    ///< distinct violations
    double part_done = 0;                          ///< Explorer::progress()
    std::optional<heuristics::SizeEstimate> size;  ///< Explorer::estimate()
};

/// Keeps what a sweep does, so that it is not lost (scheduler/sweep/sweep_journal.hpp). One thread at a time, but
/// wait_until_kept().
class SweepKeeper {
public:
    virtual ~SweepKeeper() = default;
    /// Called for each run before the explorer and the account take it in. False when it is larger than what can be
    /// kept of a run: then it is not kept. Throws dampi::Error when nothing can be kept any more.
    [[nodiscard]] virtual bool keep(const SweepEntry& entry) = 0;
    /// Called now and then after they have taken it in: all that was kept so far may be replaced by this.
    virtual void compact(const Explorer& explorer, const SweepAccount& account) = 0;
    /// Returns when all that was kept will stay, whatever happens. From any thread.
    virtual void wait_until_kept() = 0;
};

struct SweepSettings {
    heuristics::BudgetLimits limits;
    unsigned jobs = 1;                               ///< runs at the same time, at most
    const std::atomic<bool>* interrupted = nullptr;  ///< set from outside: end soon, with a result
    SweepKeeper* keeper = nullptr;                   ///< null: nothing is kept
    /// What may only have been held up is run again at once, a few times. Not where runs end in states in which earlier
    /// ones have been: it would meet itself.
    bool repeats_doubts = false;
    /// Called ten times a second, by a thread of its own, also while the sweep is busy with a run that was taken in.
    std::function<void(const SweepProgress&)> progress;
    /// Called with the number of each run that was taken in, and of those whose output findings need. One thread at a
    /// time.
    std::function<void(std::uint64_t number, const SweepAccount& account)> taken_in;
    /// Called before, with each run that is over and was not made only to try something out. One thread at a time.
    std::function<void(const replay::Interleaving&, const replay::RunRecord&)> look;
};

/// Runs until nothing is left or a bound is reached. Explorer and account may have taken in an earlier part of the same
/// sweep. `engine.run` is called by several threads. Throws what the engine and the keeper throw, after the running
/// interleavings have been stopped; what was taken in until then is kept.
SweepResult run_sweep(ExecutionEngine& engine, Explorer& explorer, SweepAccount& account,
                      const SweepSettings& settings);

}  // namespace dampi::scheduler
