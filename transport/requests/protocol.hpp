// What a rank and the scheduler of the centralized engine say to each other: the calls that a rank hands over, in the
// order in which the program makes them, and the answers that it gets. Plain values; exchange.hpp says where they lie.
//
// A rank only waits for the answers of calls that say `awaits`; all others it hands over and goes on. So a blocking
// receive is a ReceiveCall and a WaitCall, MPI_Sendrecv a SendCall, a ReceiveCall and a WaitCall. The rank chooses
// nothing: what matches what, what a wait reports and what a polling call answers is the scheduler's.
//
// Ranks are those of MPI_COMM_WORLD throughout, and peers are never MPI_PROC_NULL: such an operation is an
// ImmediateCall, for it may stand in a wait.
#pragma once

#include "base/types.hpp"
#include "replay/answer_in_time.hpp"
#include "transport/type_table.hpp"
#include "transport/words.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace dampi::transport::requests {

/// An operation that a rank has posted, by the rank's own numbering: from 1, each post a new one (also each start of a
/// persistent request).
using Operation = std::uint64_t;
inline constexpr Operation no_operation = 0;

/// Where packed data lies in the exchange's memory (payload.hpp); the scheduler only hands it on. 0: no data.
using Place = std::uint64_t;

/// Where in the program a call stands. With each call that may be an epoch or may block.
struct Situation {
    std::uint64_t site = 0;  ///< address of the call
    std::string function;    ///< "MPI_Recv"
    // Of replay::EpochContext
    std::uint32_t zone = 0;
    std::uint32_t bracketed = 0;
    std::uint32_t mixing_bound = no_mixing_bound;
    std::uint32_t stack = no_stack;        ///< transport::StackRecord::number
    std::uint64_t previous_follow_up = 0;  ///< of the rank's epoch before, if this is one

    static constexpr std::uint32_t no_mixing_bound = ~std::uint32_t{0};
    static constexpr std::uint32_t no_stack = ~std::uint32_t{0};
    void fields(auto& each) {
        each(site), each(function), each(zone), each(bracketed), each(mixing_bound), each(stack),
            each(previous_follow_up);
    }
};

// ---- calls without an answer -------------------------------------------------------------------------------

/// From now on the rank is a member of this communicator (or of a stand-in, on which the starts of a persistent
/// collective meet, or those who are about to make one). All members give it the same number; MPI_COMM_WORLD
/// (base::world_comm) and MPI_COMM_SELF (world_comm + 1 + rank) need not be told. To be told before it is used.
struct CommunicatorCall {
    static constexpr std::uint32_t type = 1;
    static constexpr bool awaits = false;
    base::CommId comm = 0;
    std::uint32_t inter = 0;
    std::vector<base::Rank> members;  ///< of the (local) group, in the order of its ranks
    std::vector<base::Rank> remote;   ///< of an intercommunicator's remote group
    void fields(auto& each) { each(comm), each(inter), each(members), each(remote); }
};

/// MPI_Comm_get_name will say so from now on.
struct CommunicatorNameCall {
    static constexpr std::uint32_t type = 2;
    static constexpr bool awaits = false;
    base::CommId comm = 0;
    std::string name;
    void fields(auto& each) { each(comm), each(name); }
};

/// The rank has freed it, and none of its requests refers to it any more.
struct CommunicatorFreedCall {
    static constexpr std::uint32_t type = 16;
    static constexpr bool awaits = false;
    base::CommId comm = 0;
    void fields(auto& each) { each(comm); }
};

enum class SendMode : std::uint32_t {
    standard,  ///< whether it is buffered is the scheduler's affair
    synchronous,
    buffered,
    ready,
};
inline constexpr SendMode last_send_mode = SendMode::ready;

