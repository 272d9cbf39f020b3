#include "piggyback/distributed/lifecycle/unreceived.hpp"

#include "piggyback/distributed/layer.hpp"
#include "piggyback/distributed/progress.hpp"

#include <chrono>
#include <cstddef>
#include <list>
#include <vector>

#include <sched.h>

namespace dampi::piggyback::distributed {
namespace {

using namespace std::chrono_literals;

/// Nothing of them has come for so long: it is not known to be on its way any more.
constexpr auto patience = 1s;

class UnreceivedMessage {
public:
    UnreceivedMessage(MPI_Comm comm, int source, int tag) : comm_(comm), source_(source), tag_(tag) {}

    /// Whether it has come; tries again when it has not.
    bool has_come() {
        if (request_ == MPI_REQUEST_NULL && !begin()) {
            return false;
        }
        int done = 0;
        PMPI_Test(&request_, &done, MPI_STATUS_IGNORE);
        return done != 0;
    }

private:
    bool begin() {
        int found = 0;
        int bytes = 0;
        MPI_Message message = MPI_MESSAGE_NULL;
        MPI_Status status{};
        PMPI_Improbe(source_, tag_, comm_, &found, &message, &status);
        if (found == 0) {
            return false;
        }
        PMPI_Get_count(&status, MPI_BYTE, &bytes);
        bytes = bytes == MPI_UNDEFINED ? 0 : bytes;  // as good as a refused one: MPI has matched it
        data_.resize(static_cast<std::size_t>(bytes));
        return PMPI_Imrecv(data_.data(), bytes, MPI_BYTE, &message, &request_) == MPI_SUCCESS;
    }

    MPI_Comm comm_;
    int source_;
    int tag_;
    MPI_Request request_ = MPI_REQUEST_NULL;
    std::vector<std::byte> data_;
};

std::list<UnreceivedMessage> unreceived_by(DistributedLayer& layer) {
    std::list<UnreceivedMessage> messages;
    for (const auto& [source, envelope] : layer.port.unreceived()) {
        const Communicator* communicator = layer.communicators.find_id(envelope.comm);
        const int rank = communicator == nullptr ? MPI_UNDEFINED : communicator->rank_of(source);
        if (rank != MPI_UNDEFINED) {
            messages.emplace_back(communicator->handle, rank, envelope.tag);
        }
    }
    return messages;
}

}  // namespace

void drop_unreceived(DistributedLayer& layer) {
    using Clock = std::chrono::steady_clock;
    // MPI may still write to what is left in the end.
    auto& messages = *new std::list<UnreceivedMessage>(unreceived_by(layer));
    auto latest = Clock::now();
    while (!messages.empty() && Clock::now() - latest < patience) {
        if (messages.remove_if([](UnreceivedMessage& message) { return message.has_come(); }) != 0) {
            latest = Clock::now();
        }
        make_progress();
        sched_yield();
    }
    if (messages.empty()) {
        delete &messages;
    }
}

}  // namespace dampi::piggyback::distributed
