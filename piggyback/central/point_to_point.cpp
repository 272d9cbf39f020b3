// Sending, receiving and probing with the centralized engine. A blocking operation is begun and waited for. Whether MPI
// would take the arguments it says itself, in the same call with MPI_PROC_NULL in the place of the peer.
#include "piggyback/central/buffer_room.hpp"
#include "piggyback/central/errors.hpp"
#include "piggyback/central/messages.hpp"
#include "piggyback/interception/central_calls.hpp"
#include "piggyback/rank/attached_room.hpp"
#include "piggyback/rank/count.hpp"
#include "piggyback/rank/errors/errors.hpp"
#include "piggyback/rank/resources/matched_messages.hpp"

#include <memory>
#include <utility>

namespace dampi::piggyback::central::calls {
namespace {

using replay::EpochKind;

/// One half of a call: whom, how, and what.
struct Message {
    const void* buffer;
    Count count;
    MPI_Datatype type;
    int peer;
    int tag;
    MPI_Comm comm;

    [[nodiscard]] Data data() const { return {const_cast<void*>(buffer), count.value, type}; }
};

/// MPI refuses the arguments: what it says of the program's own function, in which `again` calls it with MPI_PROC_NULL.
template <typename Again>
int named(int code, Again&& again) {
    if (code == MPI_SUCCESS) {
        return code;
    }
    const QuietErrors quiet;
    const int better = again();
    return better != MPI_SUCCESS ? better : code;
}

/// Whether the send makes sense; if not, the error has been delivered. `communicator`: null if not.
template <typename Again>
int check_send(const Call& call, const Message& message, Communicator*& communicator, Again&& again) {
    communicator = Layer::current()->communicators.find(message.comm);
    constexpr BothWidths native{PMPI_Send, PMPI_Send_c};
    int code = MPI_SUCCESS;
    {
        const QuietErrors quiet;
        code = native(message.buffer, message.count, message.type, MPI_PROC_NULL, message.tag, message.comm);
    }
    code = named(code, again);
    if (code == MPI_SUCCESS && communicator != nullptr && message.peer != MPI_PROC_NULL &&
        !has_peer(*communicator, message.peer)) {
        code = code_of(call, Wrong::rank, message.peer, static_cast<int>(communicator->peers.size()));
    }
    return deliver(call, communicator == nullptr ? MPI_COMM_NULL : message.comm, code);
}

template <typename Again>
int check_receive(const Call& call, const Message& message, Communicator*& communicator, Again&& again) {
    communicator = Layer::current()->communicators.find(message.comm);
    constexpr BothWidths native{PMPI_Recv, PMPI_Recv_c};
    int code = MPI_SUCCESS;
    {
        const QuietErrors quiet;
        code = native(const_cast<void*>(message.buffer), message.count, message.type, MPI_PROC_NULL, message.tag,
                      message.comm, MPI_STATUS_IGNORE);
    }
    code = named(code, again);
    if (code == MPI_SUCCESS && communicator != nullptr && message.peer != MPI_PROC_NULL &&
        message.peer != MPI_ANY_SOURCE && !has_peer(*communicator, message.peer)) {
        code = code_of(call, Wrong::rank, message.peer, static_cast<int>(communicator->peers.size()));
    }
    return deliver(call, communicator == nullptr ? MPI_COMM_NULL : message.comm, code);
}

/// Whether there is room for it in the attached buffer.
int check_buffer(const Call& call, const Message& message, SendMode mode) {
    if (mode != SendMode::buffered || message.peer == MPI_PROC_NULL) {
        return MPI_SUCCESS;
    }
    return check_room(call, message.comm, packed_size(message.data()));
}

/// `held`: it outlives the call.
std::shared_ptr<Work> sending(Communicator& communicator, const Message& message, SendMode mode, bool held) {
    if (message.peer == MPI_PROC_NULL) {
        return std::make_shared<NothingToDo>(communicator, false);
    }
    return std::make_shared<Send>(communicator, mode, message.data(), held ? HeldType(message.type) : HeldType(),
                                  message.peer, message.tag);
}

std::shared_ptr<Work> receiving(Communicator& communicator, const Message& message, bool held) {
    if (message.peer == MPI_PROC_NULL) {
        return std::make_shared<NothingToDo>(communicator, true);
    }
    return std::make_shared<Receive>(communicator, message.data(), held ? HeldType(message.type) : HeldType(),
                                     message.peer, message.tag);
}

template <typename Again>
int send_blocking(const Call& call, SendMode mode, const Message& message, Again&& again) {
    Communicator* communicator = nullptr;
    if (const int code = check_send(call, message, communicator, again); code != MPI_SUCCESS) {
        return code;
    }
    if (const int code = check_buffer(call, message, mode); code != MPI_SUCCESS || message.peer == MPI_PROC_NULL) {
        return code;
    }
    Send send(*communicator, mode, message.data(), {}, message.peer, message.tag);
    if (send.surely_buffered()) {
        send.start_for_nobody(call);
        return MPI_SUCCESS;
    }
    send.start(call);
    MPI_Status status;
    return await(call, send, status);
}

template <typename Again>
int send_nonblocking(const Call& call, SendMode mode, const Message& message, MPI_Request* request, bool persistent,
                     Again&& again) {
    Communicator* communicator = nullptr;
    if (const int code = check_send(call, message, communicator, again); code != MPI_SUCCESS) {
        return code;
    }
    if (!persistent) {
        if (const int code = check_buffer(call, message, mode); code != MPI_SUCCESS) {
            return code;
        }
    }
    // The data of a send that is not persistent is packed before the call returns.
    auto work = sending(*communicator, message, mode, persistent);
    if (!persistent) {
        work->start(call);
    }
    make_request(call, std::move(work), RequestKind::send, persistent, request);
    return MPI_SUCCESS;
}

template <typename Again>
int receive_blocking(const Call& call, const Message& message, MPI_Status* status, Again&& again) {
    Communicator* communicator = nullptr;
    if (const int code = check_receive(call, message, communicator, again); code != MPI_SUCCESS) {
        return code;
    }
    MPI_Status own;
    MPI_Status& used = status == MPI_STATUS_IGNORE ? own : *status;
    if (message.peer == MPI_PROC_NULL) {
        make_status(used, MPI_PROC_NULL, MPI_ANY_TAG, 0);
        return MPI_SUCCESS;
    }
    Receive receive(*communicator, message.data(), {}, message.peer, message.tag);
    receive.start(call);
    return deliver(call, message.comm, await(call, receive, used));
}

template <typename Again>
int receive_nonblocking(const Call& call, const Message& message, MPI_Request* request, bool persistent,
                        Again&& again) {
    Communicator* communicator = nullptr;
    if (const int code = check_receive(call, message, communicator, again); code != MPI_SUCCESS) {
        return code;
    }
    auto work = receiving(*communicator, message, true);
    if (!persistent) {
        work->start(call);
    }
    make_request(call, std::move(work), RequestKind::receive, persistent, request);
    return MPI_SUCCESS;
}

/// Both are valid.
int exchange(const Call& call, Communicator& communicator, const Message& sent, const Message& received,
             MPI_Status* status) {
    RankSide& side = *RankSide::current();
    const auto send = sending(communicator, sent, SendMode::standard, false);
    const auto receive = receiving(communicator, received, false);
    // The data to be sent is packed before any comes.
    send->start(call);
    receive->start(call);
    transport::requests::WaitCall wait;
    wait.operations = {send->operation(), receive->operation()};
    wait.situation = side.place_of(call);
    const Answer answer = side.ask(call, std::move(wait));
    MPI_Status own;
    MPI_Status& used = status == MPI_STATUS_IGNORE ? own : *status;
    int code = MPI_SUCCESS;
    for (const Completion& completion : answer.completions) {
        if (completion.operation == send->operation()) {
            MPI_Status ignored;
            send->complete(call, completion, ignored);
        } else {
            code = receive->complete(call, completion, used);
        }
    }
    return deliver(call, received.comm, code);
}

template <typename Again>
int check_pair(const Call& call, const Message& sent, const Message& received, Communicator*& communicator,
               Again&& again) {
    const int code = check_send(call, sent, communicator, again);
    return code != MPI_SUCCESS ? code : check_receive(call, received, communicator, again);
}

template <typename Again>
int send_and_receive(const Call& call, const Message& sent, const Message& received, MPI_Status* status,
                     Again&& again) {
    Communicator* communicator = nullptr;
    if (const int code = check_pair(call, sent, received, communicator, again); code != MPI_SUCCESS) {
        return code;
    }
    return exchange(call, *communicator, sent, received, status);
}

template <typename Again>
int send_and_receive_nonblocking(const Call& call, const Message& sent, const Message& received, MPI_Request* request,
                                 Again&& again) {
    Communicator* communicator = nullptr;
    if (const int code = check_pair(call, sent, received, communicator, again); code != MPI_SUCCESS) {
        return code;
    }
    auto work = std::make_shared<Pair>(*communicator, sending(*communicator, sent, SendMode::standard, false),
                                       receiving(*communicator, received, true));
    work->start(call);
    make_request(call, std::move(work), RequestKind::receive, false, request);
    return MPI_SUCCESS;
}

// ---- probes ------------------------------------------------------------------------------------------------

struct Probing {
    EpochKind kind;
    bool polling;
    bool matched;
};

constexpr Probing probing{EpochKind::probe, false, false};
constexpr Probing probing_matched{EpochKind::matched_probe, false, true};
constexpr Probing polling{EpochKind::polling_probe, true, false};
constexpr Probing polling_matched{EpochKind::polling_matched_probe, true, true};

template <typename Again>
int probe(const Call& call, const Probing& how, int source, int tag, MPI_Comm comm, int* flag, MPI_Message* message,
          MPI_Status* status, Again&& again) {
    RankSide& side = *RankSide::current();
    Layer& layer = *Layer::current();
    Communicator* communicator = nullptr;
    char nothing = 0;
    if (const int code = check_receive(call, {&nothing, 0, MPI_BYTE, source, tag, comm}, communicator, again);
        code != MPI_SUCCESS) {
        return code;
    }
    MPI_Status own;
    MPI_Status& used = status == MPI_STATUS_IGNORE ? own : *status;
    if (source == MPI_PROC_NULL) {
        make_status(used, MPI_PROC_NULL, MPI_ANY_TAG, 0);
        if (how.polling) {
            *flag = 1;
        }
        if (how.matched) {
            *message = MPI_MESSAGE_NO_PROC;
        }
        return MPI_SUCCESS;
    }
    transport::requests::ProbeCall ask;
    ask.polling = how.polling ? 1U : 0U;
    ask.matched = how.matched ? 1U : 0U;
    ask.comm = communicator->id;
    ask.source = source == MPI_ANY_SOURCE ? base::any_source : communicator->peer(source);
    ask.tag = tag == MPI_ANY_TAG ? base::any_tag : tag;
    if (how.polling) {
        *flag = 0;
        ask.turn =
            side.take_polling_turn(call, {.kind = how.kind, .comm = ask.comm, .source = ask.source, .tag = ask.tag});
        ask.situation = side.epoch_of(call, ask.turn.begins != 0);
    } else if (source == MPI_ANY_SOURCE) {
        ask.situation = side.epoch_of(call);
    } else {
        ask.situation = side.place_of(call);
        layer.follow_up.communicates(layer, call, ask.source);
    }
    const transport::requests::PollingTurn turn = ask.turn;
    const Answer answer = how.polling ? side.ask_polling(call, turn, std::move(ask)) : side.ask(call, std::move(ask));
    if (how.polling) {
        *flag = answer.flag != 0 ? 1 : 0;
        if (*flag == 0) {
            side.note_false_answer(answer);
            return MPI_SUCCESS;
        }
        side.end_polling();
    }
    DAMPI_CHECK(answer.completions.size() == 1);
    const Completion& found = answer.completions.front();
    const int from = communicator->rank_of(found.source);
    make_status(used, from, found.tag, found.bytes);
    if (source == MPI_ANY_SOURCE) {
        layer.follow_up.learns_source(found.source);
    }
    if (how.matched) {
        *message = side.message_handles.take();
        side.messages.insert(*message, {.message = answer.message, .communicator = communicator, .source = from});
        took_message(call, *message);
    }
    return MPI_SUCCESS;
}

/// Begins the receive of a probed message, whose handle is used up then. `work` is null where MPI refuses.
int receive_matched(const Call& call, void* buffer, Count count, MPI_Datatype type, MPI_Message* handle, bool held,
                    std::shared_ptr<Work>& work) {
    RankSide& side = *RankSide::current();
    const ProbedMessage* found = side.messages.find(*handle);
    if (found == nullptr && *handle != MPI_MESSAGE_NO_PROC) {
        return raise(call, MPI_COMM_NULL, Wrong::request);
    }
    Communicator& communicator =
        found != nullptr ? *found->communicator : *Layer::current()->communicators.find(MPI_COMM_WORLD);
    if (const int code = check_data(buffer, count.value, type, communicator.handle); code != MPI_SUCCESS) {
        return deliver(call, communicator.handle, code);
    }
    if (found == nullptr) {
        work = std::make_shared<NothingToDo>(communicator, true);
    } else {
        Layer& layer = *Layer::current();
        layer.follow_up.communicates(layer, call, communicator.peer(found->source));
        work = std::make_shared<MatchedReceive>(communicator, Data{buffer, count.value, type},
                                                held ? HeldType(type) : HeldType(), found->message);
        receives_message(*handle);
        side.messages.erase(*handle);
        side.message_handles.give_back(*handle);
    }
    *handle = MPI_MESSAGE_NULL;
    work->start(call);
    return MPI_SUCCESS;
}

int receive_matched_blocking(const Call& call, void* buffer, Count count, MPI_Datatype type, MPI_Message* handle,
                             MPI_Status* status) {
    std::shared_ptr<Work> work;
    if (const int code = receive_matched(call, buffer, count, type, handle, false, work); code != MPI_SUCCESS) {
        return code;
    }
    MPI_Status own;
    const int code = await(call, *work, status == MPI_STATUS_IGNORE ? own : *status);
    return deliver(call, work->error_place(), code);
}

int receive_matched_nonblocking(const Call& call, void* buffer, Count count, MPI_Datatype type, MPI_Message* handle,
                                MPI_Request* request) {
    std::shared_ptr<Work> work;
    if (const int code = receive_matched(call, buffer, count, type, handle, true, work); code != MPI_SUCCESS) {
        return code;
    }
    make_request(call, std::move(work), RequestKind::receive, false, request);
    return MPI_SUCCESS;
}

}  // namespace

/// `Name`, `IName`: MPI's functions, which say what is wrong with arguments.
#define DAMPI_SEND(Name, IName, name, mode)                                           \
    DAMPI_SEND_WIDTH(Name, IName, Name##_init, name, i##name, name##_init, mode, int) \
    DAMPI_SEND_WIDTH(Name##_c, IName##_c, Name##_init_c, name##_c, i##name##_c, name##_init_c, mode, MPI_Count)
#define DAMPI_SEND_WIDTH(Name, IName, InitName, name, iname, initname, mode, Number)                                 \
    int name(Call& call, const void* buf, Number count, MPI_Datatype datatype, int dest, int tag,                    \
             MPI_Comm comm) noexcept {                                                                               \
        return send_blocking(call, mode, {buf, count, datatype, dest, tag, comm},                                    \
                             [&] { return PMPI_##Name(buf, count, datatype, MPI_PROC_NULL, tag, comm); });           \
    }                                                                                                                \
    int iname(Call& call, const void* buf, Number count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,    \
              MPI_Request* request) noexcept {                                                                       \
        return send_nonblocking(call, mode, {buf, count, datatype, dest, tag, comm}, request, false, [&] {           \
            return PMPI_##IName(buf, count, datatype, MPI_PROC_NULL, tag, comm, request);                            \
        });                                                                                                          \
    }                                                                                                                \
    int initname(Call& call, const void* buf, Number count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, \
                 MPI_Request* request) noexcept {                                                                    \
        return send_nonblocking(call, mode, {buf, count, datatype, dest, tag, comm}, request, true, [&] {            \
            return PMPI_##InitName(buf, count, datatype, MPI_PROC_NULL, tag, comm, request);                         \
        });                                                                                                          \
    }

DAMPI_SEND(Send, Isend, send, SendMode::standard)
DAMPI_SEND(Ssend, Issend, ssend, SendMode::synchronous)
DAMPI_SEND(Bsend, Ibsend, bsend, SendMode::buffered)
DAMPI_SEND(Rsend, Irsend, rsend, SendMode::ready)
#undef DAMPI_SEND
#undef DAMPI_SEND_WIDTH

#define DAMPI_RECEIVE(suffix, Number)                                                                                  \
    int recv##suffix(Call& call, void* buf, Number count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,   \
                     MPI_Status* status) noexcept {                                                                    \
        return receive_blocking(call, {buf, count, datatype, source, tag, comm}, status, [&] {                         \
            return PMPI_Recv##suffix(buf, count, datatype, MPI_PROC_NULL, tag, comm, MPI_STATUS_IGNORE);               \
        });                                                                                                            \
    }                                                                                                                  \
    int irecv##suffix(Call& call, void* buf, Number count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,  \
                      MPI_Request* request) noexcept {                                                                 \
        return receive_nonblocking(call, {buf, count, datatype, source, tag, comm}, request, false, [&] {              \
            return PMPI_Irecv##suffix(buf, count, datatype, MPI_PROC_NULL, tag, comm, request);                        \
        });                                                                                                            \
    }                                                                                                                  \
    int recv_init##suffix(Call& call, void* buf, Number count, MPI_Datatype datatype, int source, int tag,             \
                          MPI_Comm comm, MPI_Request* request) noexcept {                                              \
        return receive_nonblocking(call, {buf, count, datatype, source, tag, comm}, request, true, [&] {               \
            return PMPI_Recv_init##suffix(buf, count, datatype, MPI_PROC_NULL, tag, comm, request);                    \
        });                                                                                                            \
    }                                                                                                                  \
    int mrecv##suffix(Call& call, void* buf, Number count, MPI_Datatype datatype, MPI_Message* message,                \
                      MPI_Status* status) noexcept {                                                                   \
        return receive_matched_blocking(call, buf, count, datatype, message, status);                                  \
    }                                                                                                                  \
    int imrecv##suffix(Call& call, void* buf, Number count, MPI_Datatype datatype, MPI_Message* message,               \
                       MPI_Request* request) noexcept {                                                                \
        return receive_matched_nonblocking(call, buf, count, datatype, message, request);                              \
    }                                                                                                                  \
    int sendrecv##suffix(Call& call, const void* sendbuf, Number sendcount, MPI_Datatype sendtype, int dest,           \
                         int sendtag, void* recvbuf, Number recvcount, MPI_Datatype recvtype, int source, int recvtag, \
                         MPI_Comm comm, MPI_Status* status) noexcept {                                                 \
        return send_and_receive(call, {sendbuf, sendcount, sendtype, dest, sendtag, comm},                             \
                                {recvbuf, recvcount, recvtype, source, recvtag, comm}, status, [&] {                   \
                                    return PMPI_Sendrecv##suffix(sendbuf, sendcount, sendtype, MPI_PROC_NULL, sendtag, \
                                                                 recvbuf, recvcount, recvtype, MPI_PROC_NULL, recvtag, \
                                                                 comm, MPI_STATUS_IGNORE);                             \
                                });                                                                                    \
    }                                                                                                                  \
    int sendrecv_replace##suffix(Call& call, void* buf, Number count, MPI_Datatype datatype, int dest, int sendtag,    \
                                 int source, int recvtag, MPI_Comm comm, MPI_Status* status) noexcept {                \
        return send_and_receive(call, {buf, count, datatype, dest, sendtag, comm},                                     \
                                {buf, count, datatype, source, recvtag, comm}, status, [&] {                           \
                                    return PMPI_Sendrecv_replace##suffix(buf, count, datatype, MPI_PROC_NULL, sendtag, \
                                                                         MPI_PROC_NULL, recvtag, comm,                 \
                                                                         MPI_STATUS_IGNORE);                           \
                                });                                                                                    \
    }                                                                                                                  \
    int isendrecv##suffix(Call& call, const void* sendbuf, Number sendcount, MPI_Datatype sendtype, int dest,          \
                          int sendtag, void* recvbuf, Number recvcount, MPI_Datatype recvtype, int source,             \
                          int recvtag, MPI_Comm comm, MPI_Request* request) noexcept {                                 \
        return send_and_receive_nonblocking(call, {sendbuf, sendcount, sendtype, dest, sendtag, comm},                 \
                                            {recvbuf, recvcount, recvtype, source, recvtag, comm}, request, [&] {      \
                                                return PMPI_Isendrecv##suffix(                                         \
                                                    sendbuf, sendcount, sendtype, MPI_PROC_NULL, sendtag, recvbuf,     \
                                                    recvcount, recvtype, MPI_PROC_NULL, recvtag, comm, request);       \
                                            });                                                                        \
    }                                                                                                                  \
    int isendrecv_replace##suffix(Call& call, void* buf, Number count, MPI_Datatype datatype, int dest, int sendtag,   \
                                  int source, int recvtag, MPI_Comm comm, MPI_Request* request) noexcept {             \
        return send_and_receive_nonblocking(call, {buf, count, datatype, dest, sendtag, comm},                         \
                                            {buf, count, datatype, source, recvtag, comm}, request, [&] {              \
                                                return PMPI_Isendrecv_replace##suffix(                                 \
                                                    buf, count, datatype, MPI_PROC_NULL, sendtag, MPI_PROC_NULL,       \
                                                    recvtag, comm, request);                                           \
                                            });                                                                        \
    }

