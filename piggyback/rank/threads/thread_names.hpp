// Names of threads that are the same in all runs: pthread_create, which OpenMP, C++ and the rest use as well, is
// hooked, so that each thread knows who made it, and as which of its creator's threads. Also counts the threads that
// there are.
#pragma once

#include "replay/thread_order.hpp"

namespace dampi::piggyback {

class Core;

/// Of the calling thread. One that was made in another way gets a name now, the same in all runs if such threads come
/// to MPI in the same order.
[[nodiscard]] replay::ThreadName name_this_thread();

/// Of the program's, beside the main one; whether they call MPI or not.
[[nodiscard]] bool has_other_threads();

/// How many of these the program has made so far.
[[nodiscard]] unsigned threads_made();

/// So many threads the MPI library has made in this process.
[[nodiscard]] unsigned library_threads();

/// From now on other threads of the program may call MPI while one is blocked.
void threads_may_call(Core& core);

}  // namespace dampi::piggyback
