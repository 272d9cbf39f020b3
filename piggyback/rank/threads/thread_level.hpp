// Whether the program's threads keep to the level that MPI_Init_thread has provided: below MPI_THREAD_SERIALIZED only
// the thread that initialised MPI may call it, below MPI_THREAD_MULTIPLE one thread at a time. A call beyond that is
// recorded, and the rank ends there, for nobody can know what MPI makes of it and of what follows. It is never a matter
// of time: two calls overlap only if one begins while another thread is inside the other.
//
// What any thread may call at any time, as the standard says, is not looked at (interception/any_thread.hpp).
#pragma once

#include "piggyback/rank/threads/watched_call.hpp"

namespace dampi::piggyback {

class Call;
class Layer;

/// The calling thread, which is in `call`, has initialised MPI with MPI_Init or MPI_Init_thread: from now on calls are
/// looked at. Where several threads may come, each call takes the lock from now on.
void watch_threads(Layer& layer, const Call& call);

/// No longer: the program has sessions, which have levels of their own.
void ignore_threads() noexcept;

/// MPI_Finalize is called, which is for the thread that has initialised MPI, whatever the level.
void note_finalizing_thread(const Call& call) noexcept;

}  // namespace dampi::piggyback
