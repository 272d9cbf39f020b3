// Sends in all modes, blocking, nonblocking and persistent.

#include "piggyback/distributed/layer.hpp"
#include "piggyback/distributed/matching/outgoing.hpp"
#include "piggyback/distributed/waiting.hpp"
#include "piggyback/interception/calls.hpp"
#include "piggyback/rank/errors/errors.hpp"

namespace dampi::piggyback::distributed::calls {
namespace {

using BlockingSend = BothWidths<decltype(PMPI_Send), decltype(PMPI_Send_c)>;
using PersistentSend = BothWidths<decltype(PMPI_Send_init), decltype(PMPI_Send_init_c)>;

constexpr BlockingSend blocking_function(SendMode mode) {
    switch (mode) {
        case SendMode::synchronous:
            return {PMPI_Ssend, PMPI_Ssend_c};
        case SendMode::buffered:
            return {PMPI_Bsend, PMPI_Bsend_c};
        case SendMode::ready:
            return {PMPI_Rsend, PMPI_Rsend_c};
        case SendMode::standard:
            break;
    }
    return {PMPI_Send, PMPI_Send_c};
}

constexpr PersistentSend persistent_function(SendMode mode) {
    switch (mode) {
        case SendMode::synchronous:
            return {PMPI_Ssend_init, PMPI_Ssend_init_c};
        case SendMode::buffered:
            return {PMPI_Bsend_init, PMPI_Bsend_init_c};
        case SendMode::ready:
            return {PMPI_Rsend_init, PMPI_Rsend_init_c};
        case SendMode::standard:
            break;
    }
    return {PMPI_Send_init, PMPI_Send_init_c};
}

/// send_copy() of a message whose arguments nobody has checked.
int quiet_copy(DistributedLayer& layer, const void* buf, Count count, MPI_Datatype datatype, int dest, int tag,
               MPI_Comm comm) {
    const QuietErrors quiet;
    return send_copy(layer, buf, count, datatype, dest, tag, comm);
}

template <SendMode mode>
Remarks remarks_on(DistributedLayer& layer, const Call& call, Count count, MPI_Datatype datatype) {
    if constexpr (mode == SendMode::ready) {
        return remarks_on_ready(layer);
    } else if constexpr (mode == SendMode::buffered) {
        return remarks_on_buffered(layer, call, data_size(count, datatype));
    }
    return {};
}

/// A blocking send is a nonblocking one of the same mode and a wait, so that a rank that blocks in it can be
/// seen and yields its core.
template <SendMode mode>
int send_blocking(Call& call, const void* buf, Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) {
    DistributedLayer& layer = *DistributedLayer::current();
    Communicator* communicator = layer.communicators.find(comm);
    if (!followed_to(layer, call, communicator, comm, dest)) {
        return Call::unlocked([&] { return blocking_function(mode)(buf, count, datatype, dest, tag, comm); });
    }
    const Way way = way_of(layer, mode, *communicator, count, datatype);
    Remarks remarks = remarks_on<mode>(layer, call, count, datatype);
    remarks.promised = mode == SendMode::standard && way == Way::as_asked && promises(buf, count, datatype, tag);
    remarks.data = layer.types.data(count.value, datatype);
    const Outgoing outgoing = append_envelope(layer, call, *communicator, dest, tag, way, remarks);
    if constexpr (mode == SendMode::buffered) {  // local: never blocks
        const Carried carried(value_of(layer, outgoing));
        int result = remarks.no_room ? quiet_copy(layer, buf, count, datatype, dest, tag, comm) : MPI_ERR_BUFFER;
        if (result != MPI_SUCCESS) {
            result = blocking_function(mode)(buf, count, datatype, dest, tag, comm);
        }
        if (result != MPI_SUCCESS) {
            withdraw(layer, outgoing);
            withdraw_buffered(layer, remarks);
        }
        return result;
    }
    MPI_Request request = MPI_REQUEST_NULL;
    LibraryValues values;
    int result = MPI_SUCCESS;
    {
        const QuietErrors quiet;
        const Carried carried(value_of(layer, outgoing));
        result = issue_send(layer, mode, way, buf, count, datatype, dest, tag, comm, &request);
    }
    if (result != MPI_SUCCESS) {
        withdraw(layer, outgoing);
        return blocking_function(mode)(buf, count, datatype, dest, tag, comm);  // refused in its own name
    }
    if (is_synchronous(way)) {
        values.bind(request);
    }
    Waiting waiting(
        layer, call, [&](WaitDescription& description) { description.add(wait_for(outgoing, *communicator, tag)); },
        Ends::by_mpi);
    for (;;) {
        int flag = 0;
        result = PMPI_Test(&request, &flag, MPI_STATUS_IGNORE);
        if (flag != 0 || result != MPI_SUCCESS) {
            break;
        }
        waiting.pause();
    }
    if (is_synchronous(way)) {
        layer.clocks.learn(await_acknowledgement(layer, call, outgoing, *communicator, tag, values.receive()));
    }
    return result;
}

void follow_send(DistributedLayer& layer, const Call& call, Communicator& communicator, MPI_Request handle,
                 const Outgoing& outgoing, int tag) {
    auto request = Requests::make();
    request->kind = RequestKind::send;
    request->communicator = &communicator;
    request->function = call.function();
    request->site = call.site();
    request->outgoing = outgoing;
    request->way = outgoing.way;
    request->tag = tag;
    Request& added = layer.requests.add(handle, std::move(request));
    if (is_synchronous(added.way)) {
        added.values.bind(handle);
    }
}

template <SendMode mode>
int send_nonblocking(Call& call, const void* buf, Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                     MPI_Request* request) {
    DistributedLayer& layer = *DistributedLayer::current();
    Communicator* communicator = layer.communicators.find(comm);
    if (!followed_to(layer, call, communicator, comm, dest)) {
        const int result = issue_send(layer, mode, mode == SendMode::synchronous ? Way::synchronous : Way::as_asked,
                                      buf, count, datatype, dest, tag, comm, request);
        if (result == MPI_SUCCESS && communicator != nullptr && dest == MPI_PROC_NULL) {
            follow_null_request(layer, call, *communicator, *request, false, false);
        }
        return result;
    }
    const Way way = way_of(layer, mode, *communicator, count, datatype);
    Remarks remarks = remarks_on<mode>(layer, call, count, datatype);
    remarks.data = layer.types.data(count.value, datatype);
    const Outgoing outgoing = append_envelope(layer, call, *communicator, dest, tag, way, remarks);
    int result = MPI_SUCCESS;
    {
        const Carried carried(value_of(layer, outgoing));
        const bool copied = remarks.no_room && quiet_copy(layer, buf, count, datatype, dest, tag, comm) == MPI_SUCCESS;
        result = copied ? completed_request(comm, false, request)
                        : issue_send(layer, mode, way, buf, count, datatype, dest, tag, comm, request);
    }
    if (result != MPI_SUCCESS) {
        withdraw(layer, outgoing);
        withdraw_buffered(layer, remarks);
    } else {
        follow_send(layer, call, *communicator, *request, outgoing, tag);
    }
    return result;
}

template <SendMode mode>
int send_persistent(Call& call, const void* buf, Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                    MPI_Request* request) {
    DistributedLayer& layer = *DistributedLayer::current();
    Communicator* communicator = layer.communicators.find(comm);
    const bool follows = followed_to(layer, call, communicator, comm, dest);
    const Way way = follows ? way_of(layer, mode, *communicator, count, datatype) : Way::as_asked;
    const PersistentSend make = persistent_function(is_synchronous(way) ? SendMode::synchronous : mode);
    int result = make(buf, count, datatype, dest, tag, comm, request);
    if (result == MPI_SUCCESS && communicator != nullptr && dest == MPI_PROC_NULL) {
        follow_null_request(layer, call, *communicator, *request, true, false);
        return result;
    }
    if (result != MPI_SUCCESS || !follows) {
        return result;
    }
    auto added = Requests::make();
    if (way == Way::copied) {
        PMPI_Request_free(request);  // it has told that MPI accepts the arguments
        result = completed_request(comm, true, request);
        if (result != MPI_SUCCESS) {
            return result;
        }
        SpecialRequest& special = added->make_special();
        special.buffer = const_cast<void*>(buf);
        special.count = count;
        // The program may free its datatype now; a start still needs it.
        PMPI_Type_dup(datatype, &special.datatype);
    }
    added->ready = mode == SendMode::ready;
    if (mode == SendMode::buffered) {
        added->make_special().buffered_bytes = data_size(count, datatype);
    }
    added->kind = RequestKind::send;
    added->persistent = true;
    added->make_special().stack = layer.call_stacks.number_of_few(layer, call.site());
    added->active = false;
    added->communicator = communicator;
    added->function = call.function();
    added->site = call.site();
    added->peer = dest;
    added->tag = tag;
    added->way = way;
    added->make_special().data = layer.types.data(count.value, datatype);
    layer.requests.add(*request, std::move(added));
    return result;
}

}  // namespace

#define DAMPI_SENDS(name, iname, init_name, suffix, CountType, mode)                                              \
    int name##suffix(Call& call, const void* buf, CountType count, MPI_Datatype datatype, int dest, int tag,      \
                     MPI_Comm comm) noexcept {                                                                    \
        return send_blocking<mode>(call, buf, count, datatype, dest, tag, comm);                                  \
    }                                                                                                             \
    int iname##suffix(Call& call, const void* buf, CountType count, MPI_Datatype datatype, int dest, int tag,     \
                      MPI_Comm comm, MPI_Request* request) noexcept {                                             \
        return send_nonblocking<mode>(call, buf, count, datatype, dest, tag, comm, request);                      \
    }                                                                                                             \
    int init_name##suffix(Call& call, const void* buf, CountType count, MPI_Datatype datatype, int dest, int tag, \
                          MPI_Comm comm, MPI_Request* request) noexcept {                                         \
        return send_persistent<mode>(call, buf, count, datatype, dest, tag, comm, request);                       \
    }
#define DAMPI_SENDS_OF_BOTH_WIDTHS(name, iname, init_name, mode) \
    DAMPI_SENDS(name, iname, init_name, , int, mode)             \
    DAMPI_SENDS(name, iname, init_name, _c, MPI_Count, mode)

DAMPI_SENDS_OF_BOTH_WIDTHS(send, isend, send_init, SendMode::standard)
DAMPI_SENDS_OF_BOTH_WIDTHS(ssend, issend, ssend_init, SendMode::synchronous)
DAMPI_SENDS_OF_BOTH_WIDTHS(bsend, ibsend, bsend_init, SendMode::buffered)
DAMPI_SENDS_OF_BOTH_WIDTHS(rsend, irsend, rsend_init, SendMode::ready)

#undef DAMPI_SENDS_OF_BOTH_WIDTHS
#undef DAMPI_SENDS

}  // namespace dampi::piggyback::distributed::calls
