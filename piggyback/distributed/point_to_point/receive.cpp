// Receives: blocking, nonblocking, persistent, and combined with a send.

#include "piggyback/distributed/layer.hpp"
#include "piggyback/distributed/matching/matching.hpp"
#include "piggyback/distributed/matching/outgoing.hpp"
#include "piggyback/distributed/waiting.hpp"
#include "piggyback/interception/calls.hpp"
#include "piggyback/rank/errors/errors.hpp"
#include "piggyback/rank/errors/held_error.hpp"

#include <memory>
#include <optional>
#include <utility>

namespace dampi::piggyback::distributed {
namespace {

/// A blocking receive in progress.
class BlockingReceive {
public:
    BlockingReceive(DistributedLayer& layer, const Call& call, Communicator& communicator, int source, int tag,
                    const transport::TypedData& data)
        : layer_(layer),
          call_(call),
          communicator_(communicator),
          posting_(post(layer, call, communicator, source, tag, replay::EpochKind::receive, data)) {}

    /// Where MPI refuses, nobody has been told yet: the same call in the program's form is to be made instead.
    [[nodiscard]] int start(void* buf, Count count, MPI_Datatype datatype, int tag, MPI_Comm comm) {
        const QuietErrors quiet;
        int result = MPI_SUCCESS;
        {
            const Carried carried(value_of(layer_, posting_));
            result = BothWidths{PMPI_Irecv, PMPI_Irecv_c}(buf, count, datatype, posting_.source, tag, comm, &request_);
        }
        if (result != MPI_SUCCESS) {
            drop(layer_, posting_.posted);
            return result;
        }
        posting_.values.bind(request_);
        if (posting_.posted.spec.wildcard()) {
            publish();  // synchronous senders must be able to see that a wildcard may have received them
        }
        return result;
    }

    /// Takes it back.
    void withdraw() {
        if (!taken_) {
            posting_.values.unbind(request_);
            PMPI_Cancel(&request_);
            PMPI_Request_free(&request_);
            drop(layer_, posting_.posted);
        }
    }

    /// Looks once; true when it has completed, `result` being MPI's return code.
    [[nodiscard]] bool look(MPI_Status* status, int& result) {
        if (!std::exchange(looked_, true) && posting_.values.bound && posting_.values.message() == 0) {
            return false;  // nothing was there when it was posted; the wait will look, once and not twice
        }
        if (!taken_) {
            taken_ = take_promised(layer_, posting_);
        }
        int flag = 0;
        HeldError error;  // as when the message is too long: it is taken all the same
        result = PMPI_Test(&request_, &flag, status);
        if (flag == 0 && result == MPI_SUCCESS) {
            return false;
        }
        if (!taken_) {
            taken_ = resolve(layer_, call_, communicator_, posting_, status->MPI_SOURCE, status->MPI_TAG);
        }
        learn(layer_, *taken_);
        note_source(layer_, communicator_, posting_, status->MPI_SOURCE);
        result = error.hand_over(result);
        return true;
    }

    void describe(WaitDescription& description) const {
        if (taken_) {
            description.add_coming_data();
            return;
        }
        description.add({.kind = transport::WaitKind::receive,
                         .forced = static_cast<std::uint8_t>(posting_.forced != base::any_source),
                         .peer = posting_.forced != base::any_source ? posting_.forced : posting_.posted.spec.source,
                         .tag = posting_.posted.spec.tag,
                         .comm = communicator_.id,
                         .number = posting_.posted.order + 1});
    }

    /// The wait turns out to be long: the receive shows among the pending ones until it has matched.
    void publish() {
        if (!published_ && !taken_) {
            published_ = true;
            keep_pending(layer_, call_, communicator_, posting_, request_, taken_);
        }
    }

private:
    DistributedLayer& layer_;
    const Call& call_;
    Communicator& communicator_;
    Posting posting_;
    MPI_Request request_ = MPI_REQUEST_NULL;
    std::optional<TakenMessage> taken_;
    bool published_ = false;
    bool looked_ = false;
};

}  // namespace

}  // namespace dampi::piggyback::distributed

