// Makes the wait-for graph of ranks that can never go on, and finds what is at the heart of it: a cycle, a knot, or the
// ranks that wait for somebody who has ended. Does not decide who is stuck, and knows nothing of the program but the
// picture that it is given; the words for the reasons come from the caller. Deterministic.
#pragma once

#include "replay/wait_for_graph.hpp"
#include "scheduler/judgement/rank_states.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace dampi::scheduler {

/// A node keeps at most this many edges; the core is found before any is dropped.
inline constexpr std::size_t most_edges_of_a_node = 24;

/// What a provider would have to do so that `waiting` gets what it waits for.
using DescribeWait = std::function<std::string(base::Rank waiting, const Wait& wait)>;

/// `stuck[rank]`: the rank can never go on. Whoever else is named as a provider has ended.
///
/// The core is, if there is one, the shortest cycle in which each rank needs the next: nobody else could give it one of
/// the things that it lacks. Otherwise a smallest set of ranks that lock each other: each lacks something that only
/// ranks of the set could give (for a wait for any, all that it waits for), and no part of the set has this property.
/// Otherwise the ranks that lack something which nobody can give any more.
replay::WaitForGraph make_wait_for_graph(const std::vector<RankState>& states, const std::vector<bool>& stuck,
                                         const DescribeWait& describe);

/// What memory of a window a WaitKind::unlock is about: "rank 0's memory on MPI_Win_create of MPI_COMM_WORLD".
std::string locked_memory(const Wait& wait, std::string_view communicator);

/// The usual words: "send a message with tag 7 on MPI_COMM_WORLD". `call` is the MPI function in which the rank waits.
std::string needed_action(std::string_view call, const Wait& wait, std::string_view communicator);

}  // namespace dampi::scheduler
