// What a Job is to do, and what it says of its ranks: values. job.hpp tells what they mean together.
#pragma once

#include "base/types.hpp"
#include "launch/launcher_command.hpp"
#include "launch/processors.hpp"

#include <filesystem>
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
    /// Only these of the job's ranks are started, one after the other from `first` on: the rest are elsewhere, and here
    /// they count as taken. Not with a launcher or a snapshot. Without it: all.
    struct Some {
        base::Rank first = 0;
        int count = 1;
    };
    std::optional<Some> some = {};
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
    pid_t crew = 0;             ///< what crew() of an earlier Job said: if possible, its ranks come back for this
    bool keeps_memory = false;  ///< of prepared ranks, as it is in the beginning (ForkRequest::keeps_memory)
    int processor =
        any_processor;  ///< that ranks which come back, or go on from a snapshot, keep to until Job::leave_processor()
    std::filesystem::path stdout_file;  ///< created or truncated; all ranks append to it; empty: kept nowhere
    std::filesystem::path stderr_file;  ///< may be the same file as stdout_file
    bool separate_errors = false;       ///< each rank has an error stream of its own, which errors_of() tells of
    bool same_addresses = false;        ///< a program has the same ones in each rank, where the system allows that
    bool show_output = false;           ///< also copy it to our own stdout and stderr as it comes
    std::vector<int> inherited;         ///< our descriptors (3 or more) that each rank gets under the same number;
                                        ///< none with a launcher
    std::optional<Launcher> launcher;   ///< starts the ranks in our place
    int also_watched = -1;              ///< serve() comes back when this descriptor can be read; not with a launcher
    std::stop_token stop;               ///< no longer waits for ranks that the launcher has not started yet
};

/// How a rank's process ended.
struct RankEnd {
    /// taken: another process manager ended it, or it went with its launcher, or it is none of this Job's; nothing is
    /// known about the program.
    enum class How { running, exited, signalled, taken };
    How how = How::running;
    int code = 0;  ///< exit status, or the signal's number
};

/// A rank (or the MPI library in it) asked through PMI that the whole job be aborted.
struct AbortRequest {
    base::Rank rank = 0;
    int code = 0;
};

}  // namespace dampi::launch
