// The memory that the ranks of one run share with dampi-run: what lies where. One anonymous memory file per
// run; each rank writes its own part (and marks other ranks' envelopes as taken), dampi-run reads all of it
// and believes nothing before checking it, since the program under test may have overwritten it.
//
// Because the file belongs to dampi-run, what a rank has written survives the rank's death at any
// instruction, and nothing is left behind when dampi-run itself is killed.
//
// All references are offsets from the file's start; 0 means none. Everything is zero at first.
#pragma once

#include "base/types.hpp"
#include "transport/words.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace dampi::transport::memory {

using Offset = std::uint64_t;

inline constexpr std::uint64_t magic = 0x31616572'61706d64;  // "dmpaera1" on disk
inline constexpr std::uint32_t layout_version = 5;
inline constexpr std::size_t name_length = 40;  ///< of a function or feature, with the final zero

/// Sizes are virtual: only pages that are touched exist.
inline constexpr std::uint64_t log_capacity = std::uint64_t{256} << 20;
inline constexpr std::uint64_t posted_capacity = std::uint64_t{1} << 20;  ///< receives pending at once
inline constexpr std::uint64_t slab_capacity = std::uint64_t{4} << 30;

// ---- clocks --------------------------------------------------------------------------------------------

/// A vector clock that its rank has published; followed by its clocks::VectorClock::Intervals. It is never changed.
struct alignas(8) PublishedClock {
    std::uint64_t intervals;
};

// ---- messages ------------------------------------------------------------------------------------------

/// held: a matched probe has taken the message, and its sender waits for the receive, which has not begun.
enum class EnvelopeState : std::uint32_t { empty, sent, held, taken, withdrawn };

enum EnvelopeFlag : std::uint32_t { flag_synchronous = 1, flag_promised = 2, flag_ready = 4, flag_cancelled = 8 };

/// What travels beside one message, written by the sender before it hands the message to MPI.
struct alignas(64) EnvelopeSlot {
    std::atomic<EnvelopeState> state;
    base::Tag tag;
    base::CommId comm;
    std::uint64_t number;  ///< base::MessageName::number
    ClockName clock;
    std::uint64_t site;            ///< address of the sending call
    ClockName acknowledged_clock;  ///< written by the receiver before `taken`: what who knows of the match knows
    std::uint32_t flags;           ///< EnvelopeFlag
    std::uint32_t buffered;        ///< Envelope::buffered
};
static_assert(sizeof(EnvelopeSlot) == 64);

inline constexpr std::uint32_t envelopes_per_chunk = 15;

struct alignas(64) EnvelopeChunk {
    std::atomic<Offset> next;
    std::uint64_t first_index;
    std::uint8_t padding[48];
    EnvelopeSlot slots[envelopes_per_chunk];
};
static_assert(sizeof(EnvelopeChunk) == 1024);

/// One direction between two ranks: lies in the sender's part, indexed by the destination.
struct alignas(64) QueueHeader {
    std::atomic<Offset> first_chunk;      ///< written by the sender
    std::atomic<std::uint64_t> base;      ///< written by the receiver: all envelopes below are taken
    std::atomic<std::uint64_t> ingested;  ///< written by the receiver: it has seen all envelopes below
};

// ---- receives ------------------------------------------------------------------------------------------

enum class PostedState : std::uint32_t { free, pending };

/// A receive that is posted and not known to have matched.
struct PostedSlot {
    std::atomic<PostedState> state;
    base::Rank source;  ///< as the program asked (any_source stays any_source under a decision)
    base::Tag tag;
    std::uint32_t epoch;  ///< no_epoch for a named source
    base::CommId comm;
    std::uint64_t order;  ///< counts this rank's receives in posting order
    std::uint64_t site;
    ClockName posted_clock;
    std::uint64_t posted_at;       ///< clocks::Posted::at
    std::uint64_t oldest_pending;  ///< clocks::Posted::oldest_pending
    base::Rank forced;             ///< source that MPI was told instead of any, or any_source
    std::uint32_t reserved;
};

// ---- collectives ---------------------------------------------------------------------------------------

/// One rank's part in one collective operation.
struct ContributionSlot {
    std::uint64_t sequence;
    ClockName clock;
    std::uint32_t operation;  ///< which collective; the same number in every rank
    base::Rank root;          ///< -1 for none
    std::atomic<std::uint32_t> readers_left;
    std::uint32_t reduction;  ///< transport::Reduction
    std::uint64_t site;
    std::uint64_t sent;      ///< bytes, as in transport::Contribution
    std::uint64_t received;  ///< bytes, as in transport::Contribution
};

