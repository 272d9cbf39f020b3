#include "piggyback/distributed/completion/cancelling.hpp"

#include "piggyback/distributed/completion/settling.hpp"
#include "piggyback/distributed/matching/cancelled_receives.hpp"
#include "piggyback/distributed/matching/matching.hpp"
#include "piggyback/distributed/matching/outgoing.hpp"
#include "piggyback/distributed/waiting.hpp"
#include "piggyback/interception/calls.hpp"
#include "piggyback/rank/errors/errors.hpp"
#include "piggyback/rank/findings.hpp"
#include "piggyback/rank/status.hpp"

#include <memory>
#include <utility>

namespace dampi::piggyback::distributed {
namespace {

void cancelled_in_time(DistributedLayer& layer, Request& request, const Choice& choice) {
    settle_cancelled(layer, request);
    choose(layer, choice, {}, {});
    layer.cancelled.push_back({.spec = request.posting.posted.spec,
                               .order = request.posting.posted.order,
                               .epoch = choice.index,
                               .after = layer.clocks.now()});
}

/// MPI matches the receive with a message before it is cancelled: that has been decided.
void await_match(DistributedLayer& layer, const Call& call, const Request& request, MPI_Request native) {
    Waiting waiting(
        layer, call, [&](WaitDescription& description) { description.add(request, true); }, Ends::by_mpi);
    for (;;) {
        int flag = 0;
        const int result = peek(native, &flag, MPI_STATUS_IGNORE);
        if (flag != 0 || result != MPI_SUCCESS) {
            return;
        }
        waiting.pause();
    }
}

}  // namespace

void conclude_cancel(DistributedLayer& layer, const Call& call, Request& request, bool in_time,
                     const clocks::Snapshot& known) {
    const Choice choice = *std::exchange(request.make_special().too_late, std::nullopt);
    if (in_time) {
        cancelled_in_time(layer, request, choice);
        return;
    }
    if (choice.decision != nullptr && choice.decision->completed.empty() && !layer.diverged) {
        record_violation(layer, replay::ViolationKind::imprecise_match,
                         "a receive was to be cancelled before a message came, but MPI had already matched it", call);
    }
    choose(layer, choice, {0}, {known});
}

namespace {

/// Who has called MPI_Cancel need not wait for a receive (MPI-4.0, section 3.8.4). MPICH cannot cancel what is sent:
/// one that waits for its receive would do so for ever, also where it would find room but for --buffering zero. So such
/// a one is complete for the program; it is received or not, as it comes. A large one still needs its buffer.
void cancel_send(DistributedLayer& layer, Request& request, MPI_Request& handle) {
    int complete = 0;
    MPI_Request stands_in = MPI_REQUEST_NULL;
    if (request.persistent || request.way != Way::synchronous ||
        peek(handle, &complete, MPI_STATUS_IGNORE) != MPI_SUCCESS || complete != 0 ||
        completed_request(request.communicator->handle, false, &stands_in) != MPI_SUCCESS) {
        return;
    }
    std::unique_ptr<Request> known = layer.requests.remove(handle);
    PMPI_Request_free(&handle);
    layer.port.forget(known->outgoing.envelope);
    known->way = Way::as_asked;
    handle = stands_in;
    layer.requests.add(handle, std::move(known));
}

}  // namespace
}  // namespace dampi::piggyback::distributed

namespace dampi::piggyback::distributed::calls {

int cancel(Call& call, MPI_Request* handle) noexcept {
    DistributedLayer& layer = *DistributedLayer::current();
    Request* request = layer.requests.find(*handle);
    if (request == nullptr || request->freed) {
        note_used_up(layer, *handle);
    }
    if (request == nullptr) {
        return PMPI_Cancel(handle);
    }
    request->release_buffers();  // whether they will be used nobody knows
    MPI_Request* native = request->started != MPI_REQUEST_NULL ? &request->started : handle;
    if (request->kind == RequestKind::generalized) {
        return PMPI_Cancel(handle);  // tells the program
    }
    if (request->kind != RequestKind::receive || request->partitioned) {
        call.not_modelled();
        const int result = PMPI_Cancel(native);
        if (request->kind == RequestKind::send && request->active && request->outgoing.envelope) {
            layer.port.note_cancelled(request->outgoing.envelope);
            request->cancel_called = true;
            if (result == MPI_SUCCESS) {
                cancel_send(layer, *request, *handle);
            }
        }
        return result;
    }
    const bool matched_by_probe = request->posting.posted.clock == nullptr;
    if (!request->active || request->told || request->cancel_called || matched_by_probe) {
        return PMPI_Cancel(native);  // without effect, or with none that is new
    }
    request->cancel_called = true;
    const Choice choice = post_choice(layer, call, replay::EpochKind::cancel);
    const bool decided_too_late = choice.decision != nullptr && !choice.decision->completed.empty();
    if (decided_too_late || request->posting.forced != base::any_source) {
        await_match(layer, call, *request, *native);
    }
    const int result = PMPI_Cancel(native);
    int flag = 0;
    MPI_Status status{};
    peek(*native, &flag, &status);
    if (flag != 0 && was_cancelled(status)) {
        cancelled_in_time(layer, *request, choice);
    } else {
        request->make_special().too_late = choice;
        layer.count_not_modelled(raced_cancel);
    }
    return result;
}

}  // namespace dampi::piggyback::distributed::calls
