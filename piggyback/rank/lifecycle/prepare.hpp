// The inside of a prepared process (launch/prepared_program.hpp): it stops just before main, or behind MPI_Init,
// and forks ranks there on request. What is done before that must be the same in every rank; where it is not, the
// process says so and ends.
#pragma once

namespace dampi::piggyback {

/// Whether dampi-run started this process to be prepared. From then on its variable is out of the environment.
bool is_to_be_prepared() noexcept;

/// How a process that is forked here becomes a rank (lifecycle/attach.hpp). To be called before anything else.
void make_ranks_by(bool (*attach)(const char* path)) noexcept;

using Main = int (*)(int, char**, char**);

/// What is to be called in the place of the program's main: in a process that is to be prepared it serves until it is
/// in a rank, and then calls main.
[[nodiscard]] Main around(Main main) noexcept;

/// To be called when the program calls MPI and there is no rank yet, with the function's name and arguments as a Call
/// has them. In a process that is to stand behind MPI_Init, and has now come to it, MPI is initialised, and this
/// returns in the ranks.
void stand_behind_init(const char* function, const void* arguments) noexcept;

/// Whether MPI was initialised in this process before it was a rank.
[[nodiscard]] bool has_been_initialised() noexcept;

/// Whether that is so and main has not been called, or MPI_Init where ranks are forked behind it.
[[nodiscard]] bool ranks_may_differ() noexcept;

/// Likewise, and main has begun: what it does is done once for all ranks.
[[nodiscard]] bool is_in_main_of_all() noexcept;

/// The rank has seen something that is another thing in each process, so that no copy of it can go on in its place:
/// `why`, with a static lifetime.
void note_own_of_process(const char* why) noexcept;
/// Whether that is so already.
[[nodiscard]] bool has_seen_own_of_process() noexcept;

/// What a rank does on its way from one run to another: each is called once, in this order, in the process that goes.
/// They throw nothing.
struct ChangeOfRun {
    void (*leave)() noexcept;                                        ///< the memory of the run, in the holder
    void (*enter)(const char* area, const char* exchange) noexcept;  ///< that of the other, in a rank: the paths
};

/// In a rank that waits for the scheduler: forks its holder in a snapshot (launch/program_snapshot.hpp), as
/// dampi-run has asked for through the PMI socket. Returns in the rank, whether or not that was possible, and in each
/// rank that the holder forks later.
void hold_snapshot(const ChangeOfRun& change) noexcept;

/// Something before that is not the same in every rank: `why` ends in "before main". Does not return unless
/// ranks_may_differ() is false; then it does nothing.
void not_the_same_in_ranks(const char* why) noexcept;

}  // namespace dampi::piggyback
