// What a rank shows of itself while it runs: where it stands, what it waits for, what it did last, how it died. Only
// the rank writes it (dampi-run counts up `poll_release`, and writes `released_polls`); dampi-run reads it at any time,
// also after the rank's death, and believes nothing before checking it. All of it is zero at first.
#pragma once

#include "transport/words.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace dampi::transport {

inline constexpr std::size_t name_length = 40;  ///< of a function or feature, with the final zero
inline constexpr std::uint32_t wait_items = 16;
inline constexpr std::size_t most_waiting_threads = 64;
inline constexpr std::uint32_t not_modelled_slots = 96;
inline constexpr std::uint32_t crash_frames = 48;
inline constexpr std::size_t arguments_length = 480;  ///< of a call's arguments in words, with the final zero
inline constexpr std::uint32_t situation_frames = 48;
inline constexpr std::size_t most_library_threads = 16;
inline constexpr std::size_t most_polling_threads = 8;

struct alignas(64) Board {
    /// What a blocked call waits for.
    struct WaitList {
        std::uint32_t any;    ///< 1: one of the items is enough (OR); 0: all are needed (AND)
        std::uint32_t count;  ///< items needed
        Token more;           ///< those beyond wait_items, a list (RankPort::make_list)
        WaitItem items[wait_items];
    };

    struct Blocked {
        std::atomic<std::uint64_t> sequence;  ///< odd while being written; changes with every entry and exit
        std::atomic<Activity> activity;
        WaitList waits;  ///< of several threads: of all of them, and one is enough
        /// Which of the program's threads wait so (gettid), as far as there is room; told where there may be several.
        std::uint32_t waiting_count;
        std::int32_t waiting[most_waiting_threads];
        char call[name_length];
        std::uint64_t site;
    };

    struct NotModelled {
        char name[name_length];
        std::atomic<std::uint64_t> count;
        std::atomic<std::uint64_t> site;  ///< of the first call; 0: not known
    };

    struct Crash {
        std::atomic<std::uint32_t> signal;  ///< written last
        std::uint32_t frames;
        std::uint64_t fault_address;
        std::uint64_t program_counters[crash_frames];  ///< the faulty instruction, then within the calling ones
        std::uint64_t main_function;                   ///< of an exit: where the program's main begins; 0: not known
        /// Of any exit: the status that the program gave to exit() or returned from main, plus one; 0: it did neither.
        std::atomic<std::uint32_t> exit_status;
    };

    /// The MPI call that the rank's main thread made last. Written with every call, so that the last one is known of a
    /// rank that never comes back.
    struct alignas(64) LastCall {
        char name[name_length];
        std::uint64_t site;
        std::atomic<std::uint32_t> inside;  ///< 1: it has not returned
    };

    /// What a rank was doing in MPI when the run was over. It writes this once, when it learns of the epilogue.
    struct Situation {
        std::atomic<std::uint32_t> written;  ///< 1: the rest is there; written last
        std::uint32_t frames;
        std::uint64_t site;
        char call[name_length];
        char arguments[arguments_length];
        std::uint64_t program_counters[situation_frames];  ///< within the calling instructions, innermost first
    };

    /// A thread that polls: the answers "nothing yet" that it has got.
    struct PollingThread {
        std::atomic<std::int32_t> id;  ///< gettid
        /// So many polling calls it is proven to repeat in turn, as long as nothing comes for any of them; 0: none.
        std::atomic<std::uint32_t> repeats;
        std::atomic<std::uint64_t> false_answers;
        /// Those after which it asked again at once: it does nothing but poll.
        std::atomic<std::uint64_t> idle_false_answers;
    };

    std::atomic<Phase> phase;
    std::atomic<std::uint32_t> settled_round;      ///< the last settle round this rank has answered while blocked
    std::atomic<std::uint64_t> transport_events;   ///< progress calls that did something, where this can be seen
    std::atomic<std::uint64_t> calls;              ///< calls of MPI functions by the program
    std::atomic<std::uint64_t> messages_sent;      ///< envelopes appended
    std::atomic<std::uint64_t> messages_received;  ///< messages that this rank's operations are known to have taken
    std::atomic<std::uint64_t> synchronisations;   ///< collectives entered, on all communicators, and window calls
    std::atomic<std::uint32_t> log_full;           ///< records are missing at the log's end
    /// dampi-run writes this: up to here the rank sleeps no longer, and its timers go off, where time is virtual.
    std::atomic<VirtualTime> granted;
    /// dampi-run counts this up to let a polling call answer "nothing yet": otherwise nobody could go on.
    std::atomic<std::uint32_t> poll_release;
    /// Written before that: to how many such calls in a row that applies, as long as nothing else happens.
    std::atomic<std::uint32_t> released_polls;
    std::atomic<VirtualTime> clock;   ///< what the program's clocks have told last, where time is virtual
    std::atomic<VirtualTime> passed;  ///< how much of it has passed for this rank, without what looks at clocks take
    std::atomic<VirtualTime> timer;   ///< when the program's next timer goes off, likewise; 0: none is set
    /// After a polling call that has answered "nothing yet": how often in this sequence, and its epoch. It tells what
    /// the program did before it died.
    std::atomic<std::uint32_t> polling_false_answers;  ///< 0: no such call was the last one
    std::atomic<std::uint32_t> polling_epoch;
    /// How many other threads there are that may call MPI while one blocks: if any, the rank is blocked when each of
    /// them waits in MPI or for such a thread.
    std::atomic<std::uint32_t> multithreaded;
    /// Threads that the MPI library made (gettid), as far as there is room: they do nothing that the program would.
    std::atomic<std::uint32_t> library_thread_count;
    std::atomic<std::int32_t> library_threads[most_library_threads];
    std::atomic<std::uint32_t> polling_thread_count;
    PollingThread polling_threads[most_polling_threads];
    std::atomic<std::uint32_t> mismatch;         ///< 1: it has logged a MismatchRecord, so MPI may hang from here on
    std::atomic<std::uint32_t> open_sessions;    ///< while MPI_Init does not keep MPI going as well
    std::atomic<std::uint64_t> session_site;     ///< where the first of them was made
    std::atomic<std::uint64_t> moment[moments];  ///< when, in nanoseconds of CLOCK_MONOTONIC; 0: not yet
    /// EpochContext::follow_up of the rank's latest epoch, as far as it has come.
    std::atomic<std::uint64_t> follow_up;
    alignas(64) Blocked blocked;
    alignas(64) Crash crash;
    LastCall last_call;
    std::atomic<std::int32_t>
        failing;  ///< the error that MPI is handing to its handler, which may not come back; 0: none
    alignas(64) Situation situation;
    alignas(64) NotModelled not_modelled[not_modelled_slots];
};

static_assert(sizeof(Board::LastCall) == 64);

}  // namespace dampi::transport
