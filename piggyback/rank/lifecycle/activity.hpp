// Between the beginning of MPI and its end the layer is active: what is to be done at both, however the ranks
// communicate.
#pragma once

#include "piggyback/rank/call.hpp"
#include "piggyback/rank/layer.hpp"

#include <mpi.h>

namespace dampi::piggyback {

/// MPI has begun.
void begin_activity(Layer& layer);

/// MPI has begun in a program that may call it from several threads, if it may.
void note_threads(Layer& layer);

/// MPI_Finalize will call this when it deletes the attributes of MPI_COMM_SELF, after those that are set later.
void call_when_finalizing(MPI_Comm_delete_attr_function* callback);

/// MPI_Finalize will call end_activity() when it deletes the attributes of MPI_COMM_SELF, which it does before anything
/// else, the last one set first. Programs and libraries free their MPI objects in such callbacks; ours is set first, so
/// it comes after theirs.
void watch_finalization();

/// Looks at what is left over and lets go, while MPI still works.
void end_activity(Layer& layer);

/// The program calls MPI_Abort.
void note_abort(Layer& layer, const Call& call, int errorcode);

}  // namespace dampi::piggyback