namespace dampi::piggyback::distributed::calls {
namespace {

int receive_blocking(Call& call, void* buf, Count count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
                     MPI_Status* status) {
    DistributedLayer& layer = *DistributedLayer::current();
    Communicator* communicator = layer.communicators.find(comm);
    constexpr BothWidths native{PMPI_Recv, PMPI_Recv_c};
    if (!followed(layer, call, communicator, comm, source)) {
        return Call::unlocked([&] { return native(buf, count, datatype, source, tag, comm, status); });
    }
    BlockingReceive receive(layer, call, *communicator, source, tag, layer.types.data(count.value, datatype));
    int result = receive.start(buf, count, datatype, tag, comm);
    if (result != MPI_SUCCESS) {
        return native(buf, count, datatype, source, tag, comm, status);
    }
    MPI_Status own;
    MPI_Status* used = status == MPI_STATUS_IGNORE ? &own : status;
    Waiting waiting(
        layer, call,
        [&](WaitDescription& description) {
            receive.publish();
            receive.describe(description);
        },
        Ends::by_mpi);
    while (!receive.look(used, result)) {
        waiting.pause();
    }
    return result;
}

int receive_nonblocking(Call& call, void* buf, Count count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
                        MPI_Request* request) {
    constexpr BothWidths issue{PMPI_Irecv, PMPI_Irecv_c};
    DistributedLayer& layer = *DistributedLayer::current();
    Communicator* communicator = layer.communicators.find(comm);
    if (!followed(layer, call, communicator, comm, source)) {
        const int result = issue(buf, count, datatype, source, tag, comm, request);
        if (result == MPI_SUCCESS && communicator != nullptr && source == MPI_PROC_NULL) {
            follow_null_request(layer, call, *communicator, *request, false, true);
        }
        return result;
    }
    Posting posting = post(layer, call, *communicator, source, tag, replay::EpochKind::receive,
                           layer.types.data(count.value, datatype));
    int result = MPI_SUCCESS;
    {
        const Carried carried(value_of(layer, posting));
        result = issue(buf, count, datatype, posting.source, tag, comm, request);
    }
    if (result != MPI_SUCCESS) {
        drop(layer, posting.posted);
        return result;
    }
    auto added = Requests::make();
    added->kind = RequestKind::receive;
    added->communicator = communicator;
    added->function = call.function();
    added->site = call.site();
    added->posting = std::move(posting);
    Request& followed_request = layer.requests.add(*request, std::move(added));
    followed_request.posting.values.bind(*request);
    keep_pending(layer, call, *communicator, followed_request.posting, *request, followed_request.taken);
    return result;
}

int receive_persistent(Call& call, void* buf, Count count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
                       MPI_Request* request) {
    DistributedLayer& layer = *DistributedLayer::current();
    Communicator* communicator = layer.communicators.find(comm);
    const int result = BothWidths{PMPI_Recv_init, PMPI_Recv_init_c}(buf, count, datatype, source, tag, comm, request);
    if (result == MPI_SUCCESS && communicator != nullptr && source == MPI_PROC_NULL) {
        follow_null_request(layer, call, *communicator, *request, true, true);
        return result;
    }
    if (result != MPI_SUCCESS || !followed(layer, call, communicator, comm, source)) {
        return result;
    }
    auto added = Requests::make();
    added->kind = RequestKind::receive;
    added->persistent = true;
    added->make_special().stack = layer.call_stacks.number_of_few(layer, call.site());
    added->active = false;
    added->communicator = communicator;
    added->function = call.function();
    added->site = call.site();
    added->posting.posted.spec = {.comm = communicator->id,
                                  .source = source == MPI_ANY_SOURCE ? base::any_source : communicator->peer(source),
                                  .tag = tag == MPI_ANY_TAG ? base::any_tag : tag};
    added->posting.asked.data = layer.types.data(count.value, datatype);
    added->peer = source;
    SpecialRequest& special = added->make_special();
    special.buffer = buf;
    special.count = count;
    // The program may free its datatype now; a decided start still needs it.
    PMPI_Type_dup(datatype, &special.datatype);
    layer.requests.add(*request, std::move(added));
    return result;
}

/// The half that sends.
struct SendHalf {
    const void* buf = nullptr;
    Count count;
    MPI_Datatype datatype = MPI_DATATYPE_NULL;
    int dest = MPI_PROC_NULL;
    int tag = 0;
    bool follow = false;
    transport::TypedData data{};  ///< as the program describes it
};

/// Both halves in progress at once. `refused` is the native call, made where MPI refuses one of them.
template <typename Refused>
int sendrecv_both(Call& call, DistributedLayer& layer, Communicator& communicator, const SendHalf& send,
                  bool follow_receive, void* recvbuf, Count recvcount, MPI_Datatype recvtype, int source, int recvtag,
                  MPI_Comm comm, MPI_Status* status, Refused&& refused) {
    MPI_Status own;
    MPI_Status* used = status == MPI_STATUS_IGNORE ? &own : status;
    std::optional<BlockingReceive> receive;
    MPI_Request receive_request = MPI_REQUEST_NULL;  // only for MPI_PROC_NULL
    Remarks as_before = remarks_beside_receive(layer);
    as_before.data = send.data;
    int result = MPI_SUCCESS;
    if (follow_receive) {
        receive.emplace(layer, call, communicator, source, recvtag, layer.types.data(recvcount.value, recvtype));
        result = receive->start(recvbuf, recvcount, recvtype, recvtag, comm);
    } else {
        const QuietErrors quiet;
        result =
            BothWidths{PMPI_Irecv, PMPI_Irecv_c}(recvbuf, recvcount, recvtype, source, recvtag, comm, &receive_request);
    }
    if (result != MPI_SUCCESS) {
        return refused();
    }
    Outgoing outgoing;
    Way way = Way::as_asked;
    if (send.follow) {
        way = way_of(layer, SendMode::standard, communicator, send.count, send.datatype);
        outgoing = append_envelope(layer, call, communicator, send.dest, send.tag, way, as_before);
    }
    MPI_Request send_request = MPI_REQUEST_NULL;
    LibraryValues values;
    {
        const QuietErrors quiet;
        const Carried carried(send.follow ? value_of(layer, outgoing) : 0);
        result = issue_send(layer, SendMode::standard, way, send.buf, send.count, send.datatype, send.dest, send.tag,
                            comm, &send_request);
    }
    if (result != MPI_SUCCESS) {
        if (send.follow) {
            withdraw(layer, outgoing);
        }
        if (receive) {
            receive->withdraw();
        }
        return refused();
    }
    if (is_synchronous(way)) {
        values.bind(send_request);
    }
    bool sent = false;
    bool received = false;
    Waiting waiting(
        layer, call,
        [&](WaitDescription& description) {
            if (!received && receive) {
                receive->publish();
                receive->describe(description);
            }
            if (!sent && send.follow) {
                description.add(wait_for(outgoing, communicator, send.tag));
            }
        },
        Ends::by_mpi);
    int finished_send = MPI_SUCCESS;
    for (;;) {
        if (!received) {
            if (receive) {
                received = receive->look(used, result);
            } else {
                result = PMPI_Wait(&receive_request, used);
                // Of such requests MPICH's statuses say nothing, other than that of its MPI_Sendrecv.
                used->MPI_SOURCE = MPI_PROC_NULL;
                used->MPI_TAG = MPI_ANY_TAG;
                received = true;
            }
        }
        if (!sent) {
            int flag = 0;
            finished_send = PMPI_Test(&send_request, &flag, MPI_STATUS_IGNORE);
            sent = flag != 0 || finished_send != MPI_SUCCESS;
        }
        if (sent && received) {
            if (is_synchronous(way) && finished_send == MPI_SUCCESS) {
                layer.clocks.learn(
                    await_acknowledgement(layer, call, outgoing, communicator, send.tag, values.receive()));
            }
            return result != MPI_SUCCESS ? result : finished_send;
        }
        waiting.pause();
    }
}

/// `native` makes the program's call.
template <typename Native>
int send_and_receive(Call& call, const void* sendbuf, Count sendcount, MPI_Datatype sendtype, int dest, int sendtag,
                     void* recvbuf, Count recvcount, MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm,
                     MPI_Status* status, Native&& native) {
    DistributedLayer& layer = *DistributedLayer::current();
    Communicator* communicator = layer.communicators.find(comm);
    const bool follow_send = followed_to(layer, call, communicator, comm, dest);
    const bool follow_receive = communicator != nullptr && followed(layer, call, communicator, comm, source);
    // A rank that does not exist is refused before the other half begins.
    if ((!follow_send && !follow_receive) || (!follow_send && dest != MPI_PROC_NULL) ||
        (!follow_receive && source != MPI_PROC_NULL)) {
        return Call::unlocked(native);
    }
    return sendrecv_both(call, layer, *communicator,
                         {.buf = sendbuf,
                          .count = sendcount,
                          .datatype = sendtype,
                          .dest = dest,
                          .tag = sendtag,
                          .follow = follow_send,
                          .data = layer.types.data(sendcount.value, sendtype)},
                         follow_receive, recvbuf, recvcount, recvtype, source, recvtag, comm, status, native);
}

int send_and_replace(Call& call, void* buf, Count count, MPI_Datatype datatype, int dest, int sendtag, int source,
                     int recvtag, MPI_Comm comm, MPI_Status* status) {
    DistributedLayer& layer = *DistributedLayer::current();
    Communicator* communicator = layer.communicators.find(comm);
    const bool follow_send = followed_to(layer, call, communicator, comm, dest);
    const bool follow_receive = communicator != nullptr && followed(layer, call, communicator, comm, source);
    const auto native = [&] {
        return BothWidths{PMPI_Sendrecv_replace, PMPI_Sendrecv_replace_c}(buf, count, datatype, dest, sendtag, source,
                                                                          recvtag, comm, status);
    };
    std::unique_ptr<char[]> packed;
    MPI_Count size = 0;
    if ((!follow_send && !follow_receive) || (!follow_send && dest != MPI_PROC_NULL) ||
        (!follow_receive && source != MPI_PROC_NULL) || count.value < 0) {
        return Call::unlocked(native);
    }
    {
        const QuietErrors quiet;
        if (pack(buf, count, datatype, comm, packed, size) != MPI_SUCCESS) {
            return native();
        }
    }
    return sendrecv_both(call, layer, *communicator,
                         {.buf = packed.get(),
                          .count = Count::narrowed(size),
                          .datatype = MPI_PACKED,
                          .dest = dest,
                          .tag = sendtag,
                          .follow = follow_send,
                          .data = layer.types.data(count.value, datatype)},
                         follow_receive, buf, count, datatype, source, recvtag, comm, status, native);
}

}  // namespace

int recv(Call& call, void* buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
         MPI_Status* status) noexcept {
    return receive_blocking(call, buf, count, datatype, source, tag, comm, status);
}

int recv_c(Call& call, void* buf, MPI_Count count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
           MPI_Status* status) noexcept {
    return receive_blocking(call, buf, count, datatype, source, tag, comm, status);
}

int irecv(Call& call, void* buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
          MPI_Request* request) noexcept {
    return receive_nonblocking(call, buf, count, datatype, source, tag, comm, request);
}

int irecv_c(Call& call, void* buf, MPI_Count count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
            MPI_Request* request) noexcept {
    return receive_nonblocking(call, buf, count, datatype, source, tag, comm, request);
}

int recv_init(Call& call, void* buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
              MPI_Request* request) noexcept {
    return receive_persistent(call, buf, count, datatype, source, tag, comm, request);
}

int recv_init_c(Call& call, void* buf, MPI_Count count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
                MPI_Request* request) noexcept {
    return receive_persistent(call, buf, count, datatype, source, tag, comm, request);
}

int sendrecv(Call& call, const void* sendbuf, int sendcount, MPI_Datatype sendtype, int dest, int sendtag,
             void* recvbuf, int recvcount, MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm,
             MPI_Status* status) noexcept {
    return send_and_receive(call, sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype, source,
                            recvtag, comm, status, [&] {
                                return PMPI_Sendrecv(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount,
                                                     recvtype, source, recvtag, comm, status);
                            });
}

int sendrecv_c(Call& call, const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, int dest, int sendtag,
               void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm,
               MPI_Status* status) noexcept {
    return send_and_receive(call, sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype, source,
                            recvtag, comm, status, [&] {
                                return PMPI_Sendrecv_c(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount,
                                                       recvtype, source, recvtag, comm, status);
                            });
}

int sendrecv_replace(Call& call, void* buf, int count, MPI_Datatype datatype, int dest, int sendtag, int source,
                     int recvtag, MPI_Comm comm, MPI_Status* status) noexcept {
    return send_and_replace(call, buf, count, datatype, dest, sendtag, source, recvtag, comm, status);
}

int sendrecv_replace_c(Call& call, void* buf, MPI_Count count, MPI_Datatype datatype, int dest, int sendtag, int source,
                       int recvtag, MPI_Comm comm, MPI_Status* status) noexcept {
    return send_and_replace(call, buf, count, datatype, dest, sendtag, source, recvtag, comm, status);
}

}  // namespace dampi::piggyback::distributed::calls
