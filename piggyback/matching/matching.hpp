// Which message did a receive take? Receives complete in any order, but match in posting order; this part
// resolves them in matching order, takes each message's envelope, and feeds the clocks and the analysis.
// Epochs are opened here and their decisions obeyed.
#pragma once

#include "clocks/types.hpp"
#include "piggyback/call.hpp"
#include "piggyback/layer.hpp"
#include "replay/epoch.hpp"

#include <optional>

#include <mpi.h>

namespace dampi::piggyback {

/// Issues a receive or probe: gives it its place in the posting order and, if it is a wildcard, opens an
/// epoch and looks up its decision. `kind` names what is issued.
Posting post(Layer& layer, const Call& call, Communicator& communicator, int source, int tag, replay::EpochKind kind);

/// Makes a posted receive visible as pending until resolve() has seen it match. Its `handle` asks MPI.
void keep_pending(Layer& layer, const Call& call, Communicator& communicator, const Posting& posting,
                  MPI_Request handle, Request* request);
/// MPI has completed a pending receive: its request can no longer be asked.
void mark_completed(Layer& layer, clocks::PostingOrder order);
void drop_pending(Layer& layer, clocks::PostingOrder order);

/// The receive posted as `posting` is known to have taken a message: `source` (rank in the communicator) and
/// `tag` from its status. Resolves before it whatever must have matched before. Does not yet move the clock
/// by the message's (learn() does, when the program gets to know of it).
TakenMessage resolve(Layer& layer, const Call& call, Communicator& communicator, const Posting& posting, int source,
                     int tag);

/// The program gets to know of the message.
void learn(Layer& layer, const TakenMessage& message);

/// A probe has seen a message without taking it: the same, at once with learning.
void resolve_probe(Layer& layer, const Call& call, Communicator& communicator, const Posting& posting, int source,
                   int tag);

/// Whether the next epoch of this rank is decided to be something else than `kind` (a polling call must
/// then answer "nothing there", as it did in the run from which the decisions come).
bool next_epoch_is_other(Layer& layer, replay::EpochKind kind);

/// For the record at the end of a run: resolves every pending receive that has matched, as MPI tells.
void resolve_matched(Layer& layer);

}  // namespace dampi::piggyback
