// What a rank of a job that is watched (dampi-watch) tells of itself: a file in memory that the light layer
// (piggyback/watch) writes and the monitor reads, one for each process. Plain data: it names its functions itself, so
// that it depends on no MPI library. The rank never waits for a reader, and a reader believes nothing that it reads.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace dampi::transport::watch {

inline constexpr std::uint64_t board_magic = 0x64616d7069776368;
inline constexpr std::uint32_t board_version = 4;

/// Where the ranks make their boards: the folder; each is "<process id>.board" there.
inline constexpr const char* folder_variable = "DAMPI_WATCH_FOLDER";
/// Where that folder is not, the rank is on another machine than the monitor: the first rank there makes it and starts
/// this program, with `node_option`, which connects to this address and proves this secret.
inline constexpr const char* program_variable = "DAMPI_WATCH_PROGRAM";
inline constexpr const char* address_variable = "DAMPI_WATCH_ADDRESS";
inline constexpr const char* secret_variable = "DAMPI_WATCH_SECRET";
inline constexpr const char* node_option = "--node";

inline constexpr std::size_t most_functions = 768;
inline constexpr std::size_t longest_name = 40;
inline constexpr std::size_t most_threads = 64;
inline constexpr std::size_t most_states = 4096;
inline constexpr std::size_t most_edges = 16384;
inline constexpr std::size_t most_frames = 16;
inline constexpr std::size_t kept_arguments = 6;
inline constexpr std::size_t most_pairs = 8192;  ///< a power of two
inline constexpr std::size_t most_needs = 256;
inline constexpr std::size_t most_communicators = 64;

inline constexpr std::uint32_t none = 0xffffffff;

/// What one thread does. A cache line and a half for itself, since others write beside it.
struct alignas(128) Caller {
    /// Grows when a call begins and when it ends; not with a call that only asks and is told "nothing yet", or again
    /// what it has been told since: that a message is there which nobody receives, or that no request is left.
    std::atomic<std::uint64_t> progress;
    std::atomic<std::uint64_t> vain_polls;
    std::atomic<std::uint32_t> function;  ///< that it is in, or `none`
    std::atomic<std::uint32_t> state;     ///< the call that it is in, or its last one; `none`: not told
    std::atomic<std::uint32_t> polling;   ///< the function of its last call, if that was in vain; or `none`
    std::atomic<std::uint32_t> in_use;
    std::atomic<std::uint32_t> again;                                  ///< its last call has been told so again
    std::atomic<std::int32_t> thread;                                  ///< as the kernel numbers it
    std::array<std::atomic<std::uint64_t>, kept_arguments> arguments;  ///< of the call that it is in
};

/// A call of the program's: a function at a place that was come to by one way, through the calls on the stack.
struct State {
    std::uint64_t site = 0;   ///< the return address, in the process
    std::uint64_t depth = 0;  ///< of the stack: bytes from where MPI was initialised
    std::uint32_t function = none;
    std::uint32_t frames = 0;
    std::array<std::uint64_t, most_frames> stack{};  ///< return addresses, innermost first
    /// Where in the process's stack each of them stands, in bytes from the call's own frame; 0: that is not known, or
    /// not looked at: it is not on the first thread's stack.
    std::array<std::uint32_t, most_frames> slot{};
    std::atomic<std::uint64_t> entries{0};
    std::atomic<std::uint32_t> first_edge{none};
};

/// One call followed another one.
struct Edge {
    std::uint32_t to = none;
    std::uint32_t next = none;  ///< of the same state
    std::atomic<std::uint64_t> count{0};
};

// What follows is for deciding deadlocks from facts: which messages have been sent and received, and what the rank's
// call waits for. Counts err on the side of more that is on its way: a message counts as sent before MPI is asked to
// send it, and as received after its receive has been completed; a receive is posted before it is, and until it has
// been completed.

/// The name of MPI_COMM_WORLD. Those of others follow from how they were made, so that all members have the same.
inline constexpr std::uint64_t world_name = 1;
/// As a peer or a tag.
inline constexpr std::int32_t anything = -1;

/// For one communicator no two pairs of a peer and a tag have the same (splitmix64's finalizer is a bijection). Never
/// 0.
inline std::uint64_t key_of_pair(std::uint64_t communicator, std::int32_t peer, std::int32_t tag) {
    std::uint64_t key = communicator * 0x9e3779b97f4a7c15U +
                        (std::uint64_t{static_cast<std::uint32_t>(peer)} << 32U | static_cast<std::uint32_t>(tag));
    key = (key ^ (key >> 30U)) * 0xbf58476d1ce4e5b9U;
    key = (key ^ (key >> 27U)) * 0x94d049bb133111ebU;
    key ^= key >> 31U;
    return key != 0 ? key : 1;
}

