// The centralized engine: the ranks are real processes, but their MPI is the machine in here. Starts the ranks with the
// library for the centralized engine (libdampi-central.so), converses with them, and makes the run's record. A run may
// begin where an earlier one stood (snapshots.hpp).
#pragma once

#include "scheduler/engines/central/clock_sites.hpp"
#include "scheduler/engines/central/known_repetitions.hpp"
#include "scheduler/engines/central/meeting_sample.hpp"
#include "scheduler/engines/central/run_slots.hpp"
#include "scheduler/engines/central/snapshots.hpp"
#include "scheduler/engines/central/visited_states.hpp"
#include "scheduler/engines/execution_engine.hpp"
#include "scheduler/engines/run_setup.hpp"

#include <string>
#include <vector>

namespace dampi::scheduler::central {

class CentralEngine final : public ExecutionEngine {
public:
    /// `settings.layer` is libdampi-central.so.
    explicit CentralEngine(LocalEngineSettings settings);
    /// How the ranks were started, and what was set for it, line by line.
    [[nodiscard]] std::vector<std::string> launching() const;
    replay::RunRecord run(const replay::Interleaving& interleaving, std::stop_token stop) override;

private:
    [[nodiscard]] bool may_take_snapshots(const replay::Interleaving& interleaving);
    /// Whether states of this run are compared with those of others.
    [[nodiscard]] bool compares_states(const replay::Interleaving& interleaving) const {
        return setup_.settings().merge_states && interleaving.meeting_number != 0;
    }
    replay::RunRecord run_somehow(const replay::Interleaving& interleaving, const std::stop_token& stop);
    replay::RunRecord run_from(const RunSnapshot* snapshot, const replay::Interleaving& interleaving,
                               const std::stop_token& stop);

    RunSetup setup_;
    RunSlots slots_;
    VisitedOfModes visited_;
    MeetingSample checked_;
    ClockSites clock_sites_;
    KnownRepetitions repetitions_;
    Snapshots snapshots_;  // after what has started the ranks: these hold copies of them
};

}  // namespace dampi::scheduler::central