/// A send begins; its data is packed already. Complete when a WaitCall says so. One that is surely buffered (in
/// buffered mode, or ExchangeHeader::buffered_below) need not be waited for: if it has no operation, nobody will.
struct SendCall {
    static constexpr std::uint32_t type = 3;
    static constexpr bool awaits = false;
    Operation operation = no_operation;
    base::CommId comm = 0;
    base::Rank destination = 0;
    base::Tag tag = 0;
    SendMode mode = SendMode::standard;
    std::uint64_t bytes = 0;  ///< as packed
    Place payload = 0;        ///< becomes the receiver's when it has completed
    TypedData data;           ///< as the program describes it
    std::uint64_t site = 0;
    std::uint64_t made_at = 0;  ///< likewise, of the call that has made its request: another one if that is persistent
    std::string function;
    void fields(auto& each) {
        each(operation), each(comm), each(destination), each(tag), each(mode), each(bytes), each(payload),
            each(data.hash), each(data.items), each(data.type), each(site), each(made_at), each(function);
    }
};

/// A receive begins. A message longer than there is room for is handed over all the same.
struct ReceiveCall {
    static constexpr std::uint32_t type = 4;
    static constexpr bool awaits = false;
    Operation operation = no_operation;
    base::CommId comm = 0;
    base::Rank source = base::any_source;
    base::Tag tag = base::any_tag;
    TypedData data;
    std::uint64_t made_at = 0;  ///< as SendCall::made_at
    Situation situation;
    void fields(auto& each) {
        each(operation), each(comm), each(source), each(tag), each(data.hash), each(data.items), each(data.type),
            each(made_at);
        situation.fields(each);
    }
};

/// The receive of a message that a matched probe has taken (Answer::message).
struct MatchedReceiveCall {
    static constexpr std::uint32_t type = 5;
    static constexpr bool awaits = false;
    Operation operation = no_operation;
    std::uint64_t message = 0;
    TypedData data;
    std::uint64_t site = 0;
    void fields(auto& each) {
        each(operation), each(message), each(data.hash), each(data.items), each(data.type), each(site);
    }
};

/// An operation that is complete at once: of MPI_PROC_NULL, or one that the rank could do alone.
struct ImmediateCall {
    static constexpr std::uint32_t type = 6;
    static constexpr bool awaits = false;
    Operation operation = no_operation;
    void fields(auto& each) { each(operation); }
};

/// One operation that is complete when these two are (MPI_Isendrecv), which are handed over before it and are only
/// waited for and freed with it.
struct PairCall {
    static constexpr std::uint32_t type = 17;
    static constexpr bool awaits = false;
    Operation operation = no_operation;
    Operation send = no_operation;     ///< of a SendCall or ImmediateCall
    Operation receive = no_operation;  ///< of a ReceiveCall or ImmediateCall: what the completion says
    void fields(auto& each) { each(operation), each(send), each(receive); }
};

/// Whose contributions a rank's part in a collective needs.
enum class Sources : std::uint32_t {
    none,
    everyone,  ///< all other members (of an intercommunicator: the remote group)
    lower,     ///< the members before this rank
    listed,
};
inline constexpr Sources last_sources = Sources::listed;

