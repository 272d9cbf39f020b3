// The seam between exploration and execution: an engine runs one interleaving of the program and returns
// its record. The explorer knows nothing else of MPI, processes or simulators.
#pragma once

#include "replay/decision.hpp"
#include "replay/run_record.hpp"

#include <stop_token>

namespace dampi::scheduler {

class ExecutionEngine {
public:
    virtual ~ExecutionEngine() = default;

    /// Runs the program once under the interleaving's decisions and returns what happened. A violation in
    /// the program is part of the record. Throws dampi::Error when the program cannot be run at all.
    /// When `stop` is requested the run is ended early and the record says cut_short. May be called by several threads
    /// at the same time: runs do not disturb each other.
    virtual replay::RunRecord run(const replay::Interleaving& interleaving, std::stop_token stop) = 0;
};

}  // namespace dampi::scheduler
