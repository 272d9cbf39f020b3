// A message on its way out: its envelope is appended before MPI gets the message, so that it is there when
// the message arrives, and withdrawn when MPI refuses the message.
#pragma once

#include "piggyback/distributed/layer.hpp"
#include "piggyback/rank/call.hpp"
#include "piggyback/rank/count.hpp"

#include <cstdint>
#include <memory>

#include <mpi.h>

namespace dampi::piggyback::distributed {

/// Whether the layer follows messages from this rank (or MPI_ANY_SOURCE) of a communicator; false for MPI_PROC_NULL and
/// for ranks that MPI will refuse. Counts communicators that the layer does not know as not modelled.
bool followed(DistributedLayer& layer, const Call& call, const Communicator* communicator, MPI_Comm comm, int source);

/// Whether the layer follows messages to this rank, which cannot be MPI_ANY_SOURCE.
inline bool followed_to(DistributedLayer& layer, const Call& call, const Communicator* communicator, MPI_Comm comm,
                        int dest) {
    return dest != MPI_ANY_SOURCE && followed(layer, call, communicator, comm, dest);
}

/// Follows the request of an operation with MPI_PROC_NULL: like a send that is complete at once. `receives`: its status
/// is that of a receive from nobody. If it is not persistent it becomes another one: MPICH's may have the same handle
/// as messages that have completed at once, of which MPI could say "not yet".
void follow_null_request(DistributedLayer& layer, const Call& call, Communicator& communicator, MPI_Request& handle,
                         bool persistent, bool receives, bool partitioned = false);

enum class SendMode { standard, synchronous, buffered, ready };

/// The mode of buffering decides. A message that the library would send by rendezvous goes out in synchronous mode:
/// that is the same protocol, and then it is certain, not guessed, that the send waits for its receive.
[[nodiscard]] Way way_of(const DistributedLayer& layer, SendMode mode, const Communicator& communicator, Count count,
                         MPI_Datatype datatype);

/// The value that its message carries, to be set while MPI is called.
[[nodiscard]] inline std::uint64_t value_of(const DistributedLayer& layer, const Outgoing& outgoing) {
    return value_of(Named{.rank = layer.rank(), .number = outgoing.envelope.position});
}

/// What the envelope says beside that.
struct Remarks {
    bool promised = false;           ///< MPI will not refuse the message (promises()), and the program cannot cancel it
    bool ready = false;              ///< ready mode
    bool no_room = false;            ///< in the attached buffer, for sure: MPI gets a copy, and the run goes on
    bool in_buffer = false;          ///< buffered mode
    std::uint32_t buffered = 0;      ///< Envelope::buffered
    transport::TypedData data = {};  ///< Envelope::data
    clocks::Snapshot known = {};     ///< by the sender; null: all that the program knows now
};
Outgoing append_envelope(DistributedLayer& layer, const Call& call, Communicator& communicator, int destination,
                         int tag, Way way, const Remarks& remarks = {});

/// A send of the ready mode begins; `way` is its own. Its receive must have been posted, which shows when it matches.
[[nodiscard]] Remarks remarks_on_ready(DistributedLayer& layer);

/// The send of a pair whose receive is about to be posted: they are as if by two threads, so who gets the message need
/// not know that the receive is posted.
[[nodiscard]] inline Remarks remarks_beside_receive(const DistributedLayer& layer) {
    const bool matters = layer.clocks.marks().postings && !layer.multithreaded;
    return {.known = matters ? layer.clocks.now() : clocks::Snapshot()};
}

/// One of the buffered mode, with so many bytes of data: it must find room in the attached buffer beside all messages
/// that are not known to have been received. It is a violation if it may not.
[[nodiscard]] Remarks remarks_on_buffered(DistributedLayer& layer, const Call& call, std::uint64_t bytes);
/// MPI has refused it.
void withdraw_buffered(DistributedLayer& layer, const Remarks& remarks);

/// The size of a message's data; 0 where MPI will refuse it.
[[nodiscard]] std::uint64_t data_size(Count count, MPI_Datatype datatype);

/// Whether it is sure that MPI accepts a message of standard mode with these arguments.
[[nodiscard]] bool promises(const void* buf, Count count, MPI_Datatype datatype, int tag);

/// Packs a message into memory of its own, `size` bytes; returns MPI's code.
int pack(const void* buf, Count count, MPI_Datatype datatype, MPI_Comm comm, std::unique_ptr<char[]>& data,
         MPI_Count& size);

/// Hands MPI a copy of the message and forgets it; returns MPI's code. This and issue_send() are called with the value
/// of the message, if it is followed.
int send_copy(DistributedLayer& layer, const void* buf, Count count, MPI_Datatype datatype, int dest, int tag,
              MPI_Comm comm);

/// Hands MPI the message without waiting for anything; returns MPI's code.
int issue_send(DistributedLayer& layer, SendMode mode, Way way, const void* buf, Count count, MPI_Datatype datatype,
               int dest, int tag, MPI_Comm comm, MPI_Request* request);

/// A request that has completed, or is persistent and completes when it is started: what the program gets for a copied
/// message.
int completed_request(MPI_Comm comm, bool persistent, MPI_Request* request);

/// What a blocked rank waits for that has sent this.
[[nodiscard]] transport::WaitItem wait_for(const Outgoing& outgoing, const Communicator& communicator, base::Tag tag);

/// MPI has refused the message, or cancelled it.
void withdraw(DistributedLayer& layer, const Outgoing& outgoing);

/// A matched probe has its message, and the receive has not begun.
[[nodiscard]] inline bool is_held(const Outgoing& outgoing) {
    return Core::current()->port.state_of(outgoing.envelope) == transport::SentState::held;
}
/// Whether the receiver's layer has seen the match.
[[nodiscard]] inline bool is_taken(const Outgoing& outgoing) {
    return Core::current()->port.state_of(outgoing.envelope) == transport::SentState::taken;
}

/// MPI has completed a synchronous send: returns what its sender is to learn, null for nothing. Once per message. With
/// values the library tells which receive it was (`receive`, 0 if not); where nothing was pending before that one, this
/// says all. Otherwise waits for the receiver's layer to see the match (matching.hpp, notice_matches()). Without values
/// a receiver that is in a call of the MPI library for long cannot answer, nor one that computes while a large message
/// is still coming in: then it is presumed from its pending receives, and counted as not modelled where that is not
/// sure.
[[nodiscard]] clocks::Snapshot await_acknowledgement(DistributedLayer& layer, const Call& call,
                                                     const Outgoing& outgoing, const Communicator& communicator,
                                                     base::Tag tag, std::uint64_t receive);

}  // namespace dampi::piggyback::distributed
