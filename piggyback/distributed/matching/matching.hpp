// Which message did a receive take? Receives complete in any order, but match in posting order; this part
// resolves them in matching order, takes each message's envelope, feeds the clocks and writes the record.
// Epochs are opened here and their decisions obeyed.
#pragma once

#include "base/types.hpp"
#include "piggyback/distributed/layer.hpp"
#include "piggyback/distributed/thread_state.hpp"
#include "piggyback/rank/call.hpp"
#include "piggyback/rank/library_values.hpp"
#include "replay/epoch.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <mpi.h>

namespace dampi::piggyback::distributed {

// ---- receives and probes ---------------------------------------------------------------------------------

/// Issues a receive or blocking probe: gives it its place in the posting order and, if it is a wildcard, opens an
/// epoch and looks up its decision. `kind` names what is issued; `data` is what a receive receives.
Posting post(DistributedLayer& layer, const Call& call, Communicator& communicator, int source, int tag,
             replay::EpochKind kind, const transport::TypedData& data = {});

/// The value that a posted receive carries for the sender of the message that it takes, to be set while MPI is called.
inline std::uint64_t value_of(const DistributedLayer& layer, const Posting& posting) {
    return value_of(Named{.rank = layer.rank(), .number = posting.posted.order});
}

/// Makes a posted receive visible as pending until it is known to have matched. Its `handle` asks MPI. If that becomes
/// known before resolve() is called for it, `taken` is set, and resolve() must not be called. Both `posting` and
/// `taken` must stay where they are until then.
void keep_pending(DistributedLayer& layer, const Call& call, Communicator& communicator, const Posting& posting,
                  MPI_Request handle, std::optional<TakenMessage>& taken);
/// MPI has completed a pending receive: its request can no longer be asked.
void mark_completed(DistributedLayer& layer, base::PostingOrder order);
/// A receive or probe is gone without a match: cancelled, or refused by MPI.
void drop(DistributedLayer& layer, const clocks::Posted& posted);

/// The receive posted as `posting` is known to have taken a message, all of which has come: `source` (rank in the
/// communicator) and `tag` from its status. Resolves before it whatever must have matched before. Does not yet move the
/// clock by the message's (learn() does, when the program gets to know of it).
TakenMessage resolve(DistributedLayer& layer, const Call& call, Communicator& communicator, const Posting& posting,
                     int source, int tag);
/// Resolves a matched probe: the message's sender, if it waits for the receive, does so until release_held().
TakenMessage resolve_matched_probe(DistributedLayer& layer, const Call& call, Communicator& communicator,
                                   const Posting& posting, int source, int tag);
/// The receive of what a matched probe has taken has begun.
void release_held(DistributedLayer& layer, const TakenMessage& message, const Asked& asked);

/// Resolves a receive that MPI has not completed, if it is sure already which message it takes: from a named
/// source, of which a fitting message is on its way, with no other receive before it. The layer then has something to
/// do while the message comes. resolve() must not be called after that.
std::optional<TakenMessage> take_promised(DistributedLayer& layer, const Posting& posting);

/// The program gets to know of the message.
void learn(DistributedLayer& layer, const TakenMessage& message);

/// The program is told that the receive or probe has met a message of `source` (rank in the communicator).
void note_source(DistributedLayer& layer, const Communicator& communicator, const Posting& posting, int source);

/// A probe has seen a message without taking it: the same, at once with learning.
void resolve_probe(DistributedLayer& layer, const Call& call, Communicator& communicator, const Posting& posting,
                   int source, int tag);

// ---- choices and polling calls ---------------------------------------------------------------------------

/// Opens an epoch that chooses among requests: takes its index, looks up its decision, records it. Before anything is
/// asked of MPI; record_candidate() (completion/settling.hpp) for each active request comes next.
Choice post_choice(DistributedLayer& layer, const Call& call, replay::EpochKind kind);

/// Opens the epoch of a stretch that begins with a polling probe; `source` may be a named one.
Choice post_polling_probe(DistributedLayer& layer, const Call& call, Communicator& communicator, int source, int tag,
                          replay::EpochKind kind);

/// The calling thread makes a call that its open stretch has not had yet, its current one from now on. Of a probe,
/// `communicator` is the one that it asks.
void add_poll(DistributedLayer& layer, const Call& call, Poll poll);

/// The stretch's current call, which looks at requests, reports something now, or the stretch is given up: from here on
/// `choice.posted` is what the program knows now. Followed by choose().
void record_answer(DistributedLayer& layer, PollingStretch& polling);

/// The stretch's current call, a probe, answers with a message now: the receive or probe to resolve(). (One that is
/// given up takes record_answer() and choose() with nothing.)
Posting post_answer(DistributedLayer& layer, const PollingStretch& polling);

/// The choice reports the requests at these positions (ascending), whose completion teaches `known`
/// (completion/settling.hpp; nulls are allowed), or nothing. Records it, and the program learns all of it.
clocks::Match choose(DistributedLayer& layer, const Choice& choice, const std::vector<std::uint32_t>& completed,
                     const std::vector<clocks::Snapshot>& known);

/// What an epoch may match, or a choice report, depends on this pending receive: it belongs into the record.
void record_receive(DistributedLayer& layer, const clocks::Posted& posted);

/// The name by which other ranks and the record know what was known then; null is nothing.
transport::ClockName publish(DistributedLayer& layer, const clocks::Snapshot& snapshot);

// ---- matches that nobody has asked for -------------------------------------------------------------------

/// Resolves every pending receive that MPI says has completed, without learning and without waiting for anything.
void resolve_completed(DistributedLayer& layer);

/// Resolves every pending receive of which the library has written down that it has matched; calls nothing of MPI.
void resolve_told(DistributedLayer& layer);

/// At the end of a run: the program gets to know of what MPI says has completed.
void resolve_at_end(DistributedLayer& layer);

}  // namespace dampi::piggyback::distributed
