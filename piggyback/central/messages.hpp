// Sends and receives as work for the centralized engine.
#pragma once

#include "piggyback/central/work.hpp"
#include "transport/requests/protocol.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

namespace dampi::piggyback::central {

using transport::requests::SendMode;

/// The data by the type that stays, if there is one.
[[nodiscard]] inline Data held(Data data, const HeldType& type) {
    data.type = type.get() != MPI_DATATYPE_NULL ? type.get() : data.type;
    return data;
}

/// The data in terms that others can compare, by the program's own type.
[[nodiscard]] inline transport::TypedData described(const Data& data) {
    return Layer::current()->types.data(data.count, data.type);
}

/// A message to a peer that exists. Its data is packed when it starts.
class Send : public Work {
public:
    Send(Communicator& communicator, SendMode mode, Data data, HeldType type, int peer, int tag)
        : Work(communicator),
          mode_(mode),
          data_(held(data, type)),
          described_(described(data)),
          type_(std::move(type)),
          peer_(peer),
          tag_(tag) {}

    void start(const Call& call) override { hand_over(call, begin()); }
    /// Nobody will wait for it: it is surely buffered.
    void start_for_nobody(const Call& call) { hand_over(call, transport::requests::no_operation); }
    [[nodiscard]] bool is_send() const override { return true; }
    [[nodiscard]] bool can_be_cancelled() const override { return true; }
    [[nodiscard]] std::optional<std::uint64_t> bytes_in_buffer() const override;
    /// Whether it is complete as soon as it has started, whatever the others do.
    [[nodiscard]] bool surely_buffered() const;

protected:
    int receive(const Call& call, const Completion& completion, MPI_Status& status) override;
    void settle(const Completion& /*completion*/) override {}  // the data is the receiver's

private:
    void hand_over(const Call& call, Operation operation);

    SendMode mode_;
    Data data_;
    transport::TypedData described_;
    HeldType type_;
    int peer_;
    int tag_;
};

/// Where a message goes that this rank receives.
class Arriving : public Work {
public:
    Arriving(Communicator& communicator, Data data, HeldType type)
        : Work(communicator), data_(held(data, type)), described_(central::described(data)), type_(std::move(type)) {}

    [[nodiscard]] bool is_receive() const override { return true; }

protected:
    int receive(const Call& call, const Completion& completion, MPI_Status& status) override;
    [[nodiscard]] const transport::TypedData& described() const { return described_; }

private:
    Data data_;
    transport::TypedData described_;
    HeldType type_;
};

/// `source` and `tag` as in MPI; not MPI_PROC_NULL.
class Receive : public Arriving {
public:
    Receive(Communicator& communicator, Data data, HeldType type, int source, int tag)
        : Arriving(communicator, data, std::move(type)), source_(source), tag_(tag) {}

    void start(const Call& call) override;
    [[nodiscard]] bool can_be_cancelled() const override { return true; }

protected:
    int receive(const Call& call, const Completion& completion, MPI_Status& status) override;

private:
    int source_;
    int tag_;
};

/// Of a message that a probe has taken.
class MatchedReceive : public Arriving {
public:
    MatchedReceive(Communicator& communicator, Data data, HeldType type, std::uint64_t message)
        : Arriving(communicator, data, std::move(type)), message_(message) {}

    void start(const Call& call) override;

private:
    std::uint64_t message_;
};

/// A send and a receive with one request (MPI_Isendrecv); begun together, complete together. What is said of it is said
/// of the receive.
class Pair : public Work {
public:
    Pair(Communicator& communicator, std::shared_ptr<Work> send, std::shared_ptr<Work> receive)
        : Work(communicator), send_(std::move(send)), receive_(std::move(receive)) {}

    void start(const Call& call) override;
    [[nodiscard]] bool is_receive() const override { return receive_->is_receive(); }
    [[nodiscard]] Operation arriving() const override { return receive_->operation(); }

protected:
    int receive(const Call& call, const Completion& completion, MPI_Status& status) override {
        return receive_->peek(call, completion, status);
    }

private:
    std::shared_ptr<Work> send_;
    std::shared_ptr<Work> receive_;
};

/// Whether the rank is one that the communicator has.
[[nodiscard]] inline bool has_peer(const Communicator& communicator, int peer) {
    return peer >= 0 && static_cast<std::size_t>(peer) < communicator.peers.size();
}

}  // namespace dampi::piggyback::central