/// Enters the next collective on a communicator, in any form; also those that make communicators. Complete when all
/// sources have entered.
struct CollectiveCall {
    static constexpr std::uint32_t type = 7;
    static constexpr bool awaits = false;
    Operation operation = no_operation;
    base::CommId comm = 0;
    std::uint32_t collective = 0;      ///< transport::operation_number
    std::uint32_t reduction = 0;       ///< transport::Reduction
    base::Rank root = -1;              ///< or transport::no_root, transport::unknown_root
    std::uint64_t sent = 0;            ///< as in transport::Contribution
    std::uint64_t received = 0;        ///< likewise
    TypedData sent_data;               ///< likewise
    TypedData received_data;           ///< likewise
    std::uint64_t arguments = 0;       ///< likewise
    std::vector<std::uint64_t> given;  ///< transport::Shares
    std::vector<std::uint64_t> asked;  ///< likewise
    Sources sources = Sources::none;
    std::vector<base::Rank> listed;  ///< the sources, if they are listed; without this rank
    /// The leaders of MPI_Intercomm_create wait for each other, or their groups for them: WaitKind::leader, `tag`.
    std::uint32_t leader = 0;
    base::Tag tag = 0;
    /// Never compared with what the others do: it is no collective of the program's.
    std::uint32_t apart = 0;
    std::uint64_t bytes = 0;
    Place payload = 0;  ///< this rank's contribution, for those whose source it is
    std::uint64_t site = 0;
    std::uint64_t made_at = 0;  ///< as SendCall::made_at
    std::string function;
    void fields(auto& each) {
        each(operation), each(comm), each(collective), each(reduction), each(root), each(sent), each(received),
            each(sources), each(listed), each(leader), each(tag), each(apart), each(bytes), each(payload), each(site),
            each(made_at), each(function), each(sent_data.hash), each(sent_data.items), each(sent_data.type),
            each(received_data.hash), each(received_data.items), each(received_data.type), each(arguments), each(given),
            each(asked);
    }
};

/// MPI_Cancel. Whether it came in time is told with the completion. Of a receive an epoch.
struct CancelCall {
    static constexpr std::uint32_t type = 8;
    static constexpr bool awaits = false;
    Operation operation = no_operation;
    Situation situation;
    void fields(auto& each) {
        each(operation);
        situation.fields(each);
    }
};

/// MPI_Request_free of an operation that may not be over: nobody will wait for it. When a receive completes, it
/// is among the completions of a later answer.
struct FreeCall {
    static constexpr std::uint32_t type = 9;
    static constexpr bool awaits = false;
    Operation operation = no_operation;
    void fields(auto& each) { each(operation); }
};

/// MPI_Abort, or an error handler that aborts: the rank is about to end. Its log has the violation.
struct AbortCall {
    static constexpr std::uint32_t type = 10;
    static constexpr bool awaits = false;
    std::int32_t code = 0;
    void fields(auto& each) { each(code); }
};

/// So many polling calls have answered "nothing yet" unasked (Answer::unasked) since the rank was answered.
struct UnaskedCall {
    static constexpr std::uint32_t type = 22;
    static constexpr bool awaits = false;
    std::uint32_t false_answers = 0;
    void fields(auto& each) { each(false_answers); }
};

/// What Answer::What::timer asked for is done: the rank waits on.
struct TimerCall {
    static constexpr std::uint32_t type = 20;
    static constexpr bool awaits = false;
    void fields(auto& /*each*/) {}
};

/// What Answer::What::repetition asked for, of the polling call with which the rank waits on: as in PollingTurn.
struct RepetitionCall {
    static constexpr std::uint32_t type = 23;
    static constexpr bool awaits = false;
    std::uint32_t repetition = 0;
    std::uint32_t turns_after = 0;
    std::uint32_t round = 0;
    std::uint32_t timed = 0;
    void fields(auto& each) { each(repetition), each(turns_after), each(round), each(timed); }
};

/// Before the rank does what Answer::What::repetition asked for: all that decides what comes of it. Answered likewise,
/// with what is known of that state.
struct RepetitionStateCall {
    static constexpr std::uint32_t type = 24;
    static constexpr bool awaits = true;
    std::uint64_t low = 0;
    std::uint64_t high = 0;
    void fields(auto& each) { each(low), each(high); }
};

/// What Answer::What::state asked for: all that bears on what the rank does next, but for what the scheduler knows. The
/// rank waits on.
struct StateCall {
    static constexpr std::uint32_t type = 21;
    static constexpr bool awaits = false;
    std::uint32_t known = 0;  ///< 0: it cannot be said
    std::uint64_t low = 0;    ///< of base::Digest
    std::uint64_t high = 0;
    Operation last_operation = no_operation;  ///< that the rank has posted
    void fields(auto& each) { each(known), each(low), each(high), each(last_operation); }
};

