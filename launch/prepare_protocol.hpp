// What dampi-run and a prepared process (prepared_program.hpp) say to each other: packets on a socket that the process
// inherits under the number in an environment variable; holders of a snapshot (program_snapshot.hpp) get theirs later.
// The process speaks first: whether it can be used. One that is to go through MPI_Init says so twice: when it is about
// to, and then, after dampi-run has sent a packet, when it has.
#pragma once

#include <cstddef>
#include <cstdint>

namespace dampi::launch {

/// Its value is the socket's number, followed by the following if ranks are to be forked behind MPI_Init. The layer
/// removes it before the program can see it.
inline constexpr const char* prepare_variable = "DAMPI_PREPARE";
inline constexpr const char* prepare_behind_init = " MPI_Init";

/// Of those that a rank gets beside the standard streams and its socket.
inline constexpr std::size_t most_inherited_descriptors = 32;

/// "Become a rank", with descriptors: input, output, error output, the rank's PMI socket, the guard's, then those that
/// the rank inherits, and last, if it is to come back, the socket by which it is asked to be another rank. Followed by
/// the rank's own environment variables as NAME=VALUE, each with a final zero.
///
/// To a rank that has come back the same is said by that socket, without that socket.
struct PrepareRequest {
    std::int32_t parent = 0;  ///< whose child the rank is
    std::int32_t socket = 0;  ///< number that the PMI socket gets
    std::uint32_t inherited_count = 0;
    std::uint32_t comes_back = 0;                             ///< 1: there is a socket for that
    std::int32_t inherited[most_inherited_descriptors] = {};  ///< numbers that they get
};

inline constexpr std::size_t most_request_bytes = sizeof(PrepareRequest) + 16384;
inline constexpr std::size_t fixed_request_descriptors = 5;

/// What a rank of a snapshot reads from its PMI socket, with two descriptors: the end of a socket on which its holder
/// is to serve requests, and the guard's socket. The holder speaks first, as a prepared process does.
struct HoldRequest {
    std::int32_t parent = 0;  ///< whose child the holder is
};

struct PrepareAnswer {
    enum class What : std::int32_t {
        ready,    ///< the first answer, also of a rank that has come back: requests may come; `process` serves them
        unfit,    ///< instead of it: why not, in `text`; the process ends
        started,  ///< sent by the rank itself
        failed,   ///< no rank: `error` says why
        ended,    ///< sent by a rank that comes back: the program has ended with the status `error`
    };
    What what = What::failed;
    std::int32_t process = 0;
    std::int32_t error = 0;
    char text[160] = {};
};

}  // namespace dampi::launch
