// What all engines for real programs have in common: how a run's processes are started under the layer, and how its
// facts become a record once they are over. Watches nothing and decides nothing about the run.
#pragma once

#include "clocks/clock.hpp"
#include "launch/job.hpp"
#include "launch/launcher_command.hpp"
#include "launch/program/mpi_library.hpp"
#include "launch/program/openmp.hpp"
#include "launch/program/program.hpp"
#include "launch/program/source_lines.hpp"
#include "launch/transport.hpp"
#include "replay/call_event.hpp"
#include "replay/engine_kind.hpp"
#include "replay/piggyback.hpp"
#include "replay/run_record.hpp"
#include "scheduler/engines/fresh_directory.hpp"
#include "scheduler/judgement/ending_watch.hpp"
#include "scheduler/judgement/record_reader.hpp"
#include "scheduler/snapshot_use.hpp"
#include "transport/memory/area.hpp"
#include "transport/run_view.hpp"

#include <atomic>
#include <chrono>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace dampi::launch {
class PreparedProgram;
}

namespace dampi::scheduler::hosts {
class Hosts;
}

namespace dampi::scheduler {

struct LocalEngineSettings {
    launch::Program program;
    launch::MpiLibrary mpi_library;
    std::string name;  ///< the program's argv[0]
    std::vector<std::string> arguments;
    int processes = 1;
    std::vector<std::pair<std::string, std::string>> environment;  ///< wins over everything else
    std::filesystem::path layer;                                   ///< libdampi.so, or libdampi-central.so
    std::optional<launch::Launcher> launcher;                      ///< starts the ranks in our place
    std::filesystem::path output;  ///< directory for what the program prints: NNNNNN.out and NNNNNN.err
    /// Each run starts in a copy of the working directory in here (fresh_directory.hpp); empty: in that itself.
    std::filesystem::path fresh_directories = {};
    bool show_output = false;
    bool compare_printed = false;            ///< RunRecord::printed
    bool message_leaks = true;               ///< leak/message is a violation
    bool warns_unusual = false;              ///< of calls that are legal, but unusual, a note is made
    bool checks_buffers = false;             ///< the program's loads and stores in pending buffers are found
    bool notes_unwatched = true;             ///< then what of that cannot be is noted; else it has a bound, too
    bool watches_windows = true;             ///< so they are without this in programs with windows, where that can be
    std::vector<int> good_exits = {};        ///< SeenFromOutside::good_exits
    std::vector<std::string> wrappers = {};  ///< SeenFromOutside::wrappers
    clocks::Protocol protocol = clocks::Protocol::vector;
    replay::Piggyback piggyback = replay::Piggyback::shared;  ///< of the distributed engine
    SnapshotUse snapshots = SnapshotUse::automatic;           ///< of the centralized engine
    bool merge_states = false;           ///< likewise: a run ends where an earlier one has been in the same state
    bool check_merging = false;          ///< likewise: not always, to see whether the same follows there
    std::uint32_t state_without = 0;     ///< likewise: MachineSettings::state_without
    bool keep_courses = false;           ///< likewise: RunRecord::courses
    std::filesystem::path moments = {};  ///< likewise: ranks write their moments in here; empty: nowhere
    bool prepare = true;                 ///< ranks are forked from a prepared process where that is possible
    bool alone = false;                  ///< each rank initialises MPI alone, so that it can be forked behind MPI_Init
    bool virtual_time = false;           ///< of the ranks (passing_time.hpp)
    bool late_messages = false;          ///< of the centralized engine: MachineSettings::delays
    bool record_stacks = false;          ///< call stacks of epochs, and what follows upon each (EpochContext)
    bool places_have_stacks = false;     ///< each call is known with its call stack
    bool follows_main = false;           ///< likewise, and from where main returns; no loads and stores are looked at
    bool finds_wrappers = false;         ///< SeenFromOutside::finds_wrappers; with places_have_stacks
    std::optional<std::chrono::milliseconds> hang_limit;                ///< judgement/hang.hpp; nothing: learned
    std::chrono::milliseconds livelock_limit = default_livelock_limit;  ///< judgement/livelock.hpp
    hosts::Hosts* hosts = nullptr;  ///< of the centralized engine: over which the ranks are spread; null: all are here
    /// Is shown the program's calls of each run, sorted by name, before its record is there; by several threads where
    /// runs go on side by side. Only the centralized engine knows them.
    std::function<void(std::vector<replay::CallEvent>)> show_calls = {};
    bool shows_false_polls = false;  ///< among them probes and tests that answered false
    /// With more calls than that a run shows none.
    std::size_t most_shown_calls = std::numeric_limits<std::size_t>::max();
};

/// Whether ranks of the program can be looked at so (checks_buffers) where its runs do not do it by themselves.
[[nodiscard]] bool can_watch_buffers(const LocalEngineSettings& settings, replay::EngineKind engine);

/// Whether the distributed engine looks, without being asked to, for what the program itself loads and stores in its
/// windows and in the buffers of what is pending: in programs with windows, where this machine offers what it needs.
[[nodiscard]] bool watches_windows(const launch::Program& program);

/// Which ranks' processes exist.
[[nodiscard]] std::vector<bool> who_lives(const launch::Job& job);
/// Whether a process is over that had not left MPI_Finalize.
[[nodiscard]] bool somebody_died(const launch::Job& job, const transport::RunView& run);

/// A run's processes are over, or about to be killed: what is left to be known.
struct RunEnd {
    RunEnding ending;
    std::vector<std::vector<replay::CodePlace>> stacks;  ///< by rank, read from outside
    std::vector<launch::AbortRequest> aborts;            ///< beside those that the job knows
    std::chrono::steady_clock::time_point begin;         ///< of the run
    std::chrono::steady_clock::time_point start;         ///< of the first process
    bool stopped = false;                                ///< the user wants no more
    bool merged = false;                                 ///< what follows another run shows
    std::vector<replay::Decision> decisions;             ///< of its interleaving
};

class RunSetup {
public:
    explicit RunSetup(LocalEngineSettings settings);
    ~RunSetup();