/// The program has called a function that the centralized engine does not model: the run can have no verdict.
struct RefusedCall {
    static constexpr std::uint32_t type = 14;
    static constexpr bool awaits = true;  ///< the answer is the epilogue
    std::string function;
    void fields(auto& each) { each(function); }
};

// ---- calls with an answer ----------------------------------------------------------------------------------

enum class WaitMode : std::uint32_t {
    all,  ///< also for a single one
    any,
    some,
    test,
    test_all,
    test_any,
    test_some,
    get_status,  ///< MPI_Request_get_status: the operation stays active
};
inline constexpr WaitMode last_wait_mode = WaitMode::get_status;
/// Such a call may name an operation more than once.
[[nodiscard]] constexpr bool reports_one(WaitMode mode) { return mode == WaitMode::any || mode == WaitMode::test_any; }

/// What a polling call is to the stretch of those that follow one another (replay::Epoch).
struct PollingTurn {
    std::uint32_t begins = 0;  ///< 1: it is the first
    std::uint32_t poll = 0;    ///< its number among the different calls of the stretch
    // Of the first: replay::Repetition, and of how many calls (replay::answers_at_once()).
    std::uint32_t repetition = 0, turns_after = 0, round = 0;
    std::uint32_t timed = 0;  ///< 1: the program has looked at a clock since the first
    /// Of the first, 1: these can be asked for (Answer::What::repetition).
    std::uint32_t may_be_tried = 0;
    void fields(auto& each) {
        each(begins), each(poll), each(repetition), each(turns_after), each(round), each(timed), each(may_be_tried);
    }
};

/// Waits for operations, or tests them. With no operations at all it is not called.
struct WaitCall {
    static constexpr std::uint32_t type = 11;
    static constexpr bool awaits = true;
    WaitMode mode = WaitMode::all;
    std::vector<Operation> operations;     ///< the active ones
    std::vector<std::uint32_t> positions;  ///< their places in the program's call; empty: 0, 1, 2 …
    PollingTurn turn;                      ///< of a polling one
    Situation situation;
    void fields(auto& each) {
        each(mode), each(operations), each(positions);
        turn.fields(each);
        situation.fields(each);
    }
};

struct ProbeCall {
    static constexpr std::uint32_t type = 12;
    static constexpr bool awaits = true;
    std::uint32_t polling = 0;  ///< MPI_Iprobe, MPI_Improbe
    std::uint32_t matched = 0;  ///< MPI_Mprobe, MPI_Improbe
    base::CommId comm = 0;
    base::Rank source = base::any_source;
    base::Tag tag = base::any_tag;
    PollingTurn turn;  ///< of a polling one
    Situation situation;
    void fields(auto& each) {
        each(polling), each(matched), each(comm), each(source), each(tag);
        turn.fields(each);
        situation.fields(each);
    }
};

/// MPI_Finalize: waits for all others.
struct FinalizeCall {
    static constexpr std::uint32_t type = 13;
    static constexpr bool awaits = true;
    Situation situation;
    std::uint32_t known = 0;  ///< 1: the program's memory and registers have this digest
    std::uint64_t low = 0;    ///< of base::Digest
    std::uint64_t high = 0;
    void fields(auto& each) {
        situation.fields(each);
        each(known), each(low), each(high);
    }
};

/// MPI_Buffer_detach: waits until all sends in buffered mode have been received.
struct DetachCall {
    static constexpr std::uint32_t type = 15;
    static constexpr bool awaits = true;
    Situation situation;
    void fields(auto& each) { situation.fields(each); }
};

/// Of the attached buffer (MPI_Bsend): a message of so many bytes is to find room in it. Answered at once.
struct RoomCall {
    static constexpr std::uint32_t type = 18;
    static constexpr bool awaits = true;
    std::uint64_t overhead = 0;  ///< of each message, beside its data
    void fields(auto& each) { each(overhead); }
};

