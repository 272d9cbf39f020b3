// What a completed request stands for: what is known by whoever knows of its completion. And the requests that a choice
// could have reported: the record tells for each what its completion would have taught.
#pragma once

#include "piggyback/distributed/layer.hpp"
#include "piggyback/rank/call.hpp"
#include "piggyback/rank/requests.hpp"

#include <cstdint>

#include <mpi.h>

namespace dampi::piggyback::distributed {

/// Writes the status of a receive from MPI_PROC_NULL (MPI 3.11), which MPICH leaves as it comes, if the request is one.
void correct_status(const Request& request, MPI_Status& status);

/// MPI has completed the request with this status (not for one that was cancelled: see settle_cancelled). Resolves it
/// and says what the program is to learn when it gets to know, null for nothing; does not learn. May be called again.
clocks::Snapshot settle(DistributedLayer& layer, const Call& call, Request& request, const MPI_Status& status);

/// MPI has completed the request as cancelled.
void settle_cancelled(DistributedLayer& layer, Request& request);

/// The request, active, could be reported like that. To be called after post_choice() or add_poll() and before anything
/// else, also when the choice is decided.
void record_candidate(DistributedLayer& layer, const Call& call, const Candidacy& candidacy, Request& request);

/// The program completes its generalized request now: whoever reports that knows what the program knows now.
void note_completed_by_program(DistributedLayer& layer, Request& request);

/// For the end of the run: settles what choices wait for and MPI has completed by now.
void settle_candidates(DistributedLayer& layer);

}  // namespace dampi::piggyback::distributed
