// A small MPI program as data: what the reference model enumerates, the interpreter executes with real MPI
// calls, the generator makes up and the shrinker makes smaller. Its text is one operation per line:
//
//     ranks 3
//     rank 0
//     recv 0 any 1      # SLOT SOURCE TAG: a source or tag is a number or "any"
//     irecv 1 2 any     # likewise; a slot names the request and what was received
//     probe 2 any 0     # likewise
//     send 1 0          # DESTINATION TAG; standard mode, and the message is small: it never blocks
//     ssend 1 0         # synchronous mode
//     bsend 1 0         # buffered mode
//     isend 3 1 0       # SLOT DESTINATION TAG
//     issend 4 1 0
//     send 1 0 @1       # all of these may name a communicator: 0 is MPI_COMM_WORLD, 1 a duplicate of it
//     wait 1 3          # one or more slots: MPI_Wait or MPI_Waitall
//     waitany 1 3       # different slots
//     waitsome 1 3
//     test 1            # one slot: MPI_Test, once
//     barrier
//     bcast 0           # ROOT
//     reduce 0          # ROOT
//     if 0 2            # SLOT SOURCE: whether what slot 0 received or probed came from rank 2
//     else
//     end
//     ifdone 3          # SLOT: whether the rank has been told that slot 3 is complete; with else and end as above
//     recv 0 any 1 ^2   # receives, probes and waits may name the place in the source where they are called: several
//                       # operations of one place are a loop; those that name none have a place of their own
//     bracket           # MPI_Pcontrol(1): until its end only the self run's matches are of interest
//     bracket 2         # MPI_Pcontrol(2 + 2): until its end the search is mixed over at most 2 epochs
//     unbracket         # MPI_Pcontrol(0): the end of the innermost, if there is one
//
// At its end a rank waits for all its requests. Every program means something: to wait for a slot that has no
// request (any more) does nothing, and one that has received nothing (yet) came from nobody.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace dampi::oracle {

/// As a source or a tag.
inline constexpr int any = -1;
/// As a slot: none.
inline constexpr int no_slot = -1;
/// As a place: one of its own.
inline constexpr int own_place = -1;
/// As a bracket's bound: nothing inside is of interest.
inline constexpr int nothing_inside = -1;

enum class OpKind {
    send,
    isend,
    ssend,
    issend,
    bsend,
    recv,
    irecv,
    probe,
    wait,
    waitany,
    waitsome,
    test,
    barrier,
    bcast,
    reduce,
    branch,       ///< "if"
    branch_done,  ///< "ifdone"
    bracket,
    unbracket
};

struct Op {
    OpKind kind = OpKind::barrier;
    int slot = no_slot;  ///< of a receive, a probe or a nonblocking send; what a branch asks
    int peer = any;      ///< destination, source, root; the source that a branch asks for
    int tag = any;
    int comm = 0;                 ///< of a send, receive or probe
    std::vector<int> slots = {};  ///< of a wait or test
    std::vector<Op> then = {};    ///< of a branch
    std::vector<Op> otherwise = {};
    int place = own_place;       ///< of a receive, a probe or a wait
    int bound = nothing_inside;  ///< of a bracket

    bool operator==(const Op&) const = default;
};

struct Program {
    std::vector<std::vector<Op>> ranks;

    bool operator==(const Program&) const = default;
};

/// The program is malformed; the text says where and why.
class ProgramError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

[[nodiscard]] bool is_send(OpKind kind);
/// Also probes: what has a source and a tag to match.
[[nodiscard]] bool is_receive_or_probe(OpKind kind);
[[nodiscard]] bool is_collective(OpKind kind);
/// Also tests: what names several slots.
[[nodiscard]] bool is_wait(OpKind kind);
[[nodiscard]] bool is_branch(OpKind kind);
/// Begin and end of a bracket.
[[nodiscard]] bool is_bracket(OpKind kind);
/// Whether `peer` means something.
[[nodiscard]] bool has_peer(OpKind kind);
/// Whether its slot stands for a request, which must be waited for.
[[nodiscard]] bool has_request(OpKind kind);
/// Whether it may name the place where it is called.
[[nodiscard]] bool has_place(OpKind kind);
/// Whether it is a receive or a probe with the source `any`.
[[nodiscard]] bool is_wildcard(const Op& op);

/// No program has more tests. The model's tests answer false as often as they like: that many false answers
/// have to be explored.
inline constexpr int most_tests = 50;
[[nodiscard]] bool has_tests(const Program& program);

/// Calls `visit` for each operation, those inside branches after their branch.
void for_each_op(const std::vector<Op>& ops, const std::function<void(const Op&)>& visit);
[[nodiscard]] std::size_t count_ops(const Program& program);
/// The ranks that have at least one wildcard or choice among requests.
[[nodiscard]] std::size_t count_wildcard_ranks(const Program& program);
/// Whether all wildcards and choices are those of one rank, and each is over before the next begins.
[[nodiscard]] bool epochs_in_sequence(const Program& program);

/// How much data a message has. Depends on what the receiver sees of it, so that it can be checked.
[[nodiscard]] std::uint64_t message_bytes(const Op& send);

/// What the program means without any buffering: the same with each send of the standard mode in synchronous mode, and
/// a barrier in place of each collective.
[[nodiscard]] Program without_buffering(Program program);

/// Throws ProgramError unless: peers are ranks, tags at least 0 or (receives and probes only) any, slots are
/// unique within their rank, those of a waitany or waitsome different and at most 6, communicators are 0 or 1, and all
/// ranks have the same sequence of collectives, none in a branch.
void check(const Program& program);

[[nodiscard]] std::string to_text(const Program& program);
/// Parses and checks. Throws ProgramError.
[[nodiscard]] Program parse_program(std::string_view text);

}  // namespace dampi::oracle
