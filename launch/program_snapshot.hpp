// A moment of a run from which it can go on several times: for each rank a *holder*, a process that the rank has forked
// while it waited for the scheduler. On request a holder forks the rank anew. The holders belong to no run: they are
// children of ours in process groups of their own, which the guard knows, and end with this object.
//
// A copy has the memory of the process, and its descriptors; it has none of the rest: no threads, no timers, another
// process number, and its processor time begins at zero. Files that the rank has changed before stay changed. So this
// is for programs that do nothing of the kind (launch::reaches_outside) and have not asked.
#pragma once

#include "base/check.hpp"
#include "base/types.hpp"
#include "base/unique_fd.hpp"
#include "launch/fork_request.hpp"
#include "launch/guard.hpp"

#include <array>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

namespace dampi::launch {

/// A rank cannot be forked from a snapshot any more: somebody has killed its holder.
class SnapshotLost : public Error {
public:
    using Error::Error;
};

class ProgramSnapshot {
public:
    struct Holder {
        pid_t process = 0;
        base::UniqueFd socket;
    };
    /// What the ranks had written to standard output and standard error.
    using Written = std::array<std::string, 2>;

    ProgramSnapshot(std::vector<Holder> holders, Written written);
    /// No rank that it started may still be running.
    ~ProgramSnapshot();
    ProgramSnapshot(const ProgramSnapshot&) = delete;
    ProgramSnapshot& operator=(const ProgramSnapshot&) = delete;

    /// The process of the rank, our child; none: its holder is lost. May be called by several threads.
    std::optional<pid_t> start_rank(base::Rank rank, const ForkRequest& request);
    [[nodiscard]] const Written& written() const { return written_; }
    /// Bytes of memory that the holders shared with nobody when they were made, were all pages to change since.
    [[nodiscard]] std::uint64_t memory() const { return memory_; }

private:
    const Guard& guard_ = Guard::of_this_process();
    std::mutex mutex_;
    std::vector<Holder> holders_;  // by rank
    Written written_;
    std::uint64_t memory_ = 0;
};

}  // namespace dampi::launch
