// A message on its way out: its envelope is appended before MPI gets the message, so that it is there when
// the message arrives, and withdrawn when MPI refuses the message.
#pragma once

#include "piggyback/call.hpp"
#include "piggyback/layer.hpp"

#include <mpi.h>

namespace dampi::piggyback {

/// Whether the layer follows messages to (or from) this rank of a communicator; false for MPI_PROC_NULL and
/// for ranks that MPI will refuse. Counts communicators that the layer does not know as not modelled.
bool followed(Layer& layer, const Call& call, const Communicator* communicator, MPI_Comm comm, int peer);

/// Follows the request of an operation with MPI_PROC_NULL: like a send that is complete at once.
void follow_null_request(Layer& layer, const Call& call, Communicator& communicator, MPI_Request handle,
                         bool persistent);

Outgoing append_envelope(Layer& layer, const Call& call, Communicator& communicator, int destination, int tag,
                         bool synchronous);

/// MPI has refused the message, or cancelled it.
void withdraw(Layer& layer, const Outgoing& outgoing);

/// Whether the receiver's layer has seen the match.
[[nodiscard]] inline bool is_taken(const Outgoing& outgoing) {
    return outgoing.slot->state.load(std::memory_order_acquire) == replay::area::EnvelopeState::taken;
}

/// MPI has completed a synchronous send: waits for the receiver's layer to see the match (matching.hpp,
/// notice_matches()) and returns what its sender is to learn, null for nothing. Once per message. A receiver that is in
/// a call of the MPI library for long cannot answer: then it is presumed from its pending receives, and counted as not
/// modelled where that is not sure.
[[nodiscard]] clocks::Snapshot await_acknowledgement(Layer& layer, const Call& call, const Outgoing& outgoing,
                                                     const Communicator& communicator, clocks::Tag tag);

}  // namespace dampi::piggyback
