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
inline constexpr std::uint32_t board_version = 1;

/// Where the ranks make their boards: the folder; each is "<process id>.board" there.
inline constexpr const char* folder_variable = "DAMPI_WATCH_FOLDER";

inline constexpr std::size_t most_functions = 768;
inline constexpr std::size_t longest_name = 40;
inline constexpr std::size_t most_threads = 64;
inline constexpr std::size_t most_states = 4096;
inline constexpr std::size_t most_edges = 16384;
inline constexpr std::size_t most_frames = 12;
inline constexpr std::size_t kept_arguments = 6;

inline constexpr std::uint32_t none = 0xffffffff;

/// What one thread does. A cache line and a half for itself, since others write beside it.
struct alignas(128) Caller {
    /// Grows when a call begins and when it ends; not with a call that only asks and is told "nothing yet".
    std::atomic<std::uint64_t> progress;
    std::atomic<std::uint64_t> vain_polls;
    std::atomic<std::uint32_t> function;  ///< that it is in, or `none`
    std::atomic<std::uint32_t> state;     ///< the call that it is in, or its last one; `none`: not told
    std::atomic<std::uint32_t> polling;   ///< the function of its last call, if that was in vain; or `none`
    std::atomic<std::uint32_t> in_use;
    std::array<std::atomic<std::uint64_t>, kept_arguments> arguments;  ///< of the call that it is in
};

/// A call of the program's: a function at a place, at a depth of the stack, which tells the ways to that place apart.
struct State {
    std::uint64_t site = 0;   ///< the return address, in the process
    std::uint64_t depth = 0;  ///< of the stack: bytes from where MPI was initialised, which ranks have in common
    std::uint32_t function = none;
    std::uint32_t frames = 0;
    std::array<std::uint64_t, most_frames> stack{};  ///< return addresses when it was first met, innermost first
    std::atomic<std::uint64_t> entries{0};
    std::atomic<std::uint32_t> first_edge{none};
};

/// One call followed another one.
struct Edge {
    std::uint32_t to = none;
    std::uint32_t next = none;  ///< of the same state
    std::atomic<std::uint64_t> count{0};
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
    std::array<State, most_states> state;
    std::array<Edge, most_edges> edge;
};
static_assert(std::is_standard_layout_v<Board>);

}  // namespace dampi::transport::watch
