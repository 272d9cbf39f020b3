// Who waits for whom when some ranks can never go on: the wait-for graph of a deadlock, as a plain value for the
// reports. Decides nothing; scheduler/judgement/wait_for_graph makes it.
#pragma once

#include "base/types.hpp"
#include "replay/epoch.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace dampi::replay {

struct WaitForGraph {
    struct Edge {
        base::Rank to = 0;
        unsigned wait = 0;   ///< edges of the same wait are alternatives: one of them would satisfy it
        std::string reason;  ///< what that rank would have to do: "send a message with tag 7 on MPI_COMM_WORLD"
    };
    struct Node {
        base::Rank rank = 0;
        bool any = false;         ///< one of its waits would be enough (OR); otherwise all are needed (AND)
        bool in_core = false;     ///< on the cycle or in the knot
        std::vector<Edge> edges;  ///< what it lacks, sorted by wait, then rank; also to ranks that have ended
        /// So many more are not listed; those that make the core what it is are among the first that are.
        std::uint64_t edges_omitted = 0;
    };
    enum class Core {
        cycle,  ///< each rank in the core waits for the next one, and the last for the first
        knot,   ///< every way out of each rank in the core leads back into the core
        end,    ///< the rank in the core waits for something that no rank can do any more: there is no cycle
    };

    std::vector<Node> nodes;  ///< the ranks that can never go on, sorted
    Core shape = Core::end;
    std::vector<base::Rank> core;  ///< in the order of the cycle; otherwise sorted
};

/// A message that was sent and not received, or a receive that was posted and never matched, when the run ended. Those
/// of which all is the same are one, with a count.
struct UnmatchedOperation {
    bool send = false;
    base::Rank rank = 0;  ///< who sent it, or posted the receive
    base::Rank peer = 0;  ///< the destination, or the source; any_source
    base::Tag tag = 0;    ///< any_tag for a receive of any
    std::string communicator;
    std::uint64_t count = 1;
    CodePlace where = {};  ///< of the call that sent the message or posted the receive
};

}  // namespace dampi::replay
