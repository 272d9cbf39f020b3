// Snapshots of runs, from which other runs go on instead of repeating what came before
// (launch/program_snapshot.hpp has the ranks' part). Decides when one is worth taking, which one a run begins
// with, and which ones stay; by its own measurements. Takes none itself and runs nothing. May be used by several
// threads.
//
// A run may begin with a snapshot if one from the start would have come to the same point without having had a choice
// (Machine::agrees): so its record is the same, whether or not there are snapshots.
#pragma once

#include "launch/program_snapshot.hpp"
#include "replay/decision.hpp"
#include "scheduler/engines/central/call_listing.hpp"
#include "scheduler/engines/central/machine.hpp"
#include "scheduler/snapshot_use.hpp"
#include "transport/memory/area.hpp"
#include "transport/requests/exchange.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace dampi::scheduler::central {

/// All of a run at a moment at which all ranks wait for the scheduler.
struct RunSnapshot {
    RunSnapshot(std::unique_ptr<launch::ProgramSnapshot> ranks, const transport::memory::Area& its_area,
                const transport::requests::Exchange& its_exchange, const Machine& its_machine,
                const CallListing& its_calls, std::vector<transport::requests::CallReader> its_readers,
                replay::Buffering its_buffering, std::chrono::nanoseconds its_way)
        : program(std::move(ranks)),
          area(its_area.copy()),
          exchange(its_exchange.copy()),
          machine(its_machine),
          calls(its_calls, machine),
          readers(std::move(its_readers)),
          buffering(its_buffering),
          way(its_way) {}

    const std::unique_ptr<launch::ProgramSnapshot> program;
    const transport::memory::Area area;
    const transport::requests::Exchange exchange;
    const Machine machine;
    const CallListing calls;
    const std::vector<transport::requests::CallReader> readers;  ///< by rank; of the exchange of the run
    const replay::Buffering buffering;
    const std::chrono::nanoseconds way;  ///< what a run from the start takes to come here
};

class Snapshots {
public:
    using Duration = std::chrono::nanoseconds;

    /// `obstacle`: why copies of this program cannot go on in its place; empty: they can.
    Snapshots(SnapshotUse use, int processes, std::string obstacle);

    /// Whether to take one at a choice, so long after the run's beginning or its last snapshot.
    [[nodiscard]] bool wanted(Duration since) const;
    /// One has been taken, which took so long.
    void keep(std::shared_ptr<RunSnapshot> snapshot, Duration cost);
    /// None can be taken, for this reason: never again.
    void give_up(const std::string& why);

    /// The latest one with which the interleaving may begin; none: it runs from the start.
    [[nodiscard]] std::shared_ptr<RunSnapshot> find(const replay::Interleaving& interleaving);
    /// It is of no use.
    void drop(const std::shared_ptr<RunSnapshot>& snapshot);

    /// For people: how many were taken, or why none. Empty where nobody would ask.
    [[nodiscard]] std::string summary() const;

private:
    struct Kept {
        std::shared_ptr<RunSnapshot> snapshot;
        std::uint64_t memory = 0;
        std::uint64_t fitted = 0;  ///< searches_ when an interleaving last agreed
    };

    [[nodiscard]] std::size_t least_useful() const;

    const SnapshotUse use_;
    mutable std::mutex mutex_;  // for all that follows
    std::string obstacle_;
    Duration cost_;
    std::vector<Kept> kept_;
    std::uint64_t searches_ = 0;
    std::uint64_t taken_ = 0;
    std::uint64_t begun_ = 0;
};

}  // namespace dampi::scheduler::central
