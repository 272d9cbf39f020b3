// Which ranks can never go on, by the facts of one picture: each of them lacks something that nobody but ranks of the
// same set could provide, or ranks that have ended. Decides nothing about whether the picture is to be trusted
// (quiescence.hpp does); other ranks may compute, poll, or go on in any way.
#pragma once

#include "scheduler/judgement/rank_states.hpp"

#include <vector>

namespace dampi::scheduler {

/// Its process exists and has not left MPI_Finalize.
[[nodiscard]] inline bool live(const RankState& state) { return state.alive && !state.finalized; }

/// A picture of a rank for which nobody can do anything: to see who is stuck if that one is.
[[nodiscard]] RankState without_way_out();

enum class Polling {
    goes_on,  ///< a polling rank may answer "nothing yet" and do anything, and one that sleeps wakes up
    waits,    ///< a polling rank waits like any other, and one that sleeps does so for ever
};

/// By rank. The largest set of live, blocked ranks such that each one's wait for all (for any) contains a wait (only
/// contains waits) that is not satisfied now and that only ranks of the set, or ranks that have ended, could satisfy.
/// A rank that waits for something unknown is never in it.
std::vector<bool> stuck_ranks(const std::vector<RankState>& states, Polling polling);

/// Likewise, but only those whom no rank that has died could have helped, had it lived: whoever waits for the dead
/// shows what their death has led to, and no fault of its own. To die is to end without having left MPI_Finalize.
std::vector<bool> stuck_whoever_died(std::vector<RankState> states, Polling polling);

}  // namespace dampi::scheduler
