// A prepared process: the program started once, with its libraries loaded and relocated and all constructors run,
// stopped just before main. It forks a rank on request, which costs a fraction of executing the program anew. The rank
// is our own child (CLONE_PARENT): waited for, killed and traced like one that was executed.
//
// Correct programs cannot tell, so this is for programs only whose constructors leave nothing behind that would be
// another thing in each process. Executed for each run are those that before main
//   - run threads, start children, open descriptors, map shared memory, set timers, write anything, read standard
//   input;
//   - call MPI, or ask for the rank (PMI_RANK and the like) or for the process' own number;
//   - ask for the time or for random numbers: what they make of it would be the same in all ranks, and old.
// The environment is complete before the constructors run, but for the rank's own variables. Signal dispositions, the
// signal mask and an alternate stack, which constructors may set, are inherited by fork as they are. Handlers of
// pthread_atfork do not run: there is one thread, so no lock is held, and for the program there has been no fork.
//
// What differs from execution: constructors run once, not in each rank; a file that they write through a mapping or a
// library of its own process is written once. All ranks have the same address space layout and stack guard. The random
// numbers that a constructor takes from the processor or /dev/urandom itself are the same in all ranks: --no-prepare.
//
// A process *behind MPI_Init* has gone further: through main up to MPI_Init or MPI_Init_thread, and through that. It is
// for an engine with which each rank initialises MPI alone, so that up to there all ranks are the same; what is said
// above of constructors holds there for main as well. There main must not change files or read devices, either, since
// it would do so once for all runs.
//
// Ranks of such a process *come back* when they have ended regularly (piggyback/rank/lifecycle/rewind.hpp): they are
// then what they were when they were forked, and can be ranks of another run. Those of one run stay together.
#pragma once

#include "base/unique_fd.hpp"
#include "launch/fork_request.hpp"
#include "launch/processors.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

namespace dampi::launch {

struct JobSpec;

class PreparedProgram {
public:
    /// Where the process stands.
    enum class Point { before_main, behind_init };

    /// Starts the process as `spec` says, with libdampi.so in its environment's LD_PRELOAD, and waits until it stands
    /// there. Never throws because of the program: where it cannot be prepared, obstacle() says why.
    explicit PreparedProgram(const JobSpec& spec, Point point = Point::before_main);
    /// No rank that it started may still be running: those are killed (by the kernel, as if their Job's thread ended).
    ~PreparedProgram();
    PreparedProgram(const PreparedProgram&) = delete;
    PreparedProgram& operator=(const PreparedProgram&) = delete;

    /// Why ranks have to be executed; empty: they can be forked.
    [[nodiscard]] std::string obstacle() const;

    /// A rank's process, which is our child.
    struct Rank {
        pid_t process = 0;
        base::UniqueFd socket;  ///< tells its end (end_told_by) and is asked again; none: it does not come back
        base::UniqueFd pidfd;
        int processor = any_processor;  ///< that it keeps to
    };
    /// None: it is to be executed. A process that has died is started anew, once. May be called by several threads.
    std::optional<Rank> start_rank(const ForkRequest& request);

    /// Ranks of a run that have all come back. Each leads a process group.
    using Crew = std::vector<Rank>;
    /// One of so many ranks, all of which wait, and which is the caller's then, if possible the one that begins
    /// with `wanted`; empty: there is none. May be called by several threads.
    Crew take_crew(std::size_t size, pid_t wanted);
    /// Takes one over whose ranks have all told their ends. May be called by several threads.
    void keep_crew(Crew crew);
    /// Has one of a crew be a rank again. False: it does not answer.
    bool start_again(pid_t process, int socket, const ForkRequest& request) const;
    /// What a rank's socket has to say: the status with which its program has ended. None: nothing that makes sense.
    static std::optional<int> end_told_by(pid_t process, int socket);

private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace dampi::launch
