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
//     send 1 0 @1       # all of these may name a communicator: 0 is MPI_COMM_WORLD, 1 a duplicate of it, 2 one that
//                       # has its ranks in the reverse order, 3 an intercommunicator between the even and the odd
//                       # ranks. Ranks are named as in MPI_COMM_WORLD throughout. Collectives are not on the last
//     send null 0       # MPI_PROC_NULL; also receives and plain probes
//     send 1 10         # with a tag from 10 on the message is large: where nothing else is said, the send waits
//     wait 1 3          # one or more slots: MPI_Wait or MPI_Waitall
//     waitany 1 3       # different slots
//     waitsome 1 3
//     test 1            # one slot: MPI_Test, once
//     test 1 x3         # up to three times, until it answers true; then the program gives up. So any polling call
//     getstatus 1       # one slot: MPI_Request_get_status
//     testany 1 3       # different slots
//     testsome 1 3
//     testall 1 3
//     iprobe 2 any 0    # like probe
//     improbe 2 any 0
//     mprobe 2 any 0
//     mrecv 2           # SLOT of a matched probe: receives what it has taken
//     imrecv 5 2        # SLOT, and that of a matched probe
//     cancel 1          # one slot, of a receive
//     free 3            # one slot: MPI_Request_free
//     sendrecv 0 any 1 2 0   # SLOT SOURCE TAG, and then DESTINATION TAG
//     isendrecv 0 any 1 2 0   # likewise nonblocking; only `wait` may name its slot
//     rsend 1 0         # whose receive must have been posted, as far as its rank can know
//     irecv 1 2 any %   # as a persistent request; also isend and issend. Those of equal arguments share one
//     barrier
//     bcast 0           # ROOT; also reduce, gather, scatter
//     allreduce         # also allgather, alltoall, scan, exscan
//     ibcast 3 0        # SLOT ROOT; so all of them: ibarrier 3, iscan 3 ...
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
/// As a source or a destination: MPI_PROC_NULL.
inline constexpr int nobody = -2;
/// Messages with this tag or a higher one are large.
inline constexpr int first_large_tag = 10;
/// As a slot: none.
inline constexpr int no_slot = -1;
/// Slots from here on are of operations that others are made of.
inline constexpr int first_hidden_slot = 1000;
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
    unbracket,
    getstatus,
    testany,
    testsome,
    testall,
    iprobe,
    improbe,
    mprobe,
    mrecv,
    imrecv,
    cancel,
    free,
    sendrecv,
    isendrecv,
    rsend,
    allreduce,
    allgather,
    alltoall,
    gather,
    scatter,
    scan,
    exscan,
    ibarrier,
    ibcast,
    ireduce,
    iallreduce,
    iallgather,
    ialltoall,
    igather,
    iscatter,
    iscan,
    iexscan
};
inline constexpr OpKind last_op_kind = OpKind::iexscan;

/// Whose data a rank gets in a collective.
enum class Flow { everyone, from_root, to_root, lower };

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
    int times = 1;               ///< of a polling call: how often it may answer false before the program gives up
    bool persistent = false;     ///< of an irecv, isend or issend
    int to = any;                ///< of a sendrecv or isendrecv: the destination
    int to_tag = any;            ///< likewise
    bool synchronous = false;    ///< likewise, which MPI does not have: what without_buffering() makes of it

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
[[nodiscard]] bool is_nonblocking_collective(OpKind kind);
/// The blocking collective that does what this nonblocking one does.
[[nodiscard]] OpKind blocking_form(OpKind collective);
[[nodiscard]] OpKind nonblocking_form(OpKind collective);
[[nodiscard]] Flow flow(OpKind collective);
/// Also tests: what names several slots.
[[nodiscard]] bool is_wait(OpKind kind);
/// Waits and tests, and whatever else names slots that others fill.
[[nodiscard]] bool names_slots(OpKind kind);
/// What may answer "nothing yet".
[[nodiscard]] bool is_polling(OpKind kind);
/// Of the polling call in this place: whether the explorer is told that the program gives up, which all of them do. Of
/// some it is not, so that it has to find out.
[[nodiscard]] constexpr bool is_known_to_give_up(std::size_t instruction) { return instruction % 2 == 0; }
/// Of those, the ones that ask for requests.
[[nodiscard]] bool is_test(OpKind kind);
/// What takes the message that it sees.
[[nodiscard]] bool is_matched_probe(OpKind kind);
/// Also of polls.
[[nodiscard]] bool is_probe(OpKind kind);
[[nodiscard]] bool is_branch(OpKind kind);
/// Begin and end of a bracket.
[[nodiscard]] bool is_bracket(OpKind kind);
/// Whether `peer` means something.
[[nodiscard]] bool has_peer(OpKind kind);
/// Whether its slot stands for a request, which must be waited for.
[[nodiscard]] bool has_request(OpKind kind);
/// Whether it may name the place where it is called.
[[nodiscard]] bool has_place(OpKind kind);
/// Sends and receives at the same time.
[[nodiscard]] bool is_pair(OpKind kind);
/// Whether it is a receive or a probe with the source `any`.
[[nodiscard]] bool is_wildcard(const Op& op);

/// No program has more tests. The model's tests answer false as often as they like: that many false answers
/// have to be explored.
inline constexpr int most_tests = 50;
[[nodiscard]] bool has_tests(const Program& program);
/// Whether receives are cancelled. What could have come before is not explored, and said to be left out.
[[nodiscard]] bool has_cancels(const Program& program);

/// Calls `visit` for each operation, those inside branches after their branch.
void for_each_op(const std::vector<Op>& ops, const std::function<void(const Op&)>& visit);
[[nodiscard]] std::size_t count_ops(const Program& program);
/// The ranks that have at least one wildcard or choice among requests.
[[nodiscard]] std::size_t count_wildcard_ranks(const Program& program);
/// Whether all wildcards and choices are those of one rank, and each is over before the next begins.
[[nodiscard]] bool epochs_in_sequence(const Program& program);

/// How much data a message has. Depends on what the receiver sees of it, so that it can be checked.
[[nodiscard]] std::uint64_t message_bytes(const Op& send);

/// What the program means where large messages are not buffered: with their sends in synchronous mode.
[[nodiscard]] Program large_messages_wait(Program program);

/// What the program means without any buffering: the same with each send of the standard mode in synchronous mode, and
/// a barrier in place of each blocking collective.
[[nodiscard]] Program without_buffering(Program program);

/// Throws ProgramError unless: peers are ranks, tags at least 0 or (receives and probes only) any, slots are
/// unique within their rank, those of a choice different and at most 6, and all ranks have the same sequence of
/// collectives, none in a branch; and whatever else the text above says.
void check(const Program& program);

[[nodiscard]] std::string to_text(const Program& program);
/// Parses and checks. Throws ProgramError.
[[nodiscard]] Program parse_program(std::string_view text);

}  // namespace dampi::oracle
