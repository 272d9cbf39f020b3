// How the watch over a run ended: by itself, or because something was found that ends it. Plain values.
#pragma once

#include "scheduler/judgement/rank_states.hpp"

#include <chrono>
#include <optional>
#include <vector>

namespace dampi::scheduler {

struct RunEnding {
    enum class Reason {
        finished,  ///< all processes have ended, or died and nobody was stuck before, or the run was stopped
        deadlock,
        livelock,
        hang,
        doubt,  ///< nothing happens any more, and something that was decided has not come
    };
    Reason reason = Reason::finished;
    bool cut_short = false;  ///< ended while ranks were computing
    bool certain = true;     ///< of a livelock: Livelock::certain(); of a hang: they are in EndlessLoops
    /// Of a livelock where time is virtual: so long it has passed since the last change.
    std::optional<std::chrono::nanoseconds> virtual_time = {};
    /// Of a livelock that is not certain: the run goes on, though it has lasted far longer than any before.
    bool overlong = false;
    std::vector<bool> ranks;         ///< by rank: who is in the deadlock, polls for ever, or does not come back
    std::vector<bool> stopped = {};  ///< of a hang, by rank: of them, who is stopped by a signal; may be empty
    std::vector<RankState> states;   ///< what each rank was doing
    std::chrono::steady_clock::time_point since;    ///< of a deadlock or a hang: the last change about these ranks
    std::chrono::steady_clock::time_point decided;  ///< when it was decided
};

}  // namespace dampi::scheduler
