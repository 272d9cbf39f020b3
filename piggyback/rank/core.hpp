// What a rank is to all of the layer: its port to the others and to dampi-run, the log, and what is known of the run
// and of the program's threads. Exists from the moment the library is loaded under dampi-run until the process ends,
// and is active between MPI_Init and MPI_Finalize. Knows nothing of MPI's objects (layer.hpp) and of no engine.
//
// All of it is used by one thread at a time (Call sees to that when the program runs several).
#pragma once

#include "replay/violation_kind.hpp"
#include "transport/board.hpp"
#include "transport/log.hpp"
#include "transport/rank_port.hpp"

#include <atomic>
#include <cstdint>
#include <string>

namespace dampi::piggyback {

/// One more, in a counter that only this rank writes (and one thread at a time).
inline void count_up(std::atomic<std::uint64_t>& counter) noexcept {
    counter.store(counter.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

class Core {
public:
    Core(const Core&) = delete;
    Core& operator=(const Core&) = delete;

    /// Null in a process that dampi-run did not start.
    static Core* current() noexcept { return current_; }
    /// From now on this process is that rank: when it becomes one (attach.cpp), or for a test. The core stays valid
    /// until another takes its place.
    static void make_current(Core* core) noexcept { current_ = core; }

    /// Whether MPI is initialised and not yet finalized, as the program sees it.
    [[nodiscard]] bool active() const noexcept { return active_; }
    void set_active(bool active) noexcept { active_ = active; }

    [[nodiscard]] transport::Board& board() const noexcept { return board_; }
    [[nodiscard]] base::Rank rank() const noexcept { return rank_; }
    [[nodiscard]] int size() const noexcept { return static_cast<int>(port.processes()); }

    /// Notes the time.
    void note(transport::Moment moment) noexcept;

    /// Counts a call of a function, or the use of a feature, that passes through without a model. `site`: where that
    /// is, if it is not the call that the rank is in.
    void count_not_modelled(const char* name, std::uint64_t site = 0) noexcept;

    /// Writes a violation to the log. `site` is a logged place (code_places.hpp), or 0 for none.
    void record_violation(replay::ViolationKind kind, const std::string& message, const char* function,
                          std::uint64_t site, const std::string& detail = "");
    /// Likewise something that is no violation.
    void record_note(replay::ViolationKind kind, const std::string& message, const char* function, std::uint64_t site);

    transport::RankPort& port;
    transport::LogWriter log;

    const bool record_stacks;       ///< call stacks and follow-ups are asked for
    const bool places_have_stacks;  ///< calls are told with their stacks
    const bool warns_unusual;       ///< --warn unusual
    const bool checks_buffers;      ///< transport::BufferChecks
    const bool notes_unchecked;     ///< what of them cannot be checked is said
    const bool crowded;             ///< more ranks than cores
    unsigned spins;                 ///< fruitless looks before a blocked rank yields its core

    bool locks_calls = false;       ///< several threads may come: each call takes the lock
    bool calls_at_once = false;     ///< several threads may be in MPI at once
    bool multithreaded = false;     ///< several threads have called MPI
    unsigned callbacks = 0;         ///< of the program's, which a call of its own runs (Call::ProgramRuns)
    bool unmodelled_calls = false;  ///< the program has made some: there may be receives that nobody knows
    /// The program has called MPI from inside of MPI, where nobody sees which handles it gets. From any thread.
    std::atomic<bool> misses_calls = false;

protected:
    /// The port lives as long as this.
    explicit Core(transport::RankPort& own_port);

private:
    static inline Core* current_ = nullptr;

    base::Rank rank_;
    transport::Board& board_;  ///< the port's board
    bool active_ = false;
};

}  // namespace dampi::piggyback
