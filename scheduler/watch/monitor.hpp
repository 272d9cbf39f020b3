// Watches a job from its start to its end: looks at its ranks, has the detector judge, looks once more and at the
// stacks of all when it suspects a hang, and says what it has found. The job runs as it would without it.
#pragma once

#include "scheduler/watch/detector.hpp"
#include "scheduler/watch/hang_report.hpp"
#include "scheduler/watch/watched_job.hpp"

#include <atomic>
#include <filesystem>
#include <iosfwd>
#include <string>
#include <vector>

namespace dampi::scheduler::watch {

enum class OnHang : std::uint8_t {
    report,   ///< says so and goes on watching
    kill,     ///< and ends the job
    core,     ///< and has each rank dump its core
    command,  ///< and executes a command with the report's file as its argument
};

class RemoteMonitors;

struct MonitorOptions {
    Significance significance;
    OnHang on_hang = OnHang::report;
    std::string command;               ///< for OnHang::command
    std::vector<std::string> job;      ///< what has started it, for people; empty: it ran already
    std::filesystem::path output;      ///< the directory of the reports; made when there is something to report
    std::filesystem::path boards;      ///< where ranks with the light layer tell of themselves; empty: they do not
    bool quiet = false;                ///< says nothing but hangs
    RemoteMonitors* others = nullptr;  ///< those of other machines, with the layer; null: nobody is let in
};

struct WatchResult {
    int hangs = 0;
    bool was_ended = false;  ///< by the monitor, for a hang
};

/// Returns when the job has ended, or the monitor has ended it; or when `stop` is set, a signal's number, which is
/// passed on to a job of its own first. `messages`: for people.
WatchResult watch_job(WatchedJob& job, const MonitorOptions& options, const std::atomic<int>& stop,
                      std::ostream& messages);

}  // namespace dampi::scheduler::watch
