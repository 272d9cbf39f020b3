// How the members of a window tell each other, beside MPI, what one-sided synchronisation orders: each signal carries
// the clock and the phase of the rank that gives it. A channel is one rank's signals of one kind about one member; to
// the port it is a communicator on which this rank alone enters collectives (transport/rank_port.hpp).
#pragma once

#include "clocks/clock.hpp"
#include "piggyback/distributed/layer.hpp"
#include "piggyback/distributed/one_sided/window.hpp"
#include "piggyback/rank/call.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace dampi::piggyback::distributed {

/// Gives a signal about a member, or all, from the call at `site`. `readers` members will take it in. `value` goes with
/// it.
void give(DistributedLayer& layer, std::uint64_t site, Window& window, Signal signal, int about, std::uint32_t readers,
          std::uint64_t value = 0);

/// Waits until each of these members has given its next signal about this rank, takes it in, and adds what they knew to
/// `known`. `kind` is what the wait is called outside.
void await(DistributedLayer& layer, const Call& call, Window& window, Signal signal, transport::WaitKind kind,
           const std::vector<int>& members, clocks::Clock& known);

/// Takes in these members' next signals about this rank without waiting: one that is not there yet teaches nothing.
void take_in(DistributedLayer& layer, Window& window, Signal signal, const std::vector<int>& members,
             clocks::Clock& known);

/// The value of the latest signal that has been taken in from this member about this rank.
[[nodiscard]] std::uint64_t value_taken_in(Window& window, Signal signal, int member);

/// The value of this member's latest signal about `about`; 0 if it has given none.
[[nodiscard]] std::uint64_t latest_value(DistributedLayer& layer, Window& window, Signal signal, int member, int about);

/// The same signal; nothing if there is none.
[[nodiscard]] std::optional<transport::Contribution> latest(DistributedLayer& layer, Window& window, Signal signal,
                                                            int member, int about);

/// Adds what each other member knew when it gave its latest signal about this member or all.
void add_latest(DistributedLayer& layer, Window& window, Signal signal, int about, clocks::Clock& known);

/// Whether another member has given this signal, whose value is the number of an end, about `about` or all in this
/// phase of the window or later, and this rank does not know that the end has come.
[[nodiscard]] bool may_last(DistributedLayer& layer, Window& window, Signal signal, int about);

}  // namespace dampi::piggyback::distributed
