// What makes two sweeps the same: a sweep goes on from its journal only where everything is as it was that decides what
// it finds. Values and comparisons; says what differs in sentences for the user.
#pragma once

#include "clocks/clock.hpp"
#include "launch/program/program.hpp"
#include "replay/buffering.hpp"
#include "replay/engine_kind.hpp"
#include "replay/piggyback.hpp"
#include "scheduler/request.hpp"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dampi::scheduler {

/// A build of dampi: only the one that began a sweep understands its journal.
struct Build {
    std::string version;
    std::string dampi_run;  ///< launch::build_fingerprint
    std::string layer;      ///< likewise, of libdampi.so

    bool operator==(const Build&) const = default;
};

struct SweepIdentity {
    Build build;
    std::string name;     ///< of the program, as it was given
    std::string program;  ///< its absolute path
    std::string program_fingerprint;
    std::string mpi;          ///< --mpi
    std::string mpi_library;  ///< the absolute path of what the ranks get
    std::string mpi_library_fingerprint;
    std::vector<std::string> arguments;
    int processes = 0;
    std::vector<HostLine> hosts;  ///< over which the ranks are spread; without a name: a node of Slurm's
    std::string working_directory;
    clocks::Protocol clock = clocks::Protocol::vector;
    replay::EngineKind engine = replay::EngineKind::distributed;
    bool may_hand_over = false;  ///< Options::may_hand_over
    std::vector<replay::Buffering> buffering;
    replay::Piggyback piggyback = replay::Piggyback::shared;
    std::optional<std::uint32_t> explore_polls;
    heuristics::SearchBoundSettings bounds;
    std::uint64_t seed = 0;               ///< --seed
    std::optional<std::uint32_t> sample;  ///< --sample
    bool virtual_time = false;
    bool fresh_directory = false;
    std::optional<std::chrono::milliseconds> hang_limit;
    std::chrono::milliseconds livelock_limit{};
    bool message_leaks = true;
    bool warns_unusual = false;                                 ///< --warn unusual
    bool checks_buffers = false;                                ///< --check-buffers
    std::vector<int> good_exits;                                ///< --exit-ok
    std::vector<std::string> wrappers;                          ///< --wrapper
    std::optional<std::string> launcher;                        ///< --launcher; none: our own
    std::vector<std::pair<std::string, std::string>> settings;  ///< --env
    std::map<std::string, std::string> environment;             ///< those variables of ours that matter to MPI

    bool operator==(const SweepIdentity&) const = default;
};

/// What of the command line does not change what there is to find, and may be otherwise when a sweep goes on.
struct FreeOptions {
    std::optional<int> jobs;
    std::optional<WorkersWish> workers;
    std::chrono::milliseconds worker_wait = default_worker_wait;
    std::chrono::milliseconds worker_patience = default_worker_patience;
    std::optional<std::uint64_t> max_interleavings;
    std::optional<std::chrono::milliseconds> time_limit;
    bool stop_on_first = false;
    bool show_output = false;
    int verbosity = 0;
    ProgressKind progress = ProgressKind::automatic;
    KeptOutput keep_output = KeptOutput::findings;
    heuristics::Order order = heuristics::Order::newest;
    // What passes
    std::optional<std::string> baseline = {};
    std::optional<std::string> suppressions = {};
    std::vector<std::string> fail_on = {};
    std::vector<std::string> expect = {};
    bool incomplete_ok = false;
    std::optional<std::string> corpus = {};
    bool corpus_add = false;

    bool operator==(const FreeOptions&) const = default;
};

/// A sweep as the header of its journal has it.
struct StoredSweep {
    SweepIdentity identity;
    FreeOptions options;

    bool operator==(const StoredSweep&) const = default;
};

/// This dampi-run with this libdampi.so. Throws dampi::Error when a file cannot be read.
[[nodiscard]] Build own_build(const std::filesystem::path& layer);

/// Those of the variables (as in `environ`) that change what MPI does: settings of MPICH, UCX, libfabric and hwloc,
/// and what the dynamic loader and OpenMP look at.
[[nodiscard]] std::map<std::string, std::string> variables_that_matter(const char* const* variables);

/// Which piggyback the runs have. Throws dampi::Error where the one that was asked for cannot be had.
[[nodiscard]] replay::Piggyback piggyback_of(const Options& options, const launch::Program& program);

/// The sweep that these options describe, here and now. `options` are not those of a replay.
[[nodiscard]] SweepIdentity identity_of(const Options& options, const launch::Program& program, const Build& build);

[[nodiscard]] FreeOptions free_options_of(const Options& options);

enum class Compared : std::uint8_t {
    later,
    elsewhere,  ///< on another machine
};

/// What differs, each a part of a sentence for the user: "-n was 4 and is 3". Empty: the same sweep.
[[nodiscard]] std::vector<std::string> differences(const SweepIdentity& then, const SweepIdentity& now,
                                                   Compared compared = Compared::later);

/// Throws dampi::Error that names all differences, unless there are none.
void require_same_sweep(const std::filesystem::path& directory, const SweepIdentity& then, const SweepIdentity& now);

/// The options with which the sweep was begun, except where `now` was given others that are free: the whole command
/// line of a sweep that goes on with `now`, which has `resume`.
[[nodiscard]] Options restore(const StoredSweep& stored, const Options& now);

/// The header of the sweep's journal.
[[nodiscard]] std::string header_bytes(const StoredSweep& sweep);
/// The inverse. Throws dampi::Error when another build has written it, and says how they differ; or when it is damaged.
[[nodiscard]] StoredSweep read_header(const std::filesystem::path& directory, std::string_view bytes,
                                      const Build& build);

}  // namespace dampi::scheduler
