// Asking a process that stands ready for it (a prepared process, or a rank's holder in a snapshot) to fork a rank:
// dampi-run's side of prepare_protocol.hpp. What comes from there is not believed: the program under test could say it.
#pragma once

#include "launch/guard.hpp"
#include "launch/prepare_protocol.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <sys/types.h>

namespace dampi::launch {

/// For what a process that stands ready has to do.
inline constexpr std::chrono::milliseconds patience_for_a_rank{10000};

struct ForkRequest {
    int input = -1;
    int output = -1;
    int error_output = -1;
    int socket = -1;  ///< the rank gets it under the same number; one forked from a holder, in the place of its own
    const std::vector<int>* inherited = nullptr;
    bool keeps_memory = false;  ///< as it is now, for comparisons: even if ranks hardly ever come back
    std::vector<std::pair<std::string, std::string>> variables;  ///< of this rank
};

/// Has `process` fork a rank, which is a child of ours then. None: it does not do that any more. One thread at a time
/// for each process.
/// `coming_back`: as below.
std::optional<pid_t> fork_rank(pid_t process, int socket, const Guard& guard, const ForkRequest& request,
                               int coming_back = -1);

/// The request alone. `coming_back`: the rank's end of the socket by which it is asked again; -1: none. False: nobody
/// is there.
bool send_request(int socket, const Guard& guard, const ForkRequest& request, int coming_back);

/// Waits for an answer. False: none came in time, or the other end is closed.
bool receive(int socket, PrepareAnswer& answer, std::chrono::milliseconds patience);

/// Whether it is a child of ours that has not been reaped.
bool is_our_child(pid_t process);

void kill_and_reap(pid_t process);

}  // namespace dampi::launch
