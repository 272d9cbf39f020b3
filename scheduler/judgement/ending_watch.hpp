// Says how a run ends that does not end by itself: collects what was found about it, and decides which of it counts.
// The first finding does; after a rank has died only deadlocks that have nothing to do with it are still found, for
// whoever waits for it waits for ever. After a death or a deadlock the others go on for a while, so that what they do
// is seen. Does not decide who is in a deadlock (quiescence.hpp, stuck_ranks.hpp). Pure: fed with pictures of the run.
#pragma once

#include "scheduler/judgement/endless_loops.hpp"
#include "scheduler/judgement/hang.hpp"
#include "scheduler/judgement/livelock.hpp"
#include "scheduler/judgement/run_ending.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace dampi::scheduler {

struct EndingLimits {
    std::chrono::milliseconds livelock = default_livelock_limit;
    std::optional<std::chrono::milliseconds> certain_livelock = {};  ///< Livelock
    std::optional<std::chrono::milliseconds> hang = {};  ///< without it a rank may stay away from MPI for ever
    std::optional<std::chrono::milliseconds> run = {};   ///< so long a run may last whatever happens in it
    /// For so long no message may be sent or received, and no collective entered, while a decision is open.
    std::chrono::milliseconds doubt{60'000};
};

/// Whether something that was decided has not come (open_decisions.hpp).
using DecisionOpen = std::function<bool()>;

class EndingWatch {
public:
    using Time = std::chrono::steady_clock::time_point;

    /// The ranks that go on after something fatal get so much time.
    static constexpr std::chrono::milliseconds patience_after_fatal{2000};

    /// What was decided may be on its way to them for longer.
    static constexpr std::chrono::milliseconds patience_with_decisions{10'000};

    EndingWatch(const EndingLimits& limits, DecisionOpen decision_open);

    /// These ranks (by rank, as in `states`) can never go on, and nothing about them has changed since `since`. More of
    /// them may follow. After a death, only those of stuck_whoever_died().
    void note_deadlock(const std::vector<RankState>& states, const std::vector<bool>& stuck, Time since, Time now);

    /// Nobody goes on but by polling, and no time-out is to come: what the passing of virtual time has shown.
    /// `certain`: it is proven that those that poll only repeat it; so long time has passed in vain. Whether the run
    /// has to be ended.
    bool note_livelock(const std::vector<RankState>& states, bool certain, std::chrono::nanoseconds virtual_time,
                       bool death, Time now);

    /// The run is ended from outside, while ranks were computing.
    void cut_short() { ending_.cut_short = true; }

    /// The ranks have not polled in vain up to now: what they ask for may be there, but they are not told of it yet.
    void note_kept_waiting() { livelock_.begin_anew(); }

    /// Give each picture of the run in turn. Whether ranks poll for ever or do not come back to MPI, so that the run
    /// has to be ended. `death`: of a rank, by then.
    bool finds_no_headway(std::vector<RankState> states, const OthersSleep& others_sleep, const LoopsForEver& loops,
                          const ProcessorTimeOf& processor_time, bool death, Time now);

    /// Likewise: whether nothing has happened for so long that what was decided will hardly come. What only time says
    /// is no violation; the run says nothing.
    bool waits_in_vain(const std::vector<RankState>& states, bool death, Time now);

    /// Whether those that go on after a death or a deadlock have had their time, counted from the first call after it.
    bool nobody_needs_more_time(bool death, Time now);

    /// Nothing that ends the run is known so far.
    [[nodiscard]] bool nothing_noted() const {
        return ending_.reason == RunEnding::Reason::finished && fatal_since_ == Time{};
    }

    /// How the run has ended, once it is over; all that was noted.
    [[nodiscard]] RunEnding ending() && { return std::move(ending_); }

private:
    /// Whether the run has lasted far longer than runs do.
    bool is_overlong(const std::vector<RankState>& states, Time now);
    /// Asks now and then: it takes time to find out.
    bool decision_is_open(Time now);

    Livelock livelock_;
    EndlessLoops endless_loops_;
    std::optional<Hang> hang_;
    std::optional<std::chrono::milliseconds> run_limit_;
    Time begin_{};  ///< the first look
    std::chrono::milliseconds doubt_limit_;
    DecisionOpen decision_open_;
    bool decision_was_open_ = false;
    Time decision_asked_{};
    std::vector<std::uint64_t> traffic_;  ///< by rank, at the latest look
    Time quiet_since_{};                  ///< it has not changed
    Time fatal_since_{};
    RunEnding ending_;
};

}  // namespace dampi::scheduler
