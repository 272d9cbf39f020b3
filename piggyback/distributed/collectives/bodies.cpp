// The collective functions in their three forms. What differs between them is in collectives.def: the
// parameters, and the edges that they make (flow.hpp). Functions with large counts differ from the others in nothing
// else, and ranks may use both in the same collective.
//
// A blocking collective waits for the ranks that it gets data from in a loop of the layer's, so that a rank
// that blocks there can be seen and yields its core, and then calls MPI's blocking function: blocking and
// nonblocking collectives must not meet, so no other would do.

#include "piggyback/distributed/collectives/collectives.hpp"
#include "piggyback/distributed/collectives/meeting.hpp"
#include "piggyback/interception/calls.hpp"
#include "piggyback/rank/collectives/flow.hpp"
#include "piggyback/rank/communicators/names.hpp"

#include <memory>
#include <utility>

namespace dampi::piggyback::distributed {

using transport::Collective;
using transport::CollectiveForm;

clocks::Snapshot complete_collective(DistributedLayer& layer, const Call& call, Request& request) {
    if (alone(*request.communicator) || request.communicator->disordered) {
        return {};
    }
    const Flow& flow = request.special().edges->flow;
    Meeting meeting(layer, call, *request.communicator, flow,
                    {.own = contribution(request.special().operation, flow, request.site, request.special().sequence)});
    // An earlier choice that could have reported it did not know all that is known now. What has come of that choice
    // itself must show, or what cannot be complete before it would look as if it could.
    meeting.collect(request.special().candidacies.empty() && !layer.multithreaded ? Meeting::Known::news
                                                                                  : Meeting::Known::everything);
    return meeting.known();
}

void start_collective(DistributedLayer& layer, const Call& call, Request& request) {
    if (alone(*request.communicator)) {
        return;
    }
    const Flow& flow = request.special().edges->flow;
    note_entering(layer, call, *request.communicator, flow);
    if (request.communicator->disordered) {
        layer.count_not_modelled(after_a_refused_one);
    }
    const Entered entered = publish(layer, *request.communicator, request.special().operation, flow, request.site);
    request.make_special().sequence = entered.own.sequence;
    // Those that do not match may never complete.
    Meeting(layer, call, *request.communicator, flow, entered).look_beside();
}

std::unique_ptr<Request> make_collective_request(const Call& call, Communicator& communicator, std::uint32_t operation,
                                                 const Flow& flow) {
    auto request = Requests::make();
    request->kind = RequestKind::collective;
    request->communicator = &communicator;
    request->function = call.function();
    request->site = call.site();
    request->make_special().operation = operation;
    request->make_special().edges = keep_edges(communicator, flow);
    return request;
}

namespace {

/// Without any buffering a blocking collective waits for all ranks, as MPI allows it to: then it orders them, too.
Flow as_buffered(const DistributedLayer& layer, const Communicator& communicator, const Flow& flow) {
    if (layer.buffering != replay::Buffering::Kind::zero || !flow.valid) {
        return flow;
    }
    Flow waiting = everyone_to_everyone(communicator);
    waiting.root = flow.root;
    waiting.reduction = flow.reduction;
    waiting.sent = flow.sent;
    waiting.received = flow.received;
    waiting.sent_data = flow.sent_data;
    waiting.received_data = flow.received_data;
    waiting.arguments = flow.arguments;
    waiting.shares = flow.shares;
    return waiting;
}

template <typename MakeFlow, typename Native>
int blocking(Call& call, MPI_Comm comm, Collective collective, MakeFlow&& make_flow, Native&& native) {
    DistributedLayer& layer = *DistributedLayer::current();
    Communicator* communicator = layer.communicators.find(comm);
    if (communicator == nullptr) {
        return note_unknown(layer, Call::unlocked(native));
    }
    if (alone(*communicator)) {
        const OneCollective only(layer, call, *communicator);
        return Call::unlocked(native);
    }
    const Flow flow = as_buffered(layer, *communicator, make_flow(*communicator));
    return flow.valid ? meet(layer, call, *communicator, collective, flow, native) : Call::unlocked(native);
}

template <typename MakeFlow, typename Native>
int nonblocking(Call& call, MPI_Comm comm, MPI_Request* handle, Collective collective, MakeFlow&& make_flow,
                Native&& native) {
    DistributedLayer& layer = *DistributedLayer::current();
    Communicator* communicator = layer.communicators.find(comm);
    if (communicator == nullptr) {
        return note_unknown(layer, native());
    }
    const OneCollective only(layer, call, *communicator);
    const Flow flow = make_flow(*communicator);
    if (!flow.valid) {
        return native();
    }
    auto request =
        make_collective_request(call, *communicator, operation_number(collective, CollectiveForm::nonblocking), flow);
    start_collective(layer, call, *request);
    const int result = native();
    if (result == MPI_SUCCESS) {
        layer.requests.add(*handle, std::move(request));
    } else if (!alone(*communicator)) {
        note_refused(layer, *communicator);
    }
    return result;
}

template <typename MakeFlow, typename Native>
int persistent(Call& call, MPI_Comm comm, MPI_Request* handle, Collective collective, MakeFlow&& make_flow,
               Native&& native) {
    DistributedLayer& layer = *DistributedLayer::current();
    Communicator* communicator = layer.communicators.find(comm);
    const int result = native();
    if (communicator == nullptr) {
        return note_unknown(layer, result);
    }
    if (result != MPI_SUCCESS) {
        return result;
    }
    const Flow flow = make_flow(*communicator);
    if (flow.valid) {
        auto request = make_collective_request(call, *communicator,
                                               operation_number(collective, CollectiveForm::persistent), flow);
        request->persistent = true;
        request->make_special().stack = layer.call_stacks.number_of_few(layer, call.site());
        request->active = false;
        if (!alone(*communicator)) {
            // Making it is the collective that must match those of the others; no data flows yet.
            Flow agreement = flow;
            agreement.sources = Flow::Sources::none;
            agreement.readers = 0;
            const Entered entered =
                publish(layer, *communicator, request->special().operation, agreement, request->site);
            Meeting(layer, call, *communicator, agreement, entered).look_beside();
            request->make_special().apart = stand_apart(layer, *communicator, call.function(), entered.own.sequence);
            request->communicator = request->special().apart.get();
        }
        layer.requests.add(*handle, std::move(request));
    }
    return result;
}

}  // namespace
}  // namespace dampi::piggyback::distributed

