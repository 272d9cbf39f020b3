// What ranks and dampi-run tell each other of, as plain values: names of clocks, envelopes, posted receives, parts in
// collectives. How they travel is the transport's matter (rank_port.hpp, run_view.hpp).
#pragma once

#include "base/types.hpp"
#include "transport/type_table.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace dampi::transport {

/// A clock as it travels: what its rank has published it as. 0: nothing is known.
using ClockName = std::uint64_t;

/// What somebody else keeps where this rank can find it again; only the transport knows what it means. 0: nothing.
using Token = std::uint64_t;

/// Virtual time of a run: nanoseconds since its beginning.
using VirtualTime = std::uint64_t;

/// The exit status of a rank whose layer cannot go on. Why is in its log or, where it has none yet, in its standard
/// error.
inline constexpr int layer_gave_up = 125;

/// What travels beside one message, written by the sender before it hands the message to MPI.
struct Envelope {
    base::CommId comm = 0;
    base::Tag tag = 0;
    std::uint64_t number = 0;  ///< base::MessageName::number
    ClockName clock = 0;
    std::uint64_t site = 0;  ///< address of the sending call
    bool synchronous = false;
    bool promised = false;       ///< MPI will not refuse the message, and nobody cancels it
    bool ready = false;          ///< of the ready mode, where that is followed
    bool cancelled = false;      ///< the sender has asked MPI to cancel it, noted while nobody had taken it
    std::uint32_t buffered = 0;  ///< 1 + its number among the sender's messages of the buffered mode; 0: not followed
    TypedData data = {};         ///< in the sender's table; no longer known once the message is taken
    VirtualTime sent_at = 0;     ///< Board::passed of the sender; 0 where time is real
};

/// An envelope that this rank has sent, until it is forgotten. A default value stands for no envelope.
struct SentEnvelope {
    base::Rank destination = 0;
    std::uint64_t position = 0;  ///< among all that went to the destination
    void* place = nullptr;       ///< the transport's

    [[nodiscard]] explicit operator bool() const { return place != nullptr; }
};

/// What the sender of a synchronous message is told of the receive that has taken it.
struct Acknowledgement {
    ClockName clock = 0;        ///< what who knows of the match knows
    VirtualTime posted_at = 0;  ///< Board::passed of the receiver when the receive was posted; 0 where time is real
};

/// What has become of one. held: a matched probe has taken the message, and its receive has not begun.
enum class SentState : std::uint8_t { open, held, taken };

/// An envelope that this rank has taken by a matched probe, while the sender waits for the receive. As above.
struct HeldEnvelope {
    void* place = nullptr;

    [[nodiscard]] explicit operator bool() const { return place != nullptr; }
};

/// A message that was sent and that none of its destination's receives will take.
struct Unreceived {
    base::Rank source = 0;
    Envelope envelope;
};

inline constexpr std::uint32_t no_epoch = 0xffffffff;

/// A receive that is posted and not known to have matched.
struct PostedReceive {
    base::ReceiveSpec spec;          ///< as the program asked (any_source stays any_source under a decision)
    std::uint32_t epoch = no_epoch;  ///< no_epoch for a named source
    std::uint64_t order = 0;         ///< counts this rank's receives in posting order
    std::uint64_t site = 0;
    ClockName posted_clock = 0;
    std::uint64_t posted_at = 0;           ///< clocks::Posted::at
    std::uint64_t oldest_pending = 0;      ///< clocks::Posted::oldest_pending
    base::Rank forced = base::any_source;  ///< source that MPI was told instead of any, or any_source
};

/// The root of a collective that has none.
inline constexpr base::Rank no_root = -1;
/// There is a root, but this rank cannot know which (the root's own group in an intercommunicator).
inline constexpr base::Rank unknown_root = -2;

/// Amounts that need not agree between ranks, or are not known.
inline constexpr std::uint64_t unknown_amount = ~std::uint64_t{0};

/// One rank's part in one collective.
struct Contribution {
    std::uint64_t sequence = 0;  ///< counts the communicator's collectives in this rank from 0
    ClockName clock = 0;
    std::uint32_t operation = 0;  ///< collective_operation.hpp
    std::uint32_t reduction = 0;  ///< Reduction
    base::Rank root = no_root;    ///< world rank
    std::uint64_t site = 0;       ///< address of the call
    /// Bytes that each other rank gets from this one, or this one from each other, where all of these amounts must be
    /// the same in all members.
    std::uint64_t sent = unknown_amount;
    std::uint64_t received = unknown_amount;
    /// What these are, where that can be compared: no MPI_BYTE is in it.
    TypedData sent_data = {};
    TypedData received_data = {};
    /// A digest of those arguments that must be the same in all members and are told of in no other way; 0: of none.
    std::uint64_t arguments = 0;
    /// What it gives each other rank, and asks of it (shares.hpp), where that differs between them: a list.
    Token shares = 0;
    VirtualTime entered_at = 0;  ///< Board::passed of the rank; 0 where time is real