DAMPI_RECEIVE(, int)
DAMPI_RECEIVE(_c, MPI_Count)
#undef DAMPI_RECEIVE

int probe(Call& call, int source, int tag, MPI_Comm comm, MPI_Status* status) noexcept {
    return probe(call, probing, source, tag, comm, nullptr, nullptr, status,
                 [&] { return PMPI_Probe(MPI_PROC_NULL, tag, comm, MPI_STATUS_IGNORE); });
}

int iprobe(Call& call, int source, int tag, MPI_Comm comm, int* flag, MPI_Status* status) noexcept {
    return probe(call, polling, source, tag, comm, flag, nullptr, status,
                 [&] { return PMPI_Iprobe(MPI_PROC_NULL, tag, comm, flag, MPI_STATUS_IGNORE); });
}

int mprobe(Call& call, int source, int tag, MPI_Comm comm, MPI_Message* message, MPI_Status* status) noexcept {
    return probe(call, probing_matched, source, tag, comm, nullptr, message, status,
                 [&] { return PMPI_Mprobe(MPI_PROC_NULL, tag, comm, message, MPI_STATUS_IGNORE); });
}

int improbe(Call& call, int source, int tag, MPI_Comm comm, int* flag, MPI_Message* message,
            MPI_Status* status) noexcept {
    return probe(call, polling_matched, source, tag, comm, flag, message, status,
                 [&] { return PMPI_Improbe(MPI_PROC_NULL, tag, comm, flag, message, MPI_STATUS_IGNORE); });
}

