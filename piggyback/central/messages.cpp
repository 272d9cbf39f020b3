#include "piggyback/central/messages.hpp"

#include "piggyback/central/errors.hpp"
#include "replay/buffering.hpp"

#include <algorithm>
#include <climits>
#include <utility>

namespace dampi::piggyback::central {
namespace {

int as_int(std::uint64_t value) { return static_cast<int>(std::min<std::uint64_t>(value, INT_MAX)); }

}  // namespace

bool Send::surely_buffered() const {
    // MPICH does not buffer what a process alone on its communicator sends to itself.
    const bool alone = !communicator().inter && communicator().peers.size() == 1;
    const std::uint64_t below = RankSide::current()->buffered_below();
    return mode_ == SendMode::buffered ||
           (mode_ == SendMode::standard && packed_size(data_) < below && (!alone || below == replay::no_rendezvous));
}

std::optional<std::uint64_t> Send::bytes_in_buffer() const {
    return mode_ == SendMode::buffered ? std::optional(packed_size(data_)) : std::nullopt;
}

void Send::hand_over(const Call& call, Operation operation) {
    RankSide& side = *RankSide::current();
    Layer& layer = *Layer::current();
    const base::Rank destination = communicator().peer(peer_);
    layer.follow_up.communicates(layer, call, destination);
    transport::requests::SendCall send;
    send.operation = operation;
    send.comm = communicator().id;
    send.destination = destination;
    send.tag = tag_;
    send.mode = mode_;
    send.bytes = packed_size(data_);
    if (send.bytes != 0 || mode_ == SendMode::buffered) {
        send.payload = side.allocate(send.bytes);
        pack(data_, side.data(send.payload));
    }
    send.data = described_;
    send.site = call.site();
    send.made_at = made_at(call);
    send.function = call.function();
    side.tell(std::move(send));
}

int Send::receive(const Call& /*call*/, const Completion& completion, MPI_Status& status) {
    make_empty(status);
    if (completion.cancelled != 0) {
        PMPI_Status_set_cancelled(&status, 1);
    }
    return MPI_SUCCESS;
}

int Arriving::receive(const Call& call, const Completion& completion, MPI_Status& status) {
    if (completion.cancelled != 0) {
        make_empty(status);
        PMPI_Status_set_cancelled(&status, 1);
        return MPI_SUCCESS;
    }
    const std::uint64_t room = packed_size(data_);
    if (completion.payload != 0) {
        unpack(RankSide::current()->data(completion.payload), completion.bytes, data_);
    }
    const int source = communicator().rank_of(completion.source);
    make_status(status, source, completion.tag, std::min(room, completion.bytes));
    if (Moments& moments = RankSide::current()->moments; moments.wanted()) {
        // All of the extent, which may be more than what was written.
        const auto begin = reinterpret_cast<std::intptr_t>(data_.buffer);
        const auto end = reinterpret_cast<std::intptr_t>(advance(data_.buffer, data_.count, data_.type));
        moments.note_received(std::min(begin, end), std::max(begin, end), source, completion.tag);
    }
    return completion.bytes <= room
               ? MPI_SUCCESS
               : code_of(call, Wrong::truncate, source, completion.tag, as_int(completion.bytes), as_int(room));
}

void Receive::start(const Call& call) {
    RankSide& side = *RankSide::current();
    Layer& layer = *Layer::current();
    transport::requests::ReceiveCall receive;
    receive.operation = begin();
    receive.comm = communicator().id;
    receive.source = source_ == MPI_ANY_SOURCE ? base::any_source : communicator().peer(source_);
    receive.tag = tag_ == MPI_ANY_TAG ? base::any_tag : tag_;
    receive.data = described();
    receive.made_at = made_at(call);
    if (source_ == MPI_ANY_SOURCE) {
        receive.situation = side.epoch_of(call);
    } else {
        receive.situation = side.place_of(call);
        layer.follow_up.communicates(layer, call, receive.source);
    }
    side.tell(std::move(receive));
}

int Receive::receive(const Call& call, const Completion& completion, MPI_Status& status) {
    if (source_ == MPI_ANY_SOURCE && completion.cancelled == 0) {
        Layer::current()->follow_up.learns_source(completion.source);
    }
    return Arriving::receive(call, completion, status);
}

void Pair::start(const Call& call) {
    // The data to be sent is packed before any comes.
    send_->start(call);
    receive_->start(call);
    RankSide::current()->tell(transport::requests::PairCall{
        .operation = begin(), .send = send_->operation(), .receive = receive_->operation()});
}

void MatchedReceive::start(const Call& call) {
    RankSide::current()->tell(transport::requests::MatchedReceiveCall{
        .operation = begin(), .message = message_, .data = described(), .site = call.site()});
}

}  // namespace dampi::piggyback::central
