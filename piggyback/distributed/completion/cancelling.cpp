#include "piggyback/distributed/completion/cancelling.hpp"

#include "piggyback/distributed/completion/completion.hpp"
#include "piggyback/distributed/completion/settling.hpp"
#include "piggyback/distributed/matching/matching.hpp"
#include "piggyback/distributed/waiting.hpp"
#include "piggyback/interception/calls.hpp"
#include "piggyback/rank/errors/errors.hpp"
#include "piggyback/rank/rank.hpp"
#include "transport/memory/envelope_queue.hpp"

#include <algorithm>
#include <utility>

namespace dampi::piggyback {
namespace {

constexpr const char* raced = "MPI_Cancel that raced with a message";

/// Whether the message was sent by someone who knew that the receive had been cancelled.
bool knows(const Layer& layer, const clocks::Clock& clock, const CancelledReceive& receive) {
    return layer.clocks.protocol() == clocks::Protocol::vector ? clock.vector.knows(layer.rank(), receive.epoch)
                                                               : !(clock.lamport < receive.after->clock.lamport);
}

void cancelled_in_time(Layer& layer, Request& request, const Choice& choice) {
    settle_cancelled(layer, request);
    choose(layer, choice, {}, {});
    layer.cancelled.push_back({.spec = request.posting.posted.spec,
                               .order = request.posting.posted.order,
                               .epoch = choice.index,
                               .after = layer.clocks.now()});
}

/// MPI matches the receive with a message before it is cancelled: that has been decided.
void await_match(Layer& layer, const Call& call, const Request& request, MPI_Request native) {
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

void conclude_cancel(Layer& layer, const Call& call, Request& request, bool in_time, const clocks::Snapshot& known) {
    const Choice choice = *std::exchange(request.make_special().too_late, std::nullopt);
    if (in_time) {
        cancelled_in_time(layer, request, choice);
        return;
    }
    if (choice.decision != nullptr && choice.decision->completed_count == 0 && !layer.diverged) {
        layer.record_violation("imprecise-match",
                               "a receive was to be cancelled before a message came, but MPI had already matched it",
                               call);
    }
    choose(layer, choice, {0}, {known});
}

void check_cancelled(Layer& layer, const clocks::IncomingMessage& message, base::PostingOrder taken_by) {
    std::erase_if(layer.cancelled, [&](const CancelledReceive& receive) {
        if (receive.order > taken_by || !receive.spec.fits(message.name.comm, message.name.source, message.tag) ||
            knows(layer, message.clock, receive)) {
            return false;
        }
        layer.count_not_modelled(raced);
        return true;
    });
}

void check_cancelled_at_end(Layer& layer) {
    for (base::Rank source = 0; source < layer.size() && !layer.cancelled.empty(); ++source) {
        transport::memory::for_each_open_envelope(
            layer.area, source, layer.rank(), [&](const transport::memory::Envelope& envelope) {
                check_cancelled(layer,
                                {.name = {source, envelope.comm, envelope.number},
                                 .tag = envelope.tag,
                                 .clock = layer.others_clocks.read(layer.area, source, envelope.clock)},
                                clocks::never_taken);
            });
    }
}

}  // namespace dampi::piggyback

namespace dampi::piggyback::calls {

int cancel(Call& call, MPI_Request* handle) noexcept {
    Layer& layer = *Layer::current();
    Request* request = layer.requests.find(*handle);
    if (request == nullptr || request->freed) {
        note_used_up(layer, *handle);
    }
    if (request == nullptr) {
        return PMPI_Cancel(handle);
    }
    MPI_Request* native = request->started != MPI_REQUEST_NULL ? &request->started : handle;
    if (request->kind == RequestKind::generalized) {
        return PMPI_Cancel(handle);  // tells the program
    }
    if (request->kind != RequestKind::receive || request->partitioned) {
        call.not_modelled();
        if (request->kind == RequestKind::send && request->active && request->outgoing.slot != nullptr) {
            const Outgoing& outgoing = request->outgoing;
            transport::memory::EnvelopeWriter::note_cancelled(
                layer.area, layer.area.queue(layer.rank(), outgoing.destination), outgoing.position);
        }
        return PMPI_Cancel(native);
    }
    const bool matched_by_probe = request->posting.posted.clock == nullptr;
    if (!request->active || request->told || request->cancel_called || matched_by_probe) {
        return PMPI_Cancel(native);  // without effect, or with none that is new
    }
    request->cancel_called = true;
    const Choice choice = post_choice(layer, call, replay::EpochKind::cancel);
    const bool decided_too_late = choice.decision != nullptr && choice.decision->completed_count != 0;
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
        layer.count_not_modelled(raced);
    }
    return result;
}

}  // namespace dampi::piggyback::calls
