// Sends and receives with one request for both (completion/pairs.hpp).

#include "piggyback/distributed/completion/pairs.hpp"
#include "piggyback/distributed/layer.hpp"
#include "piggyback/distributed/matching/matching.hpp"
#include "piggyback/distributed/matching/outgoing.hpp"
#include "piggyback/interception/calls.hpp"
#include "piggyback/rank/collectives/null_buffers.hpp"

#include <memory>
#include <utility>

namespace dampi::piggyback::distributed::calls {
namespace {

/// What the program asks for: the arguments of MPI_Isendrecv_c. For MPI_Isendrecv_replace both buffers are the same.
struct Exchange {
    const void* sendbuf;
    Count sendcount;
    MPI_Datatype sendtype;
    int dest;
    int sendtag;
    void* recvbuf;
    Count recvcount;
    MPI_Datatype recvtype;
    int source;
    int recvtag;
    MPI_Comm comm;
    transport::TypedData sent{};  ///< as the program describes it
};

int start_both(DistributedLayer& layer, const Call& call, Communicator& communicator, const Exchange& asked,
               const std::shared_ptr<Pair>& pair, MPI_Request* request) {
    pair->receive.kind = RequestKind::receive;
    pair->receive.communicator = &communicator;
    Remarks as_before = remarks_beside_receive(layer);
    as_before.data = asked.sent;
    pair->receive.posting = post(layer, call, communicator, asked.source, asked.recvtag, replay::EpochKind::receive,
                                 layer.types.data(asked.recvcount.value, asked.recvtype));
    int result = MPI_SUCCESS;
    {
        const Carried carried(value_of(layer, pair->receive.posting));
        result = BothWidths{PMPI_Irecv, PMPI_Irecv_c}(asked.recvbuf, asked.recvcount, asked.recvtype,
                                                      pair->receive.posting.source, asked.recvtag, asked.comm,
                                                      &pair->receive.handle);
    }
    if (result != MPI_SUCCESS) {
        return result;
    }
    pair->receive.posting.values.bind(pair->receive.handle);
    const Way way = way_of(layer, SendMode::standard, communicator, asked.sendcount, asked.sendtype);
    pair->send.kind = RequestKind::send;
    pair->send.communicator = &communicator;
    pair->send.way = way;
    pair->send.tag = asked.sendtag;
    pair->send.outgoing = append_envelope(layer, call, communicator, asked.dest, asked.sendtag, way, as_before);
    {
        const Carried carried(value_of(layer, pair->send.outgoing));
        result = issue_send(layer, SendMode::standard, way, asked.sendbuf, asked.sendcount, asked.sendtype, asked.dest,
                            asked.sendtag, asked.comm, &pair->send.handle);
    }
    if (result != MPI_SUCCESS) {
        withdraw(layer, pair->send.outgoing);
        pair->receive.posting.values.unbind(pair->receive.handle);
        PMPI_Cancel(&pair->receive.handle);
        PMPI_Request_free(&pair->receive.handle);
        return result;
    }
    if (is_synchronous(way)) {
        pair->send.values.bind(pair->send.handle);
    }
    result = make_request(*pair, request);
    if (result != MPI_SUCCESS) {
        return result;
    }
    auto added = Requests::make();
    added->kind = RequestKind::pair;
    added->communicator = &communicator;
    added->function = call.function();
    added->site = call.site();
    added->make_special().pair = pair;
    layer.requests.add(*request, std::move(added));
    keep_pending(layer, call, communicator, pair->receive.posting, pair->receive.handle, pair->receive.taken);
    return result;
}

/// `native` makes the program's call. `replaces`: the message is received into the buffer that is sent.
template <typename Native>
int exchange(Call& call, Exchange asked, bool replaces, MPI_Request* request, Native&& native) {
    DistributedLayer& layer = *DistributedLayer::current();
    Communicator* communicator = layer.communicators.find(asked.comm);
    // Where one half goes nowhere MPI, too, has the request of the other only.
    if (asked.source == MPI_PROC_NULL) {
        const int result = isend_c(call, asked.sendbuf, asked.sendcount.value, asked.sendtype, asked.dest,
                                   asked.sendtag, asked.comm, request);
        // The status is the receive's all the same.
        if (Request* sent = result == MPI_SUCCESS ? layer.requests.find(*request) : nullptr) {
            sent->from_nobody = true;
        }
        return result;
    }
    if (asked.dest == MPI_PROC_NULL) {
        return irecv_c(call, asked.recvbuf, asked.recvcount.value, asked.recvtype, asked.source, asked.recvtag,
                       asked.comm, request);
    }
    if (!followed_to(layer, call, communicator, asked.comm, asked.dest) ||
        !followed(layer, call, communicator, asked.comm, asked.source)) {
        return native();
    }
    asked.sent = layer.types.data(asked.sendcount.value, asked.sendtype);
    auto pair = std::make_shared<Pair>();
    if (replaces) {
        if (asked.sendcount.value < 0) {
            return native();
        }
        MPI_Count size = 0;
        if (asked.sendbuf == nullptr && is_missed(asked.comm, asked.sendcount.value, asked.sendtype)) {
            return native();  // MPI has a name of its own for that
        }
        const int result = pack(asked.sendbuf, asked.sendcount, asked.sendtype, asked.comm, pair->packed, size);
        if (result != MPI_SUCCESS) {
            return result;
        }
        asked.sendbuf = pair->packed.get();
        asked.sendcount = Count::narrowed(size);
        asked.sendtype = MPI_PACKED;
    }
    return start_both(layer, call, *communicator, asked, pair, request);
}

}  // namespace

int isendrecv(Call& call, const void* sendbuf, int sendcount, MPI_Datatype sendtype, int dest, int sendtag,
              void* recvbuf, int recvcount, MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm,
              MPI_Request* request) noexcept {
    return exchange(call,
                    {sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype, source, recvtag, comm},
                    false, request, [&] {
                        return PMPI_Isendrecv(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype,
                                              source, recvtag, comm, request);
                    });
}

int isendrecv_c(Call& call, const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, int dest, int sendtag,
                void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm,
                MPI_Request* request) noexcept {
    return exchange(call,
                    {sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype, source, recvtag, comm},
                    false, request, [&] {
                        return PMPI_Isendrecv_c(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount,
                                                recvtype, source, recvtag, comm, request);
                    });
}

int isendrecv_replace(Call& call, void* buf, int count, MPI_Datatype datatype, int dest, int sendtag, int source,
                      int recvtag, MPI_Comm comm, MPI_Request* request) noexcept {
    return exchange(
        call, {buf, count, datatype, dest, sendtag, buf, count, datatype, source, recvtag, comm}, true, request,
        [&] { return PMPI_Isendrecv_replace(buf, count, datatype, dest, sendtag, source, recvtag, comm, request); });
}

int isendrecv_replace_c(Call& call, void* buf, MPI_Count count, MPI_Datatype datatype, int dest, int sendtag,
                        int source, int recvtag, MPI_Comm comm, MPI_Request* request) noexcept {
    return exchange(
        call, {buf, count, datatype, dest, sendtag, buf, count, datatype, source, recvtag, comm}, true, request,
        [&] { return PMPI_Isendrecv_replace_c(buf, count, datatype, dest, sendtag, source, recvtag, comm, request); });
}

}  // namespace dampi::piggyback::distributed::calls
