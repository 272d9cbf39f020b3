// Decides when ranks are in loops outside MPI that they can never leave, while all others wait for them or for each
// other. That is known from what a rank does, not from how long it takes: so it holds in the first run, too, where
// nobody knows how long a rank may be away (hang.hpp). Pure: fed with pictures of the run.
#pragma once

#include "scheduler/judgement/rank_states.hpp"

#include <chrono>
#include <functional>
#include <vector>

namespace dampi::scheduler {

/// Whether the rank's main thread goes round in a loop for ever unless another process changes its memory
/// (launch::loops_for_ever()), or all its threads wait outside MPI and nobody is left to wake one
/// (launch::sleeps_for_ever()), which here is a loop as well. `idle_threads`: as in RankState. Takes some tenths of a
/// second, in which the rank gets on slowly.
using LoopsForEver = std::function<bool(base::Rank rank, const std::vector<pid_t>& idle_threads)>;

class EndlessLoops {
public:
    using Time = std::chrono::steady_clock::time_point;

    /// A rank that has been away from MPI for so long is looked at, and again whenever it has been away twice as long.
    static constexpr std::chrono::milliseconds first_look{2000};

    /// Give each picture of the run in turn. By rank: who is in such a loop; empty if there is none, or if somebody can
    /// still go on. `loops` is asked only where nothing else speaks against it.
    std::vector<bool> look(const std::vector<RankState>& states, const LoopsForEver& loops, Time now);

    /// After look() has found some: since when all of them have been away.
    [[nodiscard]] Time since() const { return since_; }

private:
    struct LastSeen {
        std::uint64_t activity = 0;
        Time since;
    };

    std::vector<LastSeen> last_;
    std::chrono::milliseconds next_look_ = first_look;
    Time since_;
};

}  // namespace dampi::scheduler
