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
#include "transport/board.hpp"
#include "transport/run_terms.hpp"
#include "transport/words.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace dampi::transport::memory {

using Offset = std::uint64_t;

inline constexpr std::uint64_t magic = 0x31616572'61706d64;  // "dmpaera1" on disk
inline constexpr std::uint32_t layout_version = 9;

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

enum EnvelopeFlag : std::uint32_t {
    flag_synchronous = 1,
    flag_promised = 2,
    flag_ready = 4,
    flag_cancelled = 8,
    flag_timed = 16,  ///< EnvelopeChunk::sent_at is written
};

/// What travels beside one message, written by the sender before it hands the message to MPI.
struct alignas(64) EnvelopeSlot {
    std::atomic<EnvelopeState> state;
    base::Tag tag;
    base::CommId comm;
    std::uint64_t number;  ///< base::MessageName::number
    ClockName clock;
    std::uint64_t site;  ///< address of the sending call
    /// TypedData::hash, until the receiver writes, before `taken`, what who knows of the match knows (a ClockName).
    std::uint64_t hash_or_acknowledgement;
    /// TypedData: the datatype's number and, in the lower bits (bits_of_items), the items; until the receiver writes,
    /// before `taken`, Acknowledgement::posted_at.
    std::uint64_t data_or_posted_at;
    std::uint32_t flags;     ///< EnvelopeFlag
    std::uint32_t buffered;  ///< Envelope::buffered
};
static_assert(sizeof(EnvelopeSlot) == 64);
inline constexpr unsigned bits_of_items = 40;
static_assert(TypeTable::most_types < std::uint64_t{1} << (64 - bits_of_items));

inline constexpr std::uint32_t envelopes_per_chunk = 14;

struct alignas(64) EnvelopeChunk {
    std::atomic<Offset> next;
    std::uint64_t first_index;
    VirtualTime sent_at[envelopes_per_chunk];  ///< Envelope::sent_at, by slot
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
    TypedData sent_data;
    TypedData received_data;
    std::uint64_t arguments;  ///< a digest, as in transport::Contribution
    Token shares;
    VirtualTime entered_at;
};

struct ContributionRing {
    Offset previous;      ///< the smaller ring used for sequences below `start`
    std::uint64_t start;  ///< the first sequence number kept here
    std::uint64_t capacity;
    // followed by `capacity` ContributionSlots
};

/// One for the collective that somebody looks at, and one for that which the rank may have gone on to; a third, so that
/// neither is overwritten before the rank has said that it has gone on once more.
inline constexpr std::uint64_t glances_kept = 3;

/// One rank's progress through the collectives of one communicator.
struct alignas(64) CommunicatorRecord {
    Offset next;
    base::CommId comm;
    std::atomic<Offset> ring;
    std::atomic<std::uint32_t> disordered;  ///< not 0: MPI has refused one that had been entered; the numbers are off
    /// All that others need of a collective in which each does the same, in one cache line.
    alignas(64) std::atomic<std::uint64_t> entered;  ///< collectives entered so far; the sequence number of the next
    Glance glances[glances_kept];                    ///< of the latest, each where its number says
};

static_assert(sizeof(CommunicatorRecord) == 128);

// ---- the parts -----------------------------------------------------------------------------------------

/// Ranks of MPI_COMM_WORLD; followed by `count` base::Rank.
struct alignas(8) RankGroup {
    std::uint64_t count;
};

/// Where the transport's own part of a rank is.
struct alignas(64) RankPlaces {
    std::atomic<std::uint64_t> log_length;   ///< bytes of the log that are complete
    std::atomic<std::uint64_t> posted_high;  ///< posted slots ever used
    std::atomic<Offset> first_communicator;  ///< list of CommunicatorRecords
    std::uint64_t decisions_begin;           ///< indices into the decisions
    std::uint64_t decisions_end;
    Offset turns;  ///< in which the rank's threads issue operations up to its last decision, as TurnEntry
    std::uint64_t turn_count;
    /// Synchronous messages to this rank whose senders wait to hear what the receive knew. Senders count it up, this
    /// rank down when it has told (a sender that withdraws a message does, too).
    alignas(64) std::atomic<std::uint32_t> unacknowledged;
};

struct alignas(64) RankHeader : RankPlaces, Board {};

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
    std::uint32_t poll;           ///< replay::Outcome::poll
    std::uint32_t open;           ///< 1: only the false answers are decided
    std::uint32_t false_answers;  ///< of a polling call, before it answers
    std::uint32_t additional;     ///< replay::Decision::additional
    std::uint32_t released;       ///< replay::Outcome::released
    std::uint32_t completed_count;
    std::uint64_t completed_begin;  ///< index of the first position to report, in the positions behind the decisions
};

struct alignas(64) AreaHeader : RunTerms {
    std::uint64_t magic;
    std::uint32_t version;
    std::uint64_t total_size;
    Offset decisions;
    std::uint64_t decision_count;
    Offset positions;  ///< of requests that choices are to report, as std::uint32_t: DecisionEntry::completed_begin
    Offset ranks;      ///< the first rank's part
    std::uint64_t rank_size;  ///< of each rank's part
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
