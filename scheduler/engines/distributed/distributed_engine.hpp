// The execution engine for real MPI programs on this machine: launches the ranks under the layer, watches
// them until they end or can make no step any more, and makes the run's record. Judges each run: deadlock,
// crash, abort, exit, leaks, divergence, imprecise match.
#pragma once

#include "scheduler/engines/execution_engine.hpp"
#include "scheduler/engines/run_setup.hpp"

#include <string>
#include <vector>

namespace dampi::scheduler {

class LocalEngine final : public ExecutionEngine {
public:
    explicit LocalEngine(LocalEngineSettings settings);
    /// How the ranks were started, and what was set for it, line by line.
    [[nodiscard]] std::vector<std::string> launching() const;
    replay::RunRecord run(const replay::Interleaving& interleaving, std::stop_token stop) override;

private:
    RunSetup setup_;
};

}  // namespace dampi::scheduler
