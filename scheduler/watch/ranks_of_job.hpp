// Finds the ranks of a job among the processes of this machine, by what their launcher has put into their environment,
// whatever MPI library they use. Reads /proc only.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

namespace dampi::scheduler::watch {

struct RankProcess {
    int rank = 0;
    int size = 0;  ///< of its job; 0: not known
    pid_t process = 0;
    bool operator==(const RankProcess&) const = default;
};

/// Whether a file whose path has this in it is mapped into the process.
[[nodiscard]] bool has_loaded(pid_t process, std::string_view library);

/// The ranks among these processes and all that they have started, by rank. Of processes with the same rank the one
/// that uses an MPI library, or else the innermost, since a script in between has the variables too. Where nothing says
/// who has which rank, the processes that use an MPI library, in the order of their numbers.
[[nodiscard]] std::vector<RankProcess> find_ranks(const std::vector<pid_t>& roots);

/// The processes of this user's on this machine that belong to the job of Slurm with this number.
[[nodiscard]] std::vector<pid_t> processes_of_slurm_job(const std::string& job);

}  // namespace dampi::scheduler::watch
