// The reference model: enumerates all executions that the MPI standard allows of a small program, by trying
// everything. It has nothing in common with the tool: no clocks, no runs, no alternatives; a state of the whole
// system and the steps that are possible in it. It is meant to be obviously correct, not fast.
//
// What a step is (section numbers of MPI 4.0):
//   - a rank issues or completes its next operation. A standard send is buffered, so it never blocks (3.4;
//     the programs' messages are small enough for that), unless there are to be few buffers (ModelOptions::room); a
//     synchronous one completes when a receive has matched it (3.4). A barrier is left when all have entered it (6.3),
//     a broadcast when the root has (6.4), and a reduction at its root when all have (6.9): no other synchronisation is
//     promised (6.14).
//   - a posted receive matches a message that has been sent. Nothing is promised about how long a message is on
//     its way, so any that fits may match, except what the order of messages and receives forbids (3.5): "if a
//     sender sends two messages in succession to the same destination, and both match the same receive, then
//     this operation cannot receive the second message if the first one is still pending. If a receiver posts two
//     receives in succession, and both match the same message, then the second receive operation cannot be
//     satisfied by this message, if the first one is still pending."
//   - a wait for any or some of several requests that can complete reports an arbitrary one of them, or an arbitrary
//     set (3.7.5). With fewer than two active requests there is nothing to choose.
//   - a test of an active request answers true if the request can complete, and false or true as it likes (3.7.3:
//     nothing is promised about when a test finds out, only that it does in the end). Polls of all kinds with nothing
//     but branches between them are one stretch, until one answers true.
//   - a probe sees the message that a receive posted in its place could match (3.8.1). It takes nothing,
//     and a wildcard receive after it may take another message (example 3.19).
// An execution ends when no step is possible (3.5, progress: what can match does in the end). Ranks that have
// not come to their end then are deadlocked.
#pragma once

#include "replay/buffering.hpp"
#include "tests/oracle/program.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>

namespace dampi::oracle {

/// How an execution ended.
struct Execution {
    /// The source of each wildcard receive and probe that has matched, and the positions that each wait for any or some
    /// of at least two active requests has reported: "{0#0<-1 0#1=0+2}" is rank, index among all these operations
    /// of the rank in the order of their issuing, and source or positions; sorted. For each stretch of polls, "=0",
    /// "=0~2" or "=none~2" is whether one has answered true in the end, and how often they answered false before;
    /// "0#0@1=0" that it was not the first of its different polls, but the next one.
    std::string matches;
    bool deadlock = false;

    auto operator<=>(const Execution&) const = default;
};

struct ModelOptions {
    /// True: every order of the ranks' steps is tried. False: ranks go on as far as they can before the next
    /// match or choice among requests. Only these exclude one another (a step of a rank adds messages and receives
    /// behind those that there are, which forbids no match), so both yield the same; the tests compare them.
    bool every_order = false;
    std::size_t most_states = 200'000;
    /// Each rank has room for so many bytes of its messages in standard mode that no receive has matched, and gives it
    /// in the order of sending: one that does not fit is not buffered before it does (unless it is matched). One that
    /// is larger is never buffered, and takes nothing. 0: all are buffered.
    std::uint64_t room = 0;
    /// True: a rank is not at its end while a message of it, whose request was freed, is neither received nor buffered:
    /// MPI_Finalize waits for that (11.2.2). False: it ends like others.
    bool finalize = false;
};

/// All executions of a checked program; nothing if it has more states than allowed.
[[nodiscard]] std::optional<std::set<Execution>> enumerate(const Program& program, const ModelOptions& options = {});
/// Likewise, with this buffering of sends in standard mode (native: the messages are small, so it is infinite).
[[nodiscard]] std::optional<std::set<Execution>> enumerate(const Program& program, const replay::Buffering& buffering,
                                                           bool finalize = false);

}  // namespace dampi::oracle
