// Looks at ranks from outside alone: stops each for about a millisecond and reads its stack, whatever MPI library it
// uses and however it was started. A rank that waits in MPI has got on when anything in the program's own part of its
// stack has changed, or in the registers that it keeps there (a loop's counter stands in one or the other); of one that
// computes that cannot be told. Of a large job only two sets of ten ranks are looked at in turns, as ParaStack does.
#pragma once

#include "launch/observe/observed_process.hpp"
#include "scheduler/watch/look.hpp"
#include "scheduler/watch/ranks_of_job.hpp"

#include <map>
#include <random>
#include <set>
#include <vector>

namespace dampi::scheduler::watch {

/// A rank's own work outside MPI, as the kernel counts it.
struct Work {
    char state = 'X';
    std::uint64_t ticks = 0;
    std::uint64_t io_bytes = 0;
    template <typename Archive>
    void serialize(Archive& archive, unsigned /*version*/) {
        replay::members(archive, state, ticks, io_bytes);
    }
};

/// A thread that is outside MPI, in a function of the program's own file or in what that has called; none that only is
/// there between asking MPI twice.
struct ThreadLook {
    pid_t thread = 0;
    std::uint64_t ticks = 0;               ///< of CPU time
    bool is_in_program = false;            ///< in the program itself, and not in what it has called
    std::vector<replay::CodePlace> stack;  ///< as below
    template <typename Archive>
    void serialize(Archive& archive, unsigned /*version*/) {
        replay::members(archive, thread, ticks, is_in_program, stack);
    }
};

/// A rank as a stack shows it.
struct StackLook {
    RankLook rank;
    std::vector<replay::CodePlace> stack;  ///< innermost first, without the MPI library's own; not resolved
    Work work = {};
    std::vector<ThreadLook> threads = {};  ///< where there are several, and all are looked at
    template <typename Archive>
    void serialize(Archive& archive, unsigned /*version*/) {
        replay::members(archive, rank, stack, work, threads);
    }
};

class StackEye {
public:
    StackEye();

    /// Which ranks there are now.
    void set_ranks(const std::vector<RankProcess>& ranks);
    [[nodiscard]] const std::vector<RankProcess>& ranks() const { return ranks_; }

    /// The ranks whose turn it is; all of them, where they are few.
    [[nodiscard]] Look look();
    /// All ranks. `patience`: for each.
    [[nodiscard]] std::vector<StackLook> look_at_all(std::chrono::milliseconds patience);
    /// Whether this process may look into others at all: false after all stacks of a look have been empty.
    [[nodiscard]] bool can_see() const { return can_see_; }

private:
    enum class Depth : std::uint8_t { until_in_mpi, all_threads };
    [[nodiscard]] StackLook look_at(const RankProcess& rank, std::chrono::milliseconds patience, Depth depth);
    void choose_set();

    /// Seen to ask in vain.
    struct Poll {
        pid_t thread = 0;
        std::string function;
        int looks_since = 0;
    };

    std::vector<RankProcess> ranks_;
    std::map<pid_t, launch::ObservedProcess> observed_;
    std::map<std::uint64_t, std::uint64_t> visits_;  ///< how often somebody was seen at a place
    std::map<pid_t, std::uint64_t> last_place_;
    std::map<pid_t, RankLook> last_seen_;
    std::map<pid_t, Poll> last_poll_;  ///< since which it was seen outside MPI alone
    std::mt19937_64 random_{1};
    std::vector<std::size_t> chosen_, others_;  ///< two sets of ranks that have none in common
    int looks_of_set_ = 0;
    bool can_see_ = true;
};

}  // namespace dampi::scheduler::watch