namespace dampi::piggyback::distributed::calls {

/// A list as one macro argument; ends in a comma unless it is empty.
#define DAMPI_LIST(...) __VA_ARGS__

/// The three forms of a collective. `parameters` and `arguments` are what stands before the communicator; `edges` may
/// use `communicator`; `suffix` is of the functions with large counts.
#define DAMPI_FORMS(Name, name, suffix, parameters, arguments, edges)                                                  \
    int name##suffix(Call& call, parameters MPI_Comm comm) noexcept {                                                  \
        return blocking(                                                                                               \
            call, comm, Collective::name, [&]([[maybe_unused]] Communicator& communicator) { return edges; },          \
            [&] { return PMPI_##Name##suffix(arguments comm); });                                                      \
    }                                                                                                                  \
    int i##name##suffix(Call& call, parameters MPI_Comm comm, MPI_Request* request) noexcept {                         \
        return nonblocking(                                                                                            \
            call, comm, request, Collective::name, [&]([[maybe_unused]] Communicator& communicator) { return edges; }, \
            [&] { return PMPI_I##name##suffix(arguments comm, request); });                                            \
    }                                                                                                                  \
    int name##_init##suffix(Call& call, parameters MPI_Comm comm, MPI_Info info, MPI_Request* request) noexcept {      \
        return persistent(                                                                                             \
            call, comm, request, Collective::name, [&]([[maybe_unused]] Communicator& communicator) { return edges; }, \
            [&] { return PMPI_##Name##_init##suffix(arguments comm, info, request); });                                \
    }

#include "piggyback/rank/collectives/both_widths.def"

#undef DAMPI_FORMS
#undef DAMPI_LIST

}  // namespace dampi::piggyback::distributed::calls