    bool operator==(const Contribution&) const = default;
};

/// What can be seen of a contribution without reading it: enough for who has given just the same.
struct Glance {
    ClockName clock = 0;
    std::uint64_t digest = 0;  ///< digest_of() it (collective_mismatch.hpp)
};

/// What is decided for one of this rank's epochs.
struct RankDecision {
    std::uint32_t index = 0;  ///< the epoch's
    std::uint32_t kind = 0;   ///< replay::EpochKind
    base::CommId comm = 0;
    base::Tag tag = 0;
    base::Rank source = base::any_source;      ///< any_source for choices among requests
    std::uint32_t poll = 0;                    ///< of a stretch of polling calls: the number of the one that answers
    bool open = false;                         ///< only the false answers are decided
    std::uint32_t false_answers = 0;           ///< of a polling call, before it answers
    std::uint32_t additional = 0;              ///< replay::Decision::additional
    std::uint32_t released = 0;                ///< replay::Outcome::released
    std::span<const std::uint32_t> completed;  ///< positions of the requests that a choice is to report
};

/// One of this rank's threads issues so many operations; the order of a guided run.
struct RankTurn {
    std::uint32_t thread = 0;  ///< replay::ThreadName
    std::uint32_t operations = 0;
};

// ---- what a rank is doing ------------------------------------------------------------------------------

enum class Phase : std::uint32_t {
    absent,  ///< the layer was never loaded
    starting,
    running,
    finalizing,
    leaving,  ///< all ranks finalize, and it has received what it could
    finalized
};

enum class Activity : std::uint32_t {
    computing,
    blocked,             ///< in a loop of the layer's, which answers settle rounds
    blocked_in_library,  ///< in a call of the MPI library that may block
};

enum class WaitKind : std::uint8_t {
    receive,
    send,
    probe,
    collective,
    leader,    ///< of MPI_Intercomm_create, as if it entered a collective of its own: with the other, or for its group
    post,      ///< of a window, for this rank: MPI_Win_post
    complete,  ///< likewise MPI_Win_complete
    /// Of memory in a window, by everyone who holds a lock of it that is in the way: WaitItem::comm stands for such
    /// locks (lock_records.hpp says who holds one). WaitItem::tag is the world rank whose memory it is, or
    /// base::any_tag for that of all.
    unlock,
    finalize,
    ready,           ///< partitions of a send of its own: nobody else can call MPI_Pready for them
    own_completion,  ///< of a generalized request, which nobody but this rank could say, and it waits
    poll,            ///< beside other items: the call may answer "nothing yet" when nobody else can go on
    time,            ///< the virtual time WaitItem::number, which nobody but dampi-run brings
    other,           ///< something inside the MPI library
    foreign,         ///< a request that the layer does not follow: whatever completes it cannot be seen
};

/// One thing that a blocked call waits for.
struct WaitItem {
    WaitKind kind;
    std::uint8_t forced = 0;             ///< MPI was told this peer although the program named none
    std::uint8_t synchronous = 0;        ///< 1: a send that surely waits for its receive; 0: a buffer may yet be found
    base::Rank peer = base::any_source;  ///< world rank, or any_source
    base::Tag tag = 0;
    base::CommId comm = 0;
    /// A send's message number; a collective's sequence number; a receive's PostedReceive::order + 1, or 0 if not
    /// known; a time.
    std::uint64_t number = 0;
    Token group = 0;            ///< without a peer: those who could be it (RankPort::publish_group()); 0: any rank
    std::uint64_t made_at = 0;  ///< return address of the call that has made the request; 0: it waits for none
};

/// The settle round with which dampi-run ends a run: a blocked rank writes down what it knows and stops.
inline constexpr std::uint32_t epilogue_round = 0xffffffff;

/// What a rank notes the time of.
enum class Moment : std::uint32_t { started, init_entered, init_left, finalize_entered, finalize_left };
inline constexpr std::size_t moments = 5;

// ---- logs ----------------------------------------------------------------------------------------------

inline constexpr std::size_t stack_frames = 64;  ///< of an epoch's call stack

/// Where a rank's log is written (log.hpp): what has been written survives the rank's death.
struct LogRoom {
    std::uint8_t* bytes = nullptr;
    std::uint64_t capacity = 0;
    std::atomic<std::uint64_t>* length = nullptr;  ///< bytes that are complete
    std::atomic<std::uint32_t>* full = nullptr;    ///< 1: records are missing at the end
};

/// What a rank has written into its log so far.
struct LogContent {
    std::span<const std::uint8_t> bytes;
    bool sound = true;  ///< false: the rank has overwritten what says how much that is
};

/// One rank's progress on one communicator.
struct CollectiveProgress {
    base::CommId comm = 0;
    std::uint64_t entered = 0;           ///< collectives entered so far
    std::optional<Contribution> latest;  ///< to the last of them
    bool disordered = false;             ///< MPI has refused one of them, so its numbers are not those of the others
};

}  // namespace dampi::transport
