// Starts one MPI job on this machine and sees it to its end: the ranks are children of this process, which
// serves them MPICH's process-management protocol (PMI version 1) over an inherited socket, so no mpiexec
// is involved. It decides nothing about the program: it reports who exited how, and who asked to abort.
// One thread owns a Job; different threads may own different Jobs.
#pragma once

#include "clocks/types.hpp"

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <sys/types.h>

namespace dampi::replay {

struct JobSpec {
    std::filesystem::path program;       ///< absolute, or relative to the working directory
    std::vector<std::string> arguments;  ///< without argv[0]; never pass through a shell
    int processes = 1;                   ///< 1 or more
    std::vector<std::pair<std::string, std::string>> environment;  ///< added to ours, or replacing
    std::filesystem::path stdout_file;   ///< created or truncated; all ranks append to it
    std::filesystem::path stderr_file;
    bool show_output = false;            ///< also copy it to our own stdout and stderr as it comes
};

/// How a rank's process ended.
struct RankEnd {
    enum class How { running, exited, signalled };
    How how = How::running;
    int code = 0;  ///< exit status, or the signal's number
};

/// A rank (or the MPI library in it) asked through PMI that the whole job be aborted.
struct AbortRequest {
    clocks::Rank rank = 0;
    int code = 0;
};

class Job {
public:
    /// Starts all ranks. Throws dampi::Error when a process cannot be started.
    explicit Job(JobSpec spec);
    /// Kills (SIGKILL) and reaps whatever still runs, including processes the ranks started themselves.
    ~Job();
    Job(const Job&) = delete;
    Job& operator=(const Job&) = delete;

    /// Serves the ranks for at most `patience`; returns earlier when a rank ended or asked to abort.
    void serve(std::chrono::milliseconds patience);

    [[nodiscard]] int processes() const;
    [[nodiscard]] int running() const;  ///< ranks whose process has not been reaped
    [[nodiscard]] pid_t pid(clocks::Rank rank) const;
    [[nodiscard]] RankEnd end_of(clocks::Rank rank) const;
    [[nodiscard]] const std::vector<AbortRequest>& abort_requests() const;

    void kill_rank(clocks::Rank rank);
    void kill_all();  ///< SIGKILL to all, then reaps; returns when none is left

private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace dampi::replay
