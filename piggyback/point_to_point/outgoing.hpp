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

Outgoing append_envelope(Layer& layer, const Call& call, Communicator& communicator, int destination, int tag,
                         bool synchronous);

/// MPI has refused the message, or cancelled it.
void withdraw(Layer& layer, const Outgoing& outgoing);

/// A synchronous send has completed: the program learns what the receiver knew when it posted the receive.
/// Where the receiver's layer has not yet seen the match, this is found among its pending receives; only for
/// a receiver that is just returning from a blocking receive is there a moment to wait.
void await_acknowledgement(Layer& layer, const Outgoing& outgoing, const Communicator& communicator, clocks::Tag tag);

}  // namespace dampi::piggyback