/// Messages between this rank and another one in a communicator, with a tag; with the tag `anything`: with all tags. Of
/// `posted` the peer may be `anything`, too.
struct Pair {
    std::atomic<std::uint64_t> key;  ///< 0: an empty slot
    std::atomic<std::uint64_t> sent;
    std::atomic<std::uint64_t> received;
    std::atomic<std::uint64_t> posted;  ///< receives that ask for just this and have not been completed
};

struct Communicator {
    std::atomic<std::uint64_t> name;  ///< 0: none
    std::atomic<std::int32_t> size;
    std::atomic<std::int32_t> own;  ///< this rank's number in it
    std::atomic<std::uint64_t> collectives;
    std::atomic<std::uint64_t> received;   ///< messages, whoever sent them
    std::atomic<std::uint64_t> anonymous;  ///< of these, who sent them is not known
};

enum class NeedKind : std::uint32_t {
    message,      ///< from the peer, or from anybody
    receipt,      ///< of a synchronous message by the peer
    room,         ///< likewise of a standard message, if MPI does not buffer it
    all_enter,    ///< a collective: every member
    peer_enters,  ///< likewise: the peer
    lower_enter,  ///< likewise: the members before this one
    unknown,      ///< something that cannot be told
};

/// One thing that the call waits for.
struct Need {
    std::atomic<NeedKind> kind;
    std::atomic<std::uint32_t> communicator;  ///< its place in the board
    std::atomic<std::int32_t> peer;           ///< a rank in MPI_COMM_WORLD
    std::atomic<std::int32_t> tag;
    /// Of a collective: so many have been entered with it. Of a message that was sent: likewise, with this tag to this
    /// peer; 0: not known.
    std::atomic<std::uint64_t> number;
};

/// Why the counts of this rank say nothing: bits.
namespace doubt {
inline constexpr std::uint32_t threads = 1;          ///< several threads call MPI
inline constexpr std::uint32_t failed_call = 2;      ///< a call of MPI has not succeeded
inline constexpr std::uint32_t unfollowed = 4;       ///< a call whose messages are not followed: MPI_Cancel, ...
inline constexpr std::uint32_t no_room = 8;          ///< too many peers, requests or communicators
inline constexpr std::uint32_t error_handlers = 16;  ///< of the program, which may do anything within any call
inline constexpr std::uint32_t hidden_calls = 32;    ///< a binding of the MPI library's calls it without the layer
inline constexpr std::uint32_t not_begun = 64;       ///< MPI_Init has not returned
}  // namespace doubt

struct Traffic {
    std::atomic<std::uint32_t> doubts;
    std::atomic<std::uint32_t> tags_lost;     ///< there was no room for all: only the counts of all tags are true
    std::atomic<std::uint32_t> callbacks;     ///< MPI_Finalize may call the program back
    std::atomic<std::uint32_t> thread_level;  ///< as MPI has provided it
    std::atomic<std::uint32_t> needs;         ///< of the call that the rank is in
    std::atomic<std::uint32_t> any;           ///< one of them is enough
    std::array<Need, most_needs> need;
    std::array<Communicator, most_communicators> communicator;
    std::array<Pair, most_pairs> pair;
};

struct Board {
    std::atomic<std::uint64_t> magic;  ///< written last
    std::uint32_t version;
    std::int32_t process;
    std::atomic<std::int32_t> rank;  ///< in MPI_COMM_WORLD; -1 before MPI_Init has returned
    std::atomic<std::int32_t> size;
    std::atomic<std::uint32_t> ended;  ///< MPI_Finalize has returned
    std::uint32_t functions;
    std::array<std::array<char, longest_name>, most_functions> names;
    std::array<Caller, most_threads> callers;  ///< the first is the thread whose calls are the states
    std::atomic<std::uint32_t> callers_used;   ///< no later one has ever been in use
    std::atomic<std::uint32_t> more_threads;   ///< than there is room for: their calls are not seen
    std::atomic<std::uint32_t> states;
    std::atomic<std::uint32_t> edges;
    std::atomic<std::uint64_t> lost;  ///< transitions for which there was no room
    Traffic traffic;                  ///< of the first caller
    std::array<State, most_states> state;
    std::array<Edge, most_edges> edge;
};
static_assert(std::is_standard_layout_v<Board>);

}  // namespace dampi::transport::watch
