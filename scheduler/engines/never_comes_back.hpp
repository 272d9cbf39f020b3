// Whether a rank of this machine that is away from MPI is seen never to come back: what scheduler/judgement asks of the
// process (LoopsForEver).
#pragma once

#include "launch/observe/endless_loop.hpp"
#include "launch/observe/sleeping_threads.hpp"
#include "transport/run_view.hpp"

#include <vector>

#include <sys/types.h>

namespace dampi::scheduler {

/// Its main thread goes round in a loop for ever, or all its threads sleep and nobody is left to wake one. Where
/// several threads may call MPI one that waits there could be; and a timer of virtual time goes off in no thread. What
/// the MPI library's own threads do they do for the library.
[[nodiscard]] inline bool never_comes_back(pid_t process, const transport::RankProgress& progress,
                                           const std::vector<pid_t>& idle_threads) {
    const bool alone = !progress.multithreaded && progress.timer == 0;
    return launch::loops_for_ever(process, idle_threads) || (alone && launch::sleeps_for_ever(process, idle_threads));
}

}  // namespace dampi::scheduler
