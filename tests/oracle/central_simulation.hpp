// One run of a small program under the centralized engine's machine, in one process and without MPI: each rank hands
// its calls over and goes on to its next fence, in an order that a seed says; choices are made as the engine makes
// them. Some runs begin where an earlier one of the same program stood before a choice, as with the engine's snapshots.
#pragma once

#include "clocks/clock.hpp"
#include "replay/buffering.hpp"
#include "replay/decision.hpp"
#include "scheduler/engines/central/visited_states.hpp"
#include "tests/oracle/instructions.hpp"
#include "tests/oracle/program.hpp"
#include "tests/oracle/simulation.hpp"

#include <cstdint>
#include <vector>

namespace dampi::oracle {

class CentralSimulation {
public:
    /// `buffering`: of sends in standard mode; not native.
    /// `state_without`: MachineSettings::state_without.
    CentralSimulation(const Program& program, replay::Buffering buffering, std::uint32_t state_without = 0);
    ~CentralSimulation();
    CentralSimulation(const CentralSimulation&) = delete;
    CentralSimulation& operator=(const CentralSimulation&) = delete;

    /// `seed` chooses the order of the ranks and what is free. Decisions must be sorted by epoch.
    /// `number`: of the run. With `visited` it ends where another run has been before.
    [[nodiscard]] SimulatedRun run(const std::vector<replay::Decision>& decisions, clocks::Protocol protocol,
                                   std::uint64_t seed, std::uint64_t number = 0,
                                   scheduler::central::VisitedStates* visited = nullptr);
    /// How many runs began so.
    [[nodiscard]] std::uint64_t went_on() const { return went_on_; }

private:
    class Run;

    std::vector<std::vector<Instruction>> code_;  ///< by rank
    replay::Buffering buffering_;
    std::uint32_t state_without_;
    std::vector<Run> kept_;  ///< as they stood before a choice
    std::uint64_t went_on_ = 0;
};

}  // namespace dampi::oracle
