// What a dampi-node does for the ranks of its host: starts them for each run as dampi-run does for its own, hands on
// what they hand over, and brings them what is answered. Chooses nothing. When dampi-run is gone, the ranks end.
#pragma once

#include "base/types.hpp"
#include "scheduler/engines/run_setup.hpp"
#include "transport/network/link.hpp"

#include <cstdint>
#include <filesystem>

namespace dampi::scheduler::hosts {

struct NodePart {
    base::Rank first = 0;
    int ranks = 0;
    std::uint32_t host = 0;  ///< its number
};

/// Runs what comes on one connection, one run after the other, until the other side hangs up or says what makes no
/// sense. `setup` may be used by several threads.
void serve_lane(transport::network::Link& link, RunSetup& setup, const NodePart& part);

}  // namespace dampi::scheduler::hosts
