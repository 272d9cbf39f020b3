// Collectives of different communicators that ranks enter in different orders: a deadlock whose cause is known. Rank 0
// has entered MPI_Barrier on A and waits for rank 1, which has entered MPI_Barrier on B and waits for rank 0.
#pragma once

#include "scheduler/judgement/rank_states.hpp"

#include <cstdint>
#include <vector>

namespace dampi::scheduler {

/// One rank of such a cycle: the collective that it has entered and that the next rank in the cycle (after the last:
/// the first) has not.
struct OrderStep {
    base::Rank rank = 0;
    base::CommId comm = 0;
    std::uint64_t sequence = 0;

    bool operator==(const OrderStep&) const = default;
};

/// Of ranks that can never go on: the shortest cycle of ranks that each wait in a collective for the next one, on at
/// least two communicators. It begins with its lowest rank; of several the one that begins with the lowest. Empty if
/// there is none. `states` are all ranks', by rank.
[[nodiscard]] std::vector<OrderStep> find_collective_order(const std::vector<RankState>& states);

}  // namespace dampi::scheduler
