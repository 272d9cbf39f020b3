// What the user asked for: a value. The command line is one way to say it (cli/parse_options.hpp).
#pragma once

#include "clocks/clock.hpp"
#include "heuristics/order.hpp"
#include "heuristics/search_bounds.hpp"
#include "replay/buffering.hpp"
#include "replay/engine_kind.hpp"
#include "replay/piggyback.hpp"
#include "scheduler/host_list.hpp"
#include "scheduler/merge_use.hpp"
#include "scheduler/snapshot_use.hpp"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dampi::scheduler {

/// Without --clock, up to this many processes exchange vector clocks, and more of them Lamport clocks.
inline constexpr int most_processes_for_vector_clocks = 1024;

/// With --engine auto, up to this many processes run with the centralized engine.
inline constexpr int most_processes_for_central_engine = 64;

/// What is shown while a sweep runs (on standard error).
enum class ProgressKind : std::uint8_t {
    automatic,  ///< the line where it is a terminal, and nothing elsewhere
    line,
    json,  ///< for other programs
    none,
};

/// Whose output is kept in the sweep's directory.
enum class KeptOutput : std::uint8_t {
    all,
    findings,  ///< of the runs that findings come from, and of the last few
};

/// The most interleavings that --jobs lets run side by side.
inline constexpr int most_jobs = 1024;

/// The most workers that --workers starts.
inline constexpr std::uint32_t most_workers = 10'000;

/// Who runs the interleavings where dampi-run does not do so itself: workers that it starts, and those that join.
struct WorkersWish {
    enum class Kind : std::uint8_t {
        here,   ///< `count` processes of this machine
        ssh,    ///< one on each line of `hosts`
        slurm,  ///< a job array of `count`
    };
    Kind kind = Kind::here;
    std::uint32_t count = 0;
    std::string hosts = {};  ///< a file's name

    bool operator==(const WorkersWish&) const = default;
};
inline constexpr WorkersWish::Kind last_workers_kind = WorkersWish::Kind::slurm;

/// Without --worker-wait, a sweep that has had no worker for so long ends.
inline constexpr std::chrono::seconds default_worker_wait{600};
/// Without --worker-patience, likewise one of which nothing has been heard is lost.
inline constexpr std::chrono::seconds default_worker_patience{30};

struct Options {
    int processes = 0;                                            // -n
    std::filesystem::path output = "dampi-out";                   // -o
    std::optional<std::filesystem::path> replay;                  // --replay
    std::optional<std::uint64_t> max_interleavings;               // --max-interleavings
    std::optional<std::chrono::milliseconds> time_limit;          // --time-limit SECONDS
    std::optional<std::chrono::milliseconds> hang_limit;          // --hang-limit SECONDS; nothing: auto; 0: none
    std::optional<std::chrono::milliseconds> livelock_limit;      // --livelock-limit SECONDS
    bool stop_on_first = false;                                   // --stop-on-first
    std::optional<int> jobs;                                      // --jobs; none: auto
    std::optional<WorkersWish> workers;                           // --workers N|ssh:FILE|slurm:N
    std::vector<HostLine> hosts;                                  // --hosts, --hostfile; empty: this machine
    bool hosts_by_slurm = false;                                  // they are the nodes of Slurm's allocation
    std::chrono::milliseconds worker_wait = default_worker_wait;  // --worker-wait SECONDS
    std::chrono::milliseconds worker_patience = default_worker_patience;  // --worker-patience SECONDS
    std::optional<std::filesystem::path> resume;                          // --resume DIR; `output` is DIR, too
    std::optional<clocks::Protocol> clock;                                // --clock vector|lamport; none: auto
    /// --engine distributed|central; none: auto, until it is known what the program uses
    std::optional<replay::EngineKind> engine;
    bool may_hand_over = false;                  ///< it was chosen by auto, so that another one may go on
    std::optional<std::uint32_t> explore_polls;  // --explore-polls; nothing: where it is not proven not to matter
    heuristics::SearchBoundSettings bounds;      // --mixing-bound, --mixing-unit, --loop-bound, --ignore-brackets, ...
    heuristics::Order order = heuristics::Order::newest;  // --order
    std::uint64_t seed = 1;                               // --seed
    std::optional<std::uint32_t> sample;                  // --sample WALKS; none: auto
    /// --buffering, explored in this order
    std::vector<replay::Buffering> buffering{replay::both_bufferings.begin(), replay::both_bufferings.end()};
    std::optional<replay::Piggyback> piggyback;  // --piggyback shared|native; none: auto
    /// --virtual-time: true, --real-time: false; none: auto, until it is known what the program uses
    std::optional<bool> virtual_time;
    bool prepare = true;                                           // --no-prepare: false
    bool fresh_directory = false;                                  // --fresh-dir
    SnapshotUse snapshots = SnapshotUse::automatic;                // --snapshots auto|never|always
    MergeUse merge_states = MergeUse::automatic;                   // --merge-states auto|never|always
    std::vector<std::pair<std::string, std::string>> environment;  // --env NAME=VALUE, repeatable
    std::optional<std::string> launcher;                           // --launcher COMMAND
    std::string mpi = "auto";                                      // --mpi auto|native|DIR, DIR absolute
    bool show_output = false;                                      // --show-output
    bool open_page = false;                                        // --open
    bool message_leaks = true;                          // --no-message-leaks: leak/message is a note, no violation
    bool warns_unusual = false;                         // --warn unusual
    bool checks_buffers = false;                        // --check-buffers
    std::vector<int> good_exits;                        // --exit-ok STATUS,...
    std::vector<std::string> wrappers;                  // --wrapper NAME, repeatable
    int verbosity = 0;                                  // --verbose 1, --quiet -1
    ProgressKind progress = ProgressKind::automatic;    // --progress auto|line|json|none
    KeptOutput keep_output = KeptOutput::findings;      // --keep-output all|findings
    std::optional<std::filesystem::path> junit;         // --junit FILE
    std::optional<std::filesystem::path> sarif;         // --sarif FILE
    std::optional<std::filesystem::path> code_quality;  // --code-quality FILE
    std::optional<std::filesystem::path> trace;         // --trace FILE
    std::optional<std::filesystem::path> baseline;      // --baseline FILE
    std::optional<std::filesystem::path> suppressions;  // --suppressions FILE
    bool gen_suppressions = false;                      // --gen-suppressions
    std::vector<std::string> fail_on;                   // --fail-on WORD,...; empty: new with a baseline, otherwise all
    std::vector<std::string> expect;                    // --expect KIND,...
    bool incomplete_ok = false;                         // --incomplete-ok
    bool minimize = false;                              // --minimize
    bool explain_order = false;                         // --explain-order
    std::optional<std::filesystem::path> corpus;        // --corpus DIR
    std::optional<std::filesystem::path> suite;         // --suite FILE
    bool corpus_add = false;                            // --corpus-add
    std::optional<std::filesystem::path> cache;         // --cache DIR
    std::vector<std::filesystem::path> cache_inputs;    // --cache-input FILE, repeatable
    std::string program;                                // empty with --resume alone: the sweep's own
    std::vector<std::string> arguments;
    std::filesystem::path standard_input;  // the file that `<` would name; empty: none that it could
    /// The options that were given, whatever their values, by their long names where they have one: "-n", "--jobs".
    std::set<std::string> given;

    bool operator==(const Options&) const = default;

    [[nodiscard]] clocks::Protocol protocol() const {
        return clock.value_or(processes <= most_processes_for_vector_clocks ? clocks::Protocol::vector
                                                                            : clocks::Protocol::lamport);
    }
};

}  // namespace dampi::scheduler
