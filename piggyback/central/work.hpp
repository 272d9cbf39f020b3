// What a request of the program stands for with the centralized engine: how the operation begins, which for a
// persistent one happens more than once, and what the rank does when the scheduler says that it is complete.
#pragma once

#include "piggyback/central/packing.hpp"
#include "piggyback/central/rank_side.hpp"
#include "piggyback/rank/call.hpp"
#include "piggyback/rank/communicators/communicators.hpp"

#include <memory>
#include <optional>

#include <mpi.h>

namespace dampi::piggyback::central {

using transport::requests::Completion;

class Work {
public:
    explicit Work(Communicator& communicator) : communicator_(&communicator), handle_(communicator.handle) {}
    virtual ~Work() = default;
    Work(const Work&) = delete;
    Work& operator=(const Work&) = delete;

    /// Hands the operation over.
    virtual void start(const Call& call) = 0;

    /// The operation is complete: moves the data that came, says so in `status`, and returns MPI's code for it.
    int complete(const Call& call, const Completion& completion, MPI_Status& status) {
        peek(call, completion, status);
        settle(completion);
        told_ = false;
        return code_;
    }

    /// Does what complete() does for MPI_Request_get_status, after which the operation will be completed once more.
    int peek(const Call& call, const Completion& completion, MPI_Status& status) {
        if (!told_) {
            code_ = receive(call, completion, told_status_);
            told_ = true;
        }
        const int kept = status.MPI_ERROR;
        status = told_status_;
        status.MPI_ERROR = kept;
        return code_;
    }

    [[nodiscard]] Operation operation() const { return operation_; }
    [[nodiscard]] Communicator& communicator() const { return *communicator_; }
    /// Where its errors go.
    [[nodiscard]] MPI_Comm error_place() const { return handle_; }
    [[nodiscard]] virtual bool is_receive() const { return false; }
    [[nodiscard]] virtual bool is_send() const { return false; }
    [[nodiscard]] virtual bool can_be_cancelled() const { return false; }
    /// What it needs of the attached buffer: bytes of data.
    [[nodiscard]] virtual std::optional<std::uint64_t> bytes_in_buffer() const { return std::nullopt; }
    /// Under which its data comes when its request was freed.
    [[nodiscard]] virtual Operation arriving() const { return operation_; }

    /// This call makes a persistent request for it.
    void made(const Call& call) { made_at_ = call.site(); }

protected:
    /// Moves the data and writes all of the status but MPI_ERROR.
    virtual int receive(const Call& call, const Completion& completion, MPI_Status& status) = 0;
    /// Lets go of what the completion refers to.
    virtual void settle(const Completion& completion) { RankSide::current()->release(completion.payload); }

    Operation begin() { return operation_ = RankSide::current()->new_operation(); }
    /// Where the request was made that `call` starts; it is not persistent, and is made there, unless made() was
    /// called.
    [[nodiscard]] std::uint64_t made_at(const Call& call) const { return made_at_ != 0 ? made_at_ : call.site(); }

private:
    Communicator* communicator_;
    MPI_Comm handle_;
    Operation operation_ = 0;
    std::uint64_t made_at_ = 0;
    bool told_ = false;
    int code_ = MPI_SUCCESS;
    MPI_Status told_status_{};
};

/// MPI's status of nothing.
void make_empty(MPI_Status& status);
/// Of a message.
void make_status(MPI_Status& status, int source, int tag, std::uint64_t bytes);

/// What is complete at once: with MPI_PROC_NULL.
class NothingToDo : public Work {
public:
    NothingToDo(Communicator& communicator, bool receives) : Work(communicator), receives_(receives) {}
    void start(const Call& call) override;

protected:
    int receive(const Call& call, const Completion& completion, MPI_Status& status) override;

private:
    bool receives_;
};

/// Waits for one operation and completes it.
int await(const Call& call, Work& work, MPI_Status& status);

/// Makes a request of the program's for the work, begun already unless it is persistent.
void make_request(const Call& call, std::shared_ptr<Work> work, RequestKind kind, bool persistent,
                  MPI_Request* request);

}  // namespace dampi::piggyback::central
