// Starts one MPI job on this machine and sees it to its end: the ranks are children of this process, which
// serves them MPICH's process-management protocol (PMI version 1) over an inherited socket, so no mpiexec
// is involved. It decides nothing about the program: it reports who exited how, and who asked to abort.
// With JobSpec::launcher another process manager starts the ranks on this machine instead (command_job.hpp); all else
// is the same. One thread owns a Job; different threads may own different Jobs. The ranks are killed by the kernel when
// the thread that made the Job (those of a PreparedProgram: when it) ends, however it ends (kill -9 of this process
// included); guard.hpp then sees to the rest.
//
// Rank 0 reads our standard input if that is a regular file, at the position where we got it and anew for
// each Job; otherwise, and in all other ranks, standard input is empty.
#pragma once

#include "base/types.hpp"
#include "launch/launcher_command.hpp"
#include "launch/processors.hpp"

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include <sys/types.h>

namespace dampi::launch {

class PreparedProgram;
class ProgramSnapshot;

struct JobSpec {
    std::filesystem::path program;       ///< absolute, or relative to the working directory
    std::string argv0;                   ///< the name the program gets as argv[0]; empty: `program`
    std::vector<std::string> arguments;  ///< without argv[0]; never pass through a shell
    int processes = 1;                   ///< 1 or more
    /// Of the ranks, absolute; empty: ours. Only with `program` absolute, and neither `prepared` nor `snapshot`.
    std::filesystem::path working_directory;
    std::vector<std::pair<std::string, std::string>> environment;      ///< added to ours, or replacing
    std::vector<std::pair<std::string, std::string>> run_environment;  ///< added after that, another in each Job
    /// Forks the ranks where it can; made with a JobSpec that is the same as this one up to `environment`. It outlives
    /// the Job.
    PreparedProgram* prepared = nullptr;
    /// Forks the ranks instead, as they stood in an earlier Job of the same program, whose output comes first. It
    /// outlives the Job.
    ProgramSnapshot* snapshot = nullptr;
    pid_t crew = 0;                 ///< what crew() of an earlier Job said: if possible, its ranks come back for this
    int processor = any_processor;  ///< that ranks which come back keep to, unless they go on for long
    std::filesystem::path stdout_file;  ///< created or truncated; all ranks append to it; empty: kept nowhere
    std::filesystem::path stderr_file;  ///< may be the same file as stdout_file
    bool separate_errors = false;       ///< each rank has an error stream of its own, which errors_of() tells of
    bool show_output = false;           ///< also copy it to our own stdout and stderr as it comes
    std::vector<int> inherited;         ///< our descriptors (3 or more) that each rank gets under the same number;
                                        ///< none with a launcher
    std::optional<Launcher> launcher;   ///< starts the ranks in our place
    std::stop_token stop;               ///< no longer waits for ranks that the launcher has not started yet
};

/// How a rank's process ended.
struct RankEnd {
    /// taken: another process manager ended it, or it went with its launcher; nothing is known about the program.
    enum class How { running, exited, signalled, taken };
    How how = How::running;
    int code = 0;  ///< exit status, or the signal's number
};

/// A rank (or the MPI library in it) asked through PMI that the whole job be aborted.
struct AbortRequest {
    base::Rank rank = 0;
    int code = 0;
};

class JobDriver;

class Job {
public:
    /// Starts all ranks. Throws SnapshotLost when one cannot be forked from spec.snapshot; dampi::Error when a process
    /// cannot be started or a file cannot be opened, or when the launcher does not do what it should; then none is left
    /// running.
    explicit Job(JobSpec spec);
    /// Kills (SIGKILL) and reaps whatever still runs, including processes the ranks started themselves.
    ~Job();
    Job(const Job&) = delete;
    Job& operator=(const Job&) = delete;

    /// Serves the ranks for at most `patience`; returns earlier when a rank ended or asked to abort, when
    /// none is running, or when a signal interrupted the wait. An abort request changes nothing by itself: the
    /// asking rank waits inside MPI_Abort to be killed, as it does under mpiexec; all else is the caller's decision.
    /// The output of ranks whose end is reported has been copied.
    void serve(std::chrono::microseconds patience);

    [[nodiscard]] int processes() const;
    [[nodiscard]] int running() const;               ///< ranks whose process has not been reaped
    [[nodiscard]] pid_t pid(base::Rank rank) const;  ///< names that process only while the rank is running
    [[nodiscard]] RankEnd end_of(base::Rank rank) const;
    /// Whether an MPI library in the rank may have been initialised: with a launcher nobody knows.
    [[nodiscard]] bool may_have_begun(base::Rank rank) const;
    [[nodiscard]] const std::vector<AbortRequest>& abort_requests() const;
    /// After kill_all(): the name of the ranks if all have come back and wait to be another Job's; 0: they do not.
    [[nodiscard]] pid_t crew() const;
    /// After kill_all(): why not all that the ranks have printed is in its files; empty: it is.
    [[nodiscard]] std::string output_failure() const;
    /// With separate_errors, after kill_all(): what the rank wrote to its standard error, a beginning of it if it is
    /// very much; nothing with a launcher.
    [[nodiscard]] std::string errors_of(base::Rank rank) const;
    /// The launcher's command, whether it has ended, and the last lines it printed, for people; empty without one.
    [[nodiscard]] std::string launcher_state() const;

    /// Makes a snapshot of the ranks, all of which wait for us outside the program. `tell` has each of them call
    /// piggyback::hold_snapshot(). None: it cannot be, and `why_not` says why; all ranks are as they were.
    [[nodiscard]] std::unique_ptr<ProgramSnapshot> snapshot(const std::function<void()>& tell, std::string& why_not);

    void kill_rank(base::Rank rank);
    /// SIGKILL to all ranks and to what they started (their process group; a process that left the group by
    /// itself escapes), then reaps; returns when no rank is left.
    void kill_all();

private:
    class Impl;
    std::unique_ptr<JobDriver> driver_;
};

}  // namespace dampi::launch
