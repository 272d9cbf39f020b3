// MPI_Cancel of a receive: whether it comes in time is an epoch. MPI decides that inside of the call, so it is asked
// there: the program may never wait for the request.
//
// Where no message could have met the receive, it is always in time. Where one could have, both outcomes are possible,
// but only one can be brought about in a guided run (waiting for the message); the result then says that this was not
// explored.
#pragma once

#include "clocks/lazy_clocks.hpp"
#include "piggyback/rank/call.hpp"
#include "piggyback/rank/requests.hpp"

#include <cstdint>
#include <vector>

namespace dampi::piggyback {

class Layer;

/// A receive that was cancelled in time.
struct CancelledReceive {
    base::ReceiveSpec spec;
    base::PostingOrder order = 0;
    std::uint32_t epoch = 0;
    clocks::Snapshot after;  ///< what the program knew when it was told
};

/// The request, for which MPI_Cancel was too late, has completed.
void conclude_cancel(Layer& layer, const Call& call, Request& request, bool in_time, const clocks::Snapshot& known);

/// A message was taken by the operation posted as `taken_by`, or by none: might it have met a receive that was
/// cancelled?
void check_cancelled(Layer& layer, const clocks::IncomingMessage& message, base::PostingOrder taken_by);

/// The same for all messages that nobody has taken when the run ends.
void check_cancelled_at_end(Layer& layer);

}  // namespace dampi::piggyback
