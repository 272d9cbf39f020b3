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

#include "launch/job_values.hpp"

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

class JobDriver;
class ProgramSnapshot;

class Job {
public:
    /// Starts all ranks. Throws SnapshotLost when one cannot be forked from spec.snapshot; dampi::Error when a process
    /// cannot be started or a file cannot be opened, or when the launcher does not do what it should; then none is left
    /// running.
    explicit Job(JobSpec spec);
    /// Of ranks that somebody else starts and sees to their end.
    explicit Job(std::unique_ptr<JobDriver> driver);
    /// Kills (SIGKILL) and reaps whatever still runs, including processes the ranks started themselves.
    ~Job();
    Job(const Job&) = delete;
    Job& operator=(const Job&) = delete;

    /// Serves the ranks for at most `patience`; returns earlier when a rank ended or asked to abort, when
    /// none is running, when spec.also_watched can be read, or when a signal interrupted the wait. An abort request
    /// changes nothing by itself: the asking rank waits inside MPI_Abort to be killed, as it does under mpiexec; all
    /// else is the caller's decision. The output of ranks whose end is reported has been copied.
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

    /// From now on the ranks run where the system wants (JobSpec::processor).
    void leave_processor();

    void kill_rank(base::Rank rank);
    /// SIGKILL to all ranks and to what they started (their process groups; a process that left its group by
    /// itself escapes), then reaps; returns when no rank is left.
    void kill_all();

private:
    class Impl;
    std::unique_ptr<JobDriver> driver_;
};

}  // namespace dampi::launch