// ---- the attached buffer -----------------------------------------------------------------------------------

namespace {

template <typename Native>
int attach_buffer(std::uint64_t room, Native&& native) {
    const int result = native();
    if (result == MPI_SUCCESS) {
        RankSide::current()->attached.attach(room);
    }
    return result;
}

template <typename Native>
int detach_buffer(const Call& call, Native&& native) {
    RankSide& side = *RankSide::current();
    if (side.attached.size() != 0) {
        side.ask(call, transport::requests::DetachCall{.situation = side.place_of(call)});
    }
    side.attached.detach();
    return native();
}

}  // namespace

int buffer_attach(Call& /*call*/, void* buffer, int size) noexcept {
    return attach_buffer(room_of_buffer(buffer, size), [&] { return PMPI_Buffer_attach(buffer, size); });
}

int buffer_attach_c(Call& /*call*/, void* buffer, MPI_Count size) noexcept {
    return attach_buffer(room_of_buffer(buffer, size), [&] { return PMPI_Buffer_attach_c(buffer, size); });
}

int buffer_detach(Call& call, void* buffer, int* size) noexcept {
    return detach_buffer(call, [&] { return PMPI_Buffer_detach(buffer, size); });
}

int buffer_detach_c(Call& call, void* buffer, MPI_Count* size) noexcept {
    return detach_buffer(call, [&] { return PMPI_Buffer_detach_c(buffer, size); });
}

}  // namespace dampi::piggyback::central::calls