    [[nodiscard]] const LocalEngineSettings& settings() const { return settings_; }
    /// How the ranks were started, and what was set for it, line by line.
    [[nodiscard]] std::vector<std::string> launching() const;

    /// The memory that ranks and dampi-run share in this run; `used` as for Area::create().
    [[nodiscard]] transport::memory::Area make_area(const replay::Interleaving& interleaving,
                                                    transport::memory::MemoryFile used = {}) const;
    /// When the run is to end and how that is seen.
    [[nodiscard]] EndingLimits ending_limits() const;

    /// Where the run is to start; nothing where that is our own working directory. It outlives the run. Throws
    /// dampi::Error.
    [[nodiscard]] std::unique_ptr<FreshDirectory> directory_for(const replay::Interleaving& interleaving,
                                                                const std::stop_token& stop) const;

    /// The record of a run that was to stop before its directory was whole: it is run again.
    [[nodiscard]] static replay::RunRecord not_begun();

    /// How to start the run's ranks, in the place that directory_for() says.
    [[nodiscard]] launch::JobSpec job(const replay::Interleaving& interleaving, const transport::memory::Area& area,
                                      const FreshDirectory* directory, const std::stop_token& stop);

    /// Whether something that is forced on a running run of the distributed engine has not come.
    [[nodiscard]] bool decision_is_open(const launch::Job& job, const transport::RunView& run,
                                        const std::vector<replay::Decision>& decisions);

    /// Ends the processes and makes the record. `amend` may add what the engine knows itself to what was read of the
    /// ranks.
    [[nodiscard]] replay::RunRecord conclude(launch::Job& job, const launch::JobSpec& spec,
                                             const transport::RunView& run, RunEnd end,
                                             const std::function<void(RecordReader&)>& amend);

private:
    [[nodiscard]] bool can_be_prepared() const;
    [[nodiscard]] launch::Rendezvous rendezvous_of(const replay::Interleaving& interleaving) const;

    LocalEngineSettings settings_;
    std::vector<launch::TransportChoice> choices_;
    launch::OpenMpOrder openmp_ = launch::OpenMpOrder::told;
    std::atomic<std::chrono::milliseconds> longest_run_{};  ///< of those that came to their end
    launch::SourceLines lines_;
    mutable std::mutex preparing_;
    struct Prepared {
        std::unique_ptr<launch::PreparedProgram> program;
        std::string not_behind_init;  ///< why it stands before main, where behind MPI_Init would have been better
    };
    /// The process from which the ranks of a mode are forked: the mode decides a variable that the program may read.
    [[nodiscard]] Prepared prepare(const launch::JobSpec& spec) const;
    std::map<replay::Buffering, Prepared> prepared_;
};

}  // namespace dampi::scheduler
