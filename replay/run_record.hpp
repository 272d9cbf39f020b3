// Everything that one run (one interleaving) tells: its epochs, how each rank ended, what was wrong, and
// what the layer could not model. Plain values, independent of the engine that ran it.
#pragma once

#include "replay/epoch.hpp"
#include "replay/violation.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace dampi::replay {

struct RunRecord {
    clocks::Protocol protocol = clocks::Protocol::vector;  ///< of the clocks in `epochs`
    std::vector<Epoch> epochs;                             ///< all ranks', sorted by (rank, index)
    std::vector<Violation> violations;
    std::vector<Violation> notes;                       ///< seen, but no violation unless asked for (leak/message)
    std::map<std::string, std::uint64_t> not_modelled;  ///< MPI function or feature -> calls
    std::map<CommId, std::string> communicators;        ///< names for people
    bool diverged = false;   ///< a rank did not follow its decisions: nothing may be concluded from this run
    bool cut_short = false;  ///< ended by us while ranks were computing: messages may be missing
    double seconds = 0;      ///< wall time
};

}  // namespace dampi::replay
