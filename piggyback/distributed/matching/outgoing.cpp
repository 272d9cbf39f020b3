#include "piggyback/distributed/matching/outgoing.hpp"

#include "piggyback/distributed/matching/matching.hpp"
#include "piggyback/distributed/progress.hpp"
#include "piggyback/distributed/turns.hpp"
#include "piggyback/distributed/waiting.hpp"
#include "piggyback/rank/errors/errors.hpp"
#include "piggyback/rank/time/virtual_time.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <optional>
#include <utility>

namespace dampi::piggyback::distributed {

bool followed(DistributedLayer& layer, const Call& call, const Communicator* communicator, MPI_Comm comm, int source) {
    if (communicator != nullptr) {
        return source == MPI_ANY_SOURCE ||
               (source >= 0 && static_cast<std::size_t>(source) < communicator->peers.size());
    }
    if (comm != MPI_COMM_NULL && source != MPI_PROC_NULL) {
        char name[transport::name_length];
        std::snprintf(name, sizeof name, "%.20s (unknown comm)", call.function());
        layer.count_not_modelled(name);
    }
    return false;
}

void follow_null_request(DistributedLayer& layer, const Call& call, Communicator& communicator, MPI_Request& handle,
                         bool persistent, bool receives, bool partitioned) {
    if (!persistent) {
        PMPI_Request_free(&handle);
        handle = open_request();
        PMPI_Grequest_complete(handle);
    }
    auto request = Requests::make();
    request->kind = RequestKind::send;
    request->persistent = persistent;
    request->active = !persistent;
    request->communicator = &communicator;
    request->function = call.function();
    request->site = call.site();
    request->peer = MPI_PROC_NULL;
    request->from_nobody = receives;
    request->never_active = persistent && !partitioned;
    layer.requests.add(handle, std::move(request));
}

namespace {

/// The size of a predefined datatype, which MPICH's binary interface writes into the handle; -1 for others.
constexpr MPI_Count predefined_size(MPI_Datatype datatype) {
    constexpr unsigned predefined = 0x4c;
    const auto handle = static_cast<unsigned>(datatype);
    return handle >> 24 == predefined ? static_cast<MPI_Count>(handle >> 8 & 0xff) : -1;
}
static_assert(predefined_size(MPI_BYTE) == 1 && predefined_size(MPI_DOUBLE) == sizeof(double) &&
              predefined_size(MPI_LONG_DOUBLE) == sizeof(long double) && predefined_size(MPI_2INT) == 2 * sizeof(int) &&
              predefined_size(MPI_FLOAT_INT) == -1 && predefined_size(MPI_DATATYPE_NULL) == -1);

/// Whether the library lets a standard-mode send of this message wait for its receive.
bool is_rendezvous(const DistributedLayer& layer, const Communicator& communicator, Count count,
                   MPI_Datatype datatype) {
    if (!communicator.inter && communicator.peers.size() == 1) {
        return true;
    }
    if (layer.rendezvous_threshold == replay::no_rendezvous || count.value < 0 || datatype == MPI_DATATYPE_NULL) {
        return false;
    }
    MPI_Count size = predefined_size(datatype);
    if (size < 0) {
        const QuietErrors quiet;  // nobody has looked at the datatype yet
        if (PMPI_Type_size_x(datatype, &size) != MPI_SUCCESS || size < 0) {
            return false;
        }
    }
    std::uint64_t bytes = 0;
    return __builtin_mul_overflow(static_cast<std::uint64_t>(size), static_cast<std::uint64_t>(count.value), &bytes) ||
           bytes >= layer.rendezvous_threshold;
}

}  // namespace

Way way_of(const DistributedLayer& layer, SendMode mode, const Communicator& communicator, Count count,
           MPI_Datatype datatype) {
    using Buffering = replay::Buffering::Kind;
    if (mode == SendMode::buffered) {
        return Way::as_asked;
    }
    const bool synchronous =
        mode == SendMode::synchronous || (mode == SendMode::standard && layer.buffering == Buffering::zero);
    if (!is_rendezvous(layer, communicator, count, datatype)) {
        return synchronous ? Way::synchronous : Way::as_asked;
    }
    return synchronous || layer.buffering != Buffering::infinite ? Way::rendezvous : Way::copied;
}

int pack(const void* buf, Count count, MPI_Datatype datatype, MPI_Comm comm, std::unique_ptr<char[]>& data,
         MPI_Count& size) {
    MPI_Count room = 0;
    const int result = PMPI_Pack_size_c(count.value, datatype, comm, &room);
    if (result != MPI_SUCCESS) {
        return result;
    }
    data = std::make_unique<char[]>(static_cast<std::size_t>(room) + 1);
    size = 0;
    return PMPI_Pack_c(buf, count.value, datatype, data.get(), room, &size, comm);
}

int send_copy(DistributedLayer& layer, const void* buf, Count count, MPI_Datatype datatype, int dest, int tag,
              MPI_Comm comm) {
    std::erase_if(layer.sent_copies, [](SentCopy& copy) {
        int gone = 0;
        return PMPI_Test(&copy.handle, &gone, MPI_STATUS_IGNORE) == MPI_SUCCESS && gone != 0;
    });
    SentCopy copy;
    MPI_Count size = 0;
    int result = pack(buf, count, datatype, comm, copy.data, size);
    if (result == MPI_SUCCESS) {
        result = BothWidths{PMPI_Isend, PMPI_Isend_c}(copy.data.get(), Count::narrowed(size), MPI_PACKED, dest, tag,
                                                      comm, &copy.handle);
    }
    if (result == MPI_SUCCESS) {
        layer.sent_copies.push_back(std::move(copy));
    }
    return result;
}

int completed_request(MPI_Comm comm, bool persistent, MPI_Request* request) {
    return (persistent ? PMPI_Send_init : PMPI_Isend)(nullptr, 0, MPI_BYTE, MPI_PROC_NULL, 0, comm, request);
}

int issue_send(DistributedLayer& layer, SendMode mode, Way way, const void* buf, Count count, MPI_Datatype datatype,
               int dest, int tag, MPI_Comm comm, MPI_Request* request) {
    if (way == Way::copied) {
        const int result = send_copy(layer, buf, count, datatype, dest, tag, comm);
        return result == MPI_SUCCESS ? completed_request(comm, false, request) : result;
    }
    BothWidths issue{PMPI_Isend, PMPI_Isend_c};
    if (is_synchronous(way)) {
        issue = {PMPI_Issend, PMPI_Issend_c};
    } else if (mode == SendMode::buffered) {
        issue = {PMPI_Ibsend, PMPI_Ibsend_c};
    } else if (mode == SendMode::ready) {
        issue = {PMPI_Irsend, PMPI_Irsend_c};
    }
    return issue(buf, count, datatype, dest, tag, comm, request);
}

transport::WaitItem wait_for(const Outgoing& outgoing, const Communicator& communicator, base::Tag tag) {
    return {.kind = transport::WaitKind::send,
            .forced = 0,
            .synchronous = static_cast<std::uint8_t>(is_synchronous(outgoing.way)),
            .peer = outgoing.destination,
            .tag = tag,
            .comm = communicator.id,
            .number = outgoing.number};
}

bool promises(const void* buf, Count count, MPI_Datatype datatype, int tag) {
    constexpr int least_upper_bound = 32767;  // of tags, in every implementation of MPI
    return predefined_size(datatype) > 0 && tag >= 0 && tag <= least_upper_bound && count.value >= 0 &&
           (count.value == 0 || (buf != nullptr && buf != MPI_IN_PLACE));
}

std::uint64_t data_size(Count count, MPI_Datatype datatype) {
    if (count.value < 0 || datatype == MPI_DATATYPE_NULL) {
        return 0;
    }
    MPI_Count size = predefined_size(datatype);
    if (size < 0) {
        const QuietErrors quiet;  // nobody has looked at the datatype yet
        if (PMPI_Type_size_x(datatype, &size) != MPI_SUCCESS || size < 0) {
            return 0;
        }
    }
    return static_cast<std::uint64_t>(size) * static_cast<std::uint64_t>(count.value);
}

Remarks remarks_on_ready(DistributedLayer& layer) {
    const bool followed = layer.clocks.marks().postings;
    if (!followed) {
        layer.count_not_modelled("ready sends: is the receive posted");
    }
    return {.ready = followed};
}

Remarks remarks_on_buffered(DistributedLayer& layer, const Call& call, std::uint64_t bytes) {
    if (layer.attached == 0) {
        return {};  // MPI says so
    }
    if (layer.clocks.marks().buffered) {
        layer.buffered.forget_received(layer.rank(), layer.clocks.now()->clock);
    }
    const std::uint64_t taken = layer.buffered.taken(MPI_BSEND_OVERHEAD);
    const std::uint64_t needed = bytes + MPI_BSEND_OVERHEAD;
    bool no_room = false;
    if (needed <= layer.attached && taken + needed > layer.attached) {
        const bool certain = layer.clocks.marks().buffered && !layer.marks_doubtful && !layer.multithreaded &&
                             !layer.unmodelled_calls && !layer.buffered.too_many();
        no_room = certain;
        if (certain) {
            note_misuse(call, replay::ViolationKind::argument_buffer,
                        no_room_text(needed, layer.attached, taken, layer.buffered.count()));
        } else {
            layer.count_not_modelled("buffered sends: is there room");
        }
    }
    const std::uint32_t number = layer.buffered.add(bytes);
    return {.no_room = no_room,
            .in_buffer = true,
            .buffered = layer.clocks.marks().buffered && number < clocks::most_marks ? number + 1 : 0};
}

void withdraw_buffered(DistributedLayer& layer, const Remarks& remarks) {
    if (remarks.in_buffer) {
        layer.buffered.withdraw_last();
    }
}

Outgoing append_envelope(DistributedLayer& layer, const Call& call, Communicator& communicator, int destination,
                         int tag, Way way, const Remarks& remarks) {
    take_turn(layer, call);
    count_up(layer.board().messages_sent);
    note_exchange();
    layer.follow_up.communicates(layer, call, communicator.peer(destination));
    Outgoing outgoing;
    outgoing.way = way;
    outgoing.destination = communicator.peer(destination);
    outgoing.number = communicator.sent[static_cast<std::size_t>(destination)]++;
    outgoing.envelope = layer.port.send(outgoing.destination,
                                        {.comm = communicator.id,
                                         .tag = tag,
                                         .number = outgoing.number,
                                         .clock = publish(layer, remarks.known ? remarks.known : layer.clocks.now()),
                                         .site = call.site(),
                                         .synchronous = is_synchronous(way),
                                         .promised = remarks.promised,
                                         .ready = remarks.ready,
                                         .buffered = remarks.buffered,
                                         .data = remarks.data,
                                         .sent_at = layer.port.passed()});
    return outgoing;
}

void withdraw(DistributedLayer& layer, const Outgoing& outgoing) {
    layer.port.withdraw(outgoing.envelope, is_synchronous(outgoing.way));
}

namespace {

/// What the destination's pending receives say about a message that one of them has taken.
struct Presumption {
    clocks::Clock clock;
    bool sure = true;
    bool must_wait = false;  ///< a receive that a decision forces must match first
};

/// How long a receiver gets that is neither blocked in the layer nor answers. It may compute while the rest of a large
/// message waits to be taken in; a small one is taken in at once, so its receiver is in a call of the MPI library.
constexpr std::chrono::milliseconds patience_for_rendezvous{5};
constexpr std::chrono::milliseconds patience{1000};

/// What the receive that the library tells of acknowledges: all that there is before the match, but for what the sender
/// knows itself, is what was known at the posting, if no other receive was pending then. Nothing where one was, where
/// its clock is decided only by the match (that of an epoch with Lamport clocks), or where the receiver has seen the
/// match already.
std::optional<clocks::Clock> told(DistributedLayer& layer, const Outgoing& outgoing, std::uint64_t receive) {
    constexpr std::uint64_t most_looks = 1024;
    const auto named = named_by(receive);
    if (!named || named->rank != outgoing.destination) {
        return std::nullopt;
    }
    std::optional<clocks::Clock> found;
    layer.port.for_each_posted(outgoing.destination, most_looks, [&](const transport::PostedReceive& posted) {
        if (posted.order != named->number) {
            return true;
        }
        const bool first = posted.oldest_pending == posted.order;
        const bool epoch = posted.epoch != transport::no_epoch;
        if (first && !(epoch && layer.port.protocol() == clocks::Protocol::lamport)) {
            found = layer.port.clock(posted.posted_clock);
            if (epoch) {
                found->vector.add(outgoing.destination, posted.epoch);
            }
        }
        return false;
    });
    return found;
}

/// What the receive would acknowledge, if it is one of those that are pending. When several may have taken the message,
/// all that any of them knows: knowing too much can hide an alternative (and is counted as not modelled), knowing too
/// little could make an infeasible one look feasible.
Presumption presume(DistributedLayer& layer, const Outgoing& outgoing, const Communicator& communicator,
                    base::Tag tag) {
    Presumption presumed;
    unsigned found = 0;
    bool something = false;  // that the receive would teach
    layer.port.for_each_posted(outgoing.destination, ~std::uint64_t{0}, [&](const transport::PostedReceive& posted) {
        if (!posted.spec.fits(communicator.id, layer.rank(), tag)) {
            return true;
        }
        const bool epoch = posted.epoch != transport::no_epoch;
        ++found;
        something = something || posted.posted_clock != 0 || epoch;
        presumed.must_wait = presumed.must_wait || (posted.forced != base::any_source && posted.forced != layer.rank());
        presumed.clock.merge(layer.port.clock(posted.posted_clock));
        if (epoch && layer.port.protocol() == clocks::Protocol::lamport) {
            presumed.clock.lamport.advance();
            presumed.sure = false;  // its final clock is not known
        } else if (epoch) {
            presumed.clock.vector.add(outgoing.destination, posted.epoch);
        }
        return true;
    });
    presumed.sure = presumed.sure && (found == 1 || (found > 1 && !something));
    return presumed;
}

}  // namespace

namespace {

/// What the receiver's layer has written down with the match.
clocks::Snapshot acknowledged(DistributedLayer& layer, const Outgoing& outgoing) {
    layer.windows.hearsay.somebody();
    const transport::Acknowledgement known = layer.port.acknowledgement(outgoing.envelope);
    layer.port.forget(outgoing.envelope);
    learn_time(known.posted_at);
    return layer.port.snapshot(known.clock);
}

}  // namespace

clocks::Snapshot await_acknowledgement(DistributedLayer& layer, const Call& call, const Outgoing& outgoing,
                                       const Communicator& communicator, base::Tag tag, std::uint64_t receive) {
    if (is_taken(outgoing)) {
        return acknowledged(layer, outgoing);
    }
    if (auto clock = told(layer, outgoing, receive)) {
        layer.port.forget(outgoing.envelope);
        return *clock == clocks::Clock{} ? clocks::Snapshot() : clocks::Snapshot(*std::move(clock));
    }
    Waiting waiting(layer, call, [&](WaitDescription& description) {
        auto item = wait_for(outgoing, communicator, tag);
        item.synchronous = 0;  // its receive is there
        description.add(item);
    });
    // With values the receiver sees the match when MPI does, and in calls of the MPI library as well.
    const std::chrono::milliseconds shortest =
        outgoing.way == Way::rendezvous && !library_values_used() ? patience_for_rendezvous : patience;
    auto begin = std::chrono::steady_clock::now();
    while (!is_taken(outgoing)) {
        make_progress();  // an earlier receive may wait for the rest of a message from here
        notice_matches(layer);
        // In the layer's own loops the receiver looks all the time: it answers when earlier receives have matched.
        if (is_held(outgoing) || layer.port.looks_all_the_time(outgoing.destination)) {
            begin = std::chrono::steady_clock::now();
        } else if (const auto waited = std::chrono::steady_clock::now() - begin; waited > shortest) {
            const Presumption presumed = presume(layer, outgoing, communicator, tag);
            if (!presumed.must_wait && (presumed.sure || waited > patience) && !is_taken(outgoing)) {
                if (!presumed.sure) {
                    layer.count_not_modelled("synchronous send, receiver unclear");
                }
                layer.port.forget(outgoing.envelope);
                return clocks::Snapshot(presumed.clock);
            }
        }
        waiting.pause();
    }
    return acknowledged(layer, outgoing);
}

}  // namespace dampi::piggyback::distributed
