// Sends in all modes, blocking, nonblocking and persistent.

#include "piggyback/completion/completion.hpp"
#include "piggyback/interception/calls.hpp"
#include "piggyback/layer.hpp"
#include "piggyback/point_to_point/outgoing.hpp"
#include "piggyback/waiting.hpp"

namespace dampi::piggyback::calls {
namespace {

using NonblockingSend = int (*)(const void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*);
using BlockingSend = int (*)(const void*, int, MPI_Datatype, int, int, MPI_Comm);

enum class Mode { standard, synchronous, buffered, ready };

/// What differs between the modes.
struct ModeFunctions {
    BlockingSend blocking;
    NonblockingSend nonblocking;
    NonblockingSend persistent;
};

constexpr ModeFunctions functions(Mode mode) {
    switch (mode) {
        case Mode::synchronous:
            return {PMPI_Ssend, PMPI_Issend, PMPI_Ssend_init};
        case Mode::buffered:
            return {PMPI_Bsend, PMPI_Ibsend, PMPI_Bsend_init};
        case Mode::ready:
            return {PMPI_Rsend, PMPI_Irsend, PMPI_Rsend_init};
        case Mode::standard:
            break;
    }
    return {PMPI_Send, PMPI_Isend, PMPI_Send_init};
}

/// A blocking send is a nonblocking one of the same mode and a wait, so that a rank that blocks in it can be
/// seen and yields its core.
template <Mode mode>
int send_blocking(Call& call, const void* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) {
    Layer& layer = *Layer::current();
    Communicator* communicator = layer.communicators.find(comm);
    if (!followed(layer, call, communicator, comm, dest)) {
        return functions(mode).blocking(buf, count, datatype, dest, tag, comm);
    }
    const Outgoing outgoing = append_envelope(layer, call, *communicator, dest, tag, mode == Mode::synchronous);
    if constexpr (mode == Mode::buffered) {  // local: never blocks
        const int result = PMPI_Bsend(buf, count, datatype, dest, tag, comm);
        if (result != MPI_SUCCESS) {
            withdraw(layer, outgoing);
        }
        return result;
    }
    MPI_Request request = MPI_REQUEST_NULL;
    int result = functions(mode).nonblocking(buf, count, datatype, dest, tag, comm, &request);
    if (result != MPI_SUCCESS) {
        withdraw(layer, outgoing);
        return result;
    }
    Waiting waiting(layer, call, [&](WaitDescription& description) {
        description.add({.kind = replay::area::WaitKind::send,
                         .forced = 0,
                         .peer = outgoing.destination,
                         .tag = tag,
                         .comm = communicator->id,
                         .number = outgoing.number});
    });
    for (;;) {
        int flag = 0;
        result = PMPI_Test(&request, &flag, MPI_STATUS_IGNORE);
        if (flag != 0 || result != MPI_SUCCESS) {
            break;
        }
        waiting.pause();
    }
    if constexpr (mode == Mode::synchronous) {
        layer.clocks.learn(await_acknowledgement(layer, call, outgoing, *communicator, tag));
    }
    return result;
}

void follow_send(Layer& layer, const Call& call, Communicator& communicator, MPI_Request handle,
                 const Outgoing& outgoing, int tag) {
    auto request = std::make_unique<Request>();
    request->kind = RequestKind::send;
    request->communicator = &communicator;
    request->function = call.function();
    request->site = call.site();
    request->outgoing = outgoing;
    request->synchronous = outgoing.synchronous;
    request->tag = tag;
    layer.requests.add(handle, std::move(request));
}

template <Mode mode>
int send_nonblocking(Call& call, const void* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                     MPI_Request* request) {
    Layer& layer = *Layer::current();
    Communicator* communicator = layer.communicators.find(comm);
    if (!followed(layer, call, communicator, comm, dest)) {
        const int result = functions(mode).nonblocking(buf, count, datatype, dest, tag, comm, request);
        if (result == MPI_SUCCESS && communicator != nullptr && dest == MPI_PROC_NULL) {
            follow_null_request(layer, call, *communicator, *request, false);
        }
        return result;
    }
    const Outgoing outgoing = append_envelope(layer, call, *communicator, dest, tag, mode == Mode::synchronous);
    const int result = functions(mode).nonblocking(buf, count, datatype, dest, tag, comm, request);
    if (result != MPI_SUCCESS) {
        withdraw(layer, outgoing);
    } else {
        follow_send(layer, call, *communicator, *request, outgoing, tag);
    }
    return result;
}

template <Mode mode>
int send_persistent(Call& call, const void* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                    MPI_Request* request) {
    Layer& layer = *Layer::current();
    Communicator* communicator = layer.communicators.find(comm);
    const int result = functions(mode).persistent(buf, count, datatype, dest, tag, comm, request);
    if (result == MPI_SUCCESS && communicator != nullptr && dest == MPI_PROC_NULL) {
        follow_null_request(layer, call, *communicator, *request, true);
        return result;
    }
    if (result != MPI_SUCCESS || !followed(layer, call, communicator, comm, dest)) {
        return result;
    }
    auto added = std::make_unique<Request>();
    added->kind = RequestKind::send;
    added->persistent = true;
    added->active = false;
    added->communicator = communicator;
    added->function = call.function();
    added->site = call.site();
    added->peer = dest;
    added->tag = tag;
    added->synchronous = mode == Mode::synchronous;
    layer.requests.add(*request, std::move(added));
    return result;
}

}  // namespace

#define DAMPI_SENDS(name, iname, init_name, mode)                                                                  \
    int name(Call& call, const void* buf, int count, MPI_Datatype datatype, int dest, int tag,                     \
             MPI_Comm comm) noexcept {                                                                             \
        return send_blocking<mode>(call, buf, count, datatype, dest, tag, comm);                                   \
    }                                                                                                              \
    int iname(Call& call, const void* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,     \
              MPI_Request* request) noexcept {                                                                     \
        return send_nonblocking<mode>(call, buf, count, datatype, dest, tag, comm, request);                       \
    }                                                                                                              \
    int init_name(Call& call, const void* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, \
                  MPI_Request* request) noexcept {                                                                 \
        return send_persistent<mode>(call, buf, count, datatype, dest, tag, comm, request);                        \
    }

DAMPI_SENDS(send, isend, send_init, Mode::standard)
DAMPI_SENDS(ssend, issend, ssend_init, Mode::synchronous)
DAMPI_SENDS(bsend, ibsend, bsend_init, Mode::buffered)
DAMPI_SENDS(rsend, irsend, rsend_init, Mode::ready)

#undef DAMPI_SENDS

}  // namespace dampi::piggyback::calls