struct ContributionRing {
    Offset previous;      ///< the smaller ring used for sequences below `start`
    std::uint64_t start;  ///< the first sequence number kept here
    std::uint64_t capacity;
    // followed by `capacity` ContributionSlots
};

/// One rank's progress through the collectives of one communicator.
struct alignas(64) CommunicatorRecord {
    Offset next;
    base::CommId comm;
    std::atomic<std::uint64_t> entered;  ///< collectives entered so far; the sequence number of the next
    std::atomic<Offset> ring;
    std::atomic<std::uint32_t> disordered;  ///< not 0: MPI has refused one that had been entered; the numbers are off
};

// ---- what a rank is doing ------------------------------------------------------------------------------

/// Ranks of MPI_COMM_WORLD; followed by `count` base::Rank.
struct alignas(8) RankGroup {
    std::uint64_t count;
};

inline constexpr std::uint32_t wait_items = 16;

/// What a blocked call waits for.
struct WaitList {
    std::uint32_t any;    ///< 1: one of the items is enough (OR); 0: all are needed (AND)
    std::uint32_t count;  ///< items needed
    Offset more;          ///< those beyond wait_items, an array in the rank's slab
    WaitItem items[wait_items];
};

inline constexpr std::size_t most_waiting_threads = 64;

struct BlockedState {
    std::atomic<std::uint64_t> sequence;  ///< odd while being written; changes with every entry and exit
    std::atomic<Activity> activity;
    WaitList waits;  ///< of several threads: of all of them, and one is enough
    /// Which of the program's threads wait so (gettid), as far as there is room; told where there may be several.
    std::uint32_t waiting_count;
    std::int32_t waiting[most_waiting_threads];
    char call[name_length];
    std::uint64_t site;
};

struct NotModelledSlot {
    char name[name_length];
    std::atomic<std::uint64_t> count;
};
inline constexpr std::uint32_t not_modelled_slots = 96;

inline constexpr std::uint32_t crash_frames = 48;

struct CrashInfo {
    std::atomic<std::uint32_t> signal;  ///< written last
    std::uint32_t frames;
    std::uint64_t fault_address;
    std::uint64_t program_counters[crash_frames];  ///< the faulty instruction, then within the calling ones
};

inline constexpr std::size_t arguments_length = 480;  ///< of a call's arguments in words, with the final zero
inline constexpr std::uint32_t situation_frames = 48;

/// The MPI call that the rank's main thread made last. Written with every call, so that the last one is known of a rank
/// that never comes back.
struct alignas(64) LastCall {
    char name[name_length];
    std::uint64_t site;
    std::atomic<std::uint32_t> inside;  ///< 1: it has not returned
};
static_assert(sizeof(LastCall) == 64);

/// What a rank was doing in MPI when the run was over. It writes this once, when it learns of the epilogue.
struct SituationInfo {
    std::atomic<std::uint32_t> written;  ///< 1: the rest is there; written last
    std::uint32_t frames;
    std::uint64_t site;
    char call[name_length];
    char arguments[arguments_length];
    std::uint64_t program_counters[situation_frames];  ///< within the calling instructions, innermost first
};

// ---- the parts -----------------------------------------------------------------------------------------

inline constexpr std::size_t most_library_threads = 16;

/// A thread that polls: the answers "nothing yet" that it has got.
struct PollingThread {
    std::atomic<std::int32_t> id;        ///< gettid
    std::atomic<std::uint32_t> repeats;  ///< 1: it is proven to repeat its polling call as often as it is told so
    std::atomic<std::uint64_t> false_answers;
    /// Those after which it asked again at once: it does nothing but poll.
    std::atomic<std::uint64_t> idle_false_answers;
};
/// Further ones are not seen.
inline constexpr std::size_t most_polling_threads = 8;

