// What all ranks of a running job are doing at one moment, as plain values: the picture from which deadlocks
// are decided. Read while the ranks go on.
#pragma once

#include "base/types.hpp"
#include "transport/run_view.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

namespace dampi::scheduler {

/// One thing that a blocked rank waits for; never WaitKind::poll and WaitKind::time, which RankState::polls and
/// RankState::sleeps_until stand for.
struct Wait {
    transport::WaitKind kind = transport::WaitKind::other;
    bool forced = false;
    base::Rank peer = base::any_source;
    base::Tag tag = 0;
    base::CommId comm = 0;
    std::uint64_t number = 0;
    bool synchronous = false;  ///< of a send: it surely waits for its receive; else a buffer may yet be found
    bool held = false;         ///< of a send: a matched probe has its message, whose receive has not begun
    /// It looks as if this could be satisfied right now (a message that fits is on its way, all members of
    /// the collective have entered). What cannot be known counts as "could".
    bool may_be_satisfied = false;
    /// Return address of the call that has made the request; of WaitKind::unlock, of the provider's call that has
    /// locked. 0: there is none.
    std::uint64_t made_at = 0;
    /// Any one of these ranks could satisfy it, and nobody else; those that have ended are included.
    std::vector<base::Rank> providers = {};
};

struct RankState {
    bool alive = true;       ///< its process exists
    bool finalized = false;  ///< it has left MPI_Finalize
    bool blocked = false;
    bool in_library = false;     ///< blocked in a call of the MPI library
    std::uint64_t sequence = 0;  ///< changes whenever the rank enters or leaves a wait
    /// Of the threads that wait for others of the rank, outside MPI: changes with whatever they do.
    std::uint64_t other_threads = 0;
    std::uint32_t settled_round = 0;
    std::uint64_t transport_events = 0;
    std::uint64_t calls = 0;    ///< MPI calls begun
    std::uint64_t traffic = 0;  ///< changes with each message sent or received and each collective entered
    std::vector<transport::PollingThread> polling_threads;
    /// Threads that wait in MPI, or belong to the MPI library: they do nothing by themselves.
    std::vector<pid_t> idle_threads;
    bool multithreaded = false;  ///< several of its threads may call MPI: `waits` are those of all that are blocked
    bool mismatch = false;       ///< it has recorded a collective/mismatch
    bool any = false;            ///< one of the waits is enough
    bool polls = false;          ///< in a polling call, which may answer "nothing yet" instead of waiting on
    bool foreign = false;        ///< it waits for something whose completion cannot be foreseen
    /// It sleeps, until this virtual time.
    std::optional<transport::VirtualTime> sleeps_until = {};
    transport::VirtualTime clock = 0;   ///< what the program's clocks have told last, where time is virtual
    transport::VirtualTime passed = 0;  ///< how much of it has passed for the rank
    transport::VirtualTime timer = 0;   ///< when its next timer goes off, likewise; 0: none is set
    bool timer_is_due = false;          ///< one's time has come: it goes off when the rank looks next
    std::vector<Wait> waits;
    std::string call;
    std::uint64_t site = 0;
};

/// Whether each other thread of the process that these threads are of can be woken by nobody but another thread of it;
/// and if so a number that changes when one of them was (launch/observe/sleeping_threads.hpp).
using OthersSleep = std::function<std::optional<std::uint64_t>(const std::vector<pid_t>& threads)>;

/// `alive[rank]`: whether the rank's process exists. A rank with several threads of which each may call MPI is blocked
/// when all are blocked or wait for such a thread; `others_sleep` is asked that, only where it matters.
std::vector<RankState> read_rank_states(const transport::RunView& run, const std::vector<bool>& alive,
                                        const OthersSleep& others_sleep);

}  // namespace dampi::scheduler