/// The program sleeps until virtual time has come to `until`; so long that is for it.
struct SleepCall {
    static constexpr std::uint32_t type = 19;
    static constexpr bool awaits = true;
    std::uint64_t until = 0;     ///< transport::VirtualTime
    std::uint64_t duration = 0;  ///< nanoseconds
    void fields(auto& each) { each(until), each(duration); }
};

// ---- answers -----------------------------------------------------------------------------------------------

/// Another rank's contribution to a collective.
struct Part {
    base::Rank rank = 0;
    std::uint64_t bytes = 0;
    Place payload = 0;
    void fields(auto& each) { each(rank), each(bytes), each(payload); }
};

/// What the program is told of an operation.
struct Completion {
    Operation operation = no_operation;
    std::uint32_t position = 0;  ///< in the call
    /// Of a receive whose request was freed: told with any answer, and no part of it.
    std::uint32_t freed = 0;
    std::uint32_t cancelled = 0;
    std::uint32_t told_again = 0;  ///< with get_status: it will be told once more, and the data is needed until then
    base::Rank source = base::any_source;  ///< of a receive
    base::Tag tag = 0;
    std::uint64_t bytes = 0;
    Place payload = 0;
    std::vector<Part> parts;  ///< of a collective: one for each source, in their order
    void fields(auto& each) {
        each(operation), each(position), each(freed), each(cancelled), each(told_again), each(source), each(tag),
            each(bytes), each(payload), each(parts);
    }
};

struct Answer {
    enum class What : std::uint32_t {
        result,
        /// None yet: the rank forks its holder in a snapshot (piggyback::hold_snapshot) and waits on.
        snapshot,
        /// None yet: virtual time has come to a timer of the program's, which goes off while the rank waits on.
        timer,
        /// None yet: the rank says in which state it is (StateCall) and waits on.
        state,
        /// None yet: the rank tries out whether it repeats the polling call that it makes (RepetitionCall) and waits
        /// on.
        repetition,
        /// The run is over, for what follows is known: the rank becomes ready for another run, if it can, and else
        /// ends.
        leave,
        /// The run is over: the rank writes down what it was doing (transport::Board::Situation) and stops for
        /// good.
        epilogue,
    };
    static constexpr What last_what = What::epilogue;
    What what = What::result;
    /// Of a polling call: whether it answers true. Of others: true.
    std::uint32_t flag = 1;
    /// Those reported, ascending by position; of a probe: what it has found, as one completion without an operation.
    /// With get_status the same is told again when the operation completes; only then the data may be released.
    std::vector<Completion> completions;
    std::uint64_t message = 0;  ///< of a matched probe: for MatchedReceiveCall
    std::uint64_t taken = 0;    ///< of RoomCall: bytes that messages may take which are not known to have been received
    std::uint64_t takers = 0;   ///< how many these are
    VirtualTime passed = 0;     ///< so much time has passed for those whose acts are told of, where it is virtual
    replay::AnswerInTime in_time;  ///< of a polling call that answers false
    /// Of one, too: so many more of the same stretch may answer so, without asking, as long as they are known ones and
    /// nothing else has changed that PollingTurn tells.
    std::uint32_t unasked = 0;
    /// Of What::repetition: what came of it when a rank in the same state tried, a replay::Repetition, and of how many
    /// polling calls that is; 0: nobody has, or it is not known yet in which state this rank is.
    std::uint32_t repetition = 0, turns_after = 0, round = 0;
    void fields(auto& each) {
        each(what), each(flag), each(completions), each(message), each(taken), each(takers), each(passed),
            each(in_time.kind), each(in_time.number), each(unasked), each(repetition), each(turns_after), each(round);
    }
};

}  // namespace dampi::transport::requests