struct alignas(64) RankHeader {
    std::atomic<Phase> phase;
    std::atomic<std::uint32_t> settled_round;      ///< the last settle round this rank has answered while blocked
    std::atomic<std::uint64_t> log_length;         ///< bytes of the log that are complete
    std::atomic<std::uint64_t> posted_high;        ///< posted slots ever used
    std::atomic<Offset> first_communicator;        ///< list of CommunicatorRecords
    std::atomic<std::uint64_t> transport_events;   ///< progress calls that did something, where this can be seen
    std::atomic<std::uint64_t> calls;              ///< calls of MPI functions by the program
    std::atomic<std::uint64_t> messages_sent;      ///< envelopes appended
    std::atomic<std::uint64_t> messages_received;  ///< messages that this rank's operations are known to have taken
    std::atomic<std::uint64_t> synchronisations;   ///< collectives entered, on all communicators, and window calls
    std::atomic<std::uint32_t> log_full;           ///< records are missing at the log's end
    /// Synchronous messages to this rank whose senders wait to hear what the receive knew. Senders count it up, this
    /// rank down when it has told (a sender that withdraws a message does, too).
    std::atomic<std::uint32_t> unacknowledged;
    /// dampi-run counts this up to let a polling call answer "nothing yet": otherwise nobody could go on.
    std::atomic<std::uint32_t> poll_release;
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
    std::uint64_t decisions_begin;  ///< indices into the decisions
    std::uint64_t decisions_end;
    Offset turns;  ///< in which the rank's threads issue operations up to its last decision, as TurnEntry
    std::uint64_t turn_count;
    alignas(64) BlockedState blocked;
    alignas(64) CrashInfo crash;
    LastCall last_call;
    std::atomic<std::int32_t>
        failing;  ///< the error that MPI is handing to its handler, which may not come back; 0: none
    alignas(64) SituationInfo situation;
    alignas(64) NotModelledSlot not_modelled[not_modelled_slots];
};

/// replay::ThreadTurn
struct TurnEntry {
    std::uint32_t thread;
    std::uint32_t operations;
};

/// A decision as the ranks read it; sorted by (rank, index).
struct DecisionEntry {
    base::Rank rank;
    std::uint32_t index;
    base::CommId comm;
    base::Tag tag;
    base::Rank source;            ///< any_source for choices among requests
    std::uint32_t kind;           ///< replay::EpochKind
    std::uint32_t open;           ///< 1: only the false answers are decided
    std::uint32_t false_answers;  ///< of a polling call, before it answers
    std::uint32_t completed_count;
    std::uint64_t completed_begin;  ///< index of the first position to report, in the positions behind the decisions
};

enum Mark : std::uint32_t {
    mark_postings = 1,
    mark_buffered = 2,
    mark_windows = 8,
    marks_doubtful = 4,  ///< there may be an order between ranks that clocks do not know of
};

struct alignas(64) AreaHeader {
    std::uint64_t magic;
    std::uint32_t version;
    std::uint32_t processes;
    std::uint64_t total_size;
    Offset decisions;
    std::uint64_t decision_count;
    Offset positions;  ///< of requests that choices are to report, as std::uint32_t: DecisionEntry::completed_begin
    std::uint32_t protocol;              ///< clocks::Protocol
    std::uint32_t virtual_time;          ///< 1: MPI_Wtime counts calls instead of seconds
    std::uint32_t buffering;             ///< replay::Buffering::Kind of standard-mode sends
    std::uint32_t record_stacks;         ///< 1: call stacks and follow-ups of epochs belong into the record
    std::uint32_t piggyback;             ///< replay::Piggyback
    std::uint32_t marks;                 ///< Mark: which are followed (clocks/marks.hpp)
    std::uint64_t free_seed;             ///< replay::Interleaving::free_seed
    std::uint64_t rendezvous_threshold;  ///< messages of so many bytes wait for their receive
    Offset ranks;                        ///< the first rank's part
    std::uint64_t rank_size;             ///< of each rank's part
    /// dampi-run asks blocked ranks to confirm that they are: it counts this up and each rank that is still
    /// blocked, after looking again for progress and for pending receives that have matched, copies it.
    alignas(64) std::atomic<std::uint32_t> settle_round;
};

/// Where things lie within one rank's part.
struct RankLayout {
    std::uint64_t queues;
    std::uint64_t posted;
    std::uint64_t log;
    std::uint64_t slab;
    std::uint64_t size;
};

constexpr RankLayout rank_layout(std::uint32_t processes) {
    constexpr auto page = [](std::uint64_t bytes) { return (bytes + 4095) / 4096 * 4096; };
    RankLayout layout{};
    layout.queues = page(sizeof(RankHeader));
    layout.posted = page(layout.queues + sizeof(QueueHeader) * processes);
    layout.log = page(layout.posted + sizeof(PostedSlot) * posted_capacity);
    layout.slab = page(layout.log + log_capacity);
    layout.size = page(layout.slab + slab_capacity);
    return layout;
}

}  // namespace dampi::transport::memory
