// Outlives this process for a moment, to clear up when it dies in the middle of a Job (kill -9). The kernel then kills
// the ranks, but neither what they started nor what they left outside their memory; the guard, a process that waits
// for our end, does.
#pragma once

#include "base/unique_fd.hpp"

#include <sys/types.h>

namespace dampi::launch {

class Guard {
public:
    /// This process's guard, which the first call starts. Throws dampi::Error when it cannot be started.
    static const Guard& of_this_process();

    /// What a rank tells the guard before it becomes the program, so that no rank is unknown to it.
    struct Message {
        pid_t group = 0;
        pid_t rank = 0;  ///< 0: the group has been killed and needs no guard any more
    };
    /// Where messages go, one with each send(); closed when a program is executed.
    [[nodiscard]] int descriptor() const { return socket_.get(); }
    /// To be called while the group's number still belongs to it.
    void forget(pid_t group) const;

private:
    Guard();

    base::UniqueFd socket_;
    pid_t owner_ = 0;  ///< a forked child of ours needs a guard of its own
};

}  // namespace dampi::launch
