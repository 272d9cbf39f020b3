// The collective functions in their three forms. What differs between them is in the table below: the
// parameters, and the edges that they make (flow.hpp).
//
// A blocking collective waits for the ranks that it gets data from in a loop of the layer's, so that a rank
// that blocks there can be seen and yields its core, and then calls MPI's blocking function: blocking and
// nonblocking collectives must not meet, so no other would do.

#include "piggyback/collectives/collectives.hpp"
#include "piggyback/collectives/flow.hpp"
#include "piggyback/collectives/meeting.hpp"
#include "piggyback/communicators/names.hpp"
#include "piggyback/interception/calls.hpp"

#include <memory>
#include <utility>

namespace dampi::piggyback {

using replay::area::Collective;
using replay::area::CollectiveForm;

clocks::Snapshot complete_collective(Layer& layer, const Call& call, Request& request) {
    if (alone(*request.communicator)) {
        return {};
    }
    const Flow& flow = request.edges->flow;
    Meeting meeting(layer, call, *request.communicator, flow,
                    contribution(request.operation, flow, request.site, request.sequence));
    meeting.collect();
    return meeting.known();
}

void start_collective(Layer& layer, const Call& call, Request& request) {
    if (alone(*request.communicator)) {
        return;
    }
    const Flow& flow = request.edges->flow;
    note_entering(layer, call, *request.communicator, flow);
    const auto own = publish(layer, *request.communicator, request.operation, flow, request.site);
    request.sequence = own.sequence;
    // Those that do not match may never complete.
    Meeting(layer, call, *request.communicator, flow, own).look_beside();
}

std::unique_ptr<Request> make_collective_request(const Call& call, Communicator& communicator, std::uint32_t operation,
                                                 const Flow& flow) {
    auto request = std::make_unique<Request>();
    request->kind = RequestKind::collective;
    request->communicator = &communicator;
    request->function = call.function();
    request->site = call.site();
    request->operation = operation;
    request->edges = keep_edges(communicator, flow);
    return request;
}

namespace {

template <typename MakeFlow, typename Native>
int blocking(Call& call, MPI_Comm comm, Collective collective, MakeFlow&& make_flow, Native&& native) {
    Layer& layer = *Layer::current();
    Communicator* communicator = layer.communicators.find(comm);
    if (communicator == nullptr) {
        return note_unknown(layer, native());
    }
    if (alone(*communicator)) {
        return native();
    }
    const Flow flow = make_flow(*communicator);
    return flow.valid ? meet(layer, call, *communicator, collective, flow, native) : native();
}

template <typename MakeFlow, typename Native>
int nonblocking(Call& call, MPI_Comm comm, MPI_Request* handle, Collective collective, MakeFlow&& make_flow,
                Native&& native) {
    Layer& layer = *Layer::current();
    Communicator* communicator = layer.communicators.find(comm);
    if (communicator == nullptr) {
        return note_unknown(layer, native());
    }
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
    }
    return result;
}

template <typename MakeFlow, typename Native>
int persistent(Call& call, MPI_Comm comm, MPI_Request* handle, Collective collective, MakeFlow&& make_flow,
               Native&& native) {
    Layer& layer = *Layer::current();
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
        request->active = false;
        if (!alone(*communicator)) {
            // Making it is the collective that must match those of the others; no data flows yet.
            Flow agreement = flow;
            agreement.sources = Flow::Sources::none;
            agreement.readers = 0;
            const auto own = publish(layer, *communicator, request->operation, agreement, request->site);
            Meeting(layer, call, *communicator, agreement, own).look_beside();
            request->apart = stand_apart(layer, *communicator, call.function(), own.sequence);
            request->communicator = request->apart.get();
        }
        layer.requests.add(*handle, std::move(request));
    }
    return result;
}

}  // namespace
}  // namespace dampi::piggyback

namespace dampi::piggyback::calls {

/// A list as one macro argument; ends in a comma unless it is empty.
#define DAMPI_LIST(...) __VA_ARGS__

/// `parameters` and `arguments` are what stands before the communicator; `edges` may use `communicator`.
#define DAMPI_COLLECTIVE(Name, name, parameters, arguments, edges)                                                     \
    int name(Call& call, parameters MPI_Comm comm) noexcept {                                                          \
        return blocking(                                                                                               \
            call, comm, Collective::name, [&]([[maybe_unused]] Communicator& communicator) { return edges; },          \
            [&] { return PMPI_##Name(arguments comm); });                                                              \
    }                                                                                                                  \
    int i##name(Call& call, parameters MPI_Comm comm, MPI_Request* request) noexcept {                                 \
        return nonblocking(                                                                                            \
            call, comm, request, Collective::name, [&]([[maybe_unused]] Communicator& communicator) { return edges; }, \
            [&] { return PMPI_I##name(arguments comm, request); });                                                    \
    }                                                                                                                  \
    int name##_init(Call& call, parameters MPI_Comm comm, MPI_Info info, MPI_Request* request) noexcept {              \
        return persistent(                                                                                             \
            call, comm, request, Collective::name, [&]([[maybe_unused]] Communicator& communicator) { return edges; }, \
            [&] { return PMPI_##Name##_init(arguments comm, info, request); });                                        \
    }

// clang-format off
DAMPI_COLLECTIVE(Barrier, barrier,
    DAMPI_LIST(),
    DAMPI_LIST(),
    everyone_to_everyone(communicator))

DAMPI_COLLECTIVE(Bcast, bcast,
    DAMPI_LIST(void* buffer, int count, MPI_Datatype datatype, int root,),
    DAMPI_LIST(buffer, count, datatype, root,),
    bcast_flow(communicator, count, datatype, root))

DAMPI_COLLECTIVE(Gather, gather,
    DAMPI_LIST(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
               MPI_Datatype recvtype, int root,),
    DAMPI_LIST(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root,),
    gather_flow(communicator, sendcount, sendtype, recvcount, recvtype, root))

DAMPI_COLLECTIVE(Gatherv, gatherv,
    DAMPI_LIST(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, const int recvcounts[],
               const int displs[], MPI_Datatype recvtype, int root,),
    DAMPI_LIST(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root,),
    gatherv_flow(communicator, sendcount, sendtype, recvcounts, recvtype, root))

DAMPI_COLLECTIVE(Scatter, scatter,
    DAMPI_LIST(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
               MPI_Datatype recvtype, int root,),
    DAMPI_LIST(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root,),
    scatter_flow(communicator, sendcount, sendtype, recvcount, recvtype, root))

DAMPI_COLLECTIVE(Scatterv, scatterv,
    DAMPI_LIST(const void* sendbuf, const int sendcounts[], const int displs[], MPI_Datatype sendtype, void* recvbuf,
               int recvcount, MPI_Datatype recvtype, int root,),
    DAMPI_LIST(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root,),
    scatterv_flow(communicator, sendcounts, sendtype, recvcount, recvtype, root))

DAMPI_COLLECTIVE(Allgather, allgather,
    DAMPI_LIST(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
               MPI_Datatype recvtype,),
    DAMPI_LIST(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype,),
    allgather_flow(communicator, sendbuf, sendcount, sendtype, recvcount, recvtype))

DAMPI_COLLECTIVE(Allgatherv, allgatherv,
    DAMPI_LIST(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, const int recvcounts[],
               const int displs[], MPI_Datatype recvtype,),
    DAMPI_LIST(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype,),
    allgatherv_flow(communicator, sendbuf, sendcount, sendtype, recvcounts, recvtype))

DAMPI_COLLECTIVE(Alltoall, alltoall,
    DAMPI_LIST(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
               MPI_Datatype recvtype,),
    DAMPI_LIST(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype,),
    allgather_flow(communicator, sendbuf, sendcount, sendtype, recvcount, recvtype))

DAMPI_COLLECTIVE(Alltoallv, alltoallv,
    DAMPI_LIST(const void* sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype, void* recvbuf,
               const int recvcounts[], const int rdispls[], MPI_Datatype recvtype,),
    DAMPI_LIST(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype,),
    alltoallv_flow(communicator, sendbuf, sendcounts, sendtype, recvcounts, recvtype))

DAMPI_COLLECTIVE(Alltoallw, alltoallw,
    DAMPI_LIST(const void* sendbuf, const int sendcounts[], const int sdispls[], const MPI_Datatype sendtypes[],
               void* recvbuf, const int recvcounts[], const int rdispls[], const MPI_Datatype recvtypes[],),
    DAMPI_LIST(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes,),
    alltoallw_flow(communicator, sendbuf, sendcounts, sendtypes, recvcounts, recvtypes))

DAMPI_COLLECTIVE(Reduce, reduce,
    DAMPI_LIST(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root,),
    DAMPI_LIST(sendbuf, recvbuf, count, datatype, op, root,),
    with_operator(communicator, op, reduce_flow(communicator, count, datatype, root)))

DAMPI_COLLECTIVE(Allreduce, allreduce,
    DAMPI_LIST(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,),
    DAMPI_LIST(sendbuf, recvbuf, count, datatype, op,),
    with_operator(communicator, op, allreduce_flow(communicator, count, datatype)))

DAMPI_COLLECTIVE(Reduce_scatter, reduce_scatter,
    DAMPI_LIST(const void* sendbuf, void* recvbuf, const int recvcounts[], MPI_Datatype datatype, MPI_Op op,),
    DAMPI_LIST(sendbuf, recvbuf, recvcounts, datatype, op,),
    with_operator(communicator, op, reduce_scatter_flow(communicator, recvcounts, datatype)))

DAMPI_COLLECTIVE(Reduce_scatter_block, reduce_scatter_block,
    DAMPI_LIST(const void* sendbuf, void* recvbuf, int recvcount, MPI_Datatype datatype, MPI_Op op,),
    DAMPI_LIST(sendbuf, recvbuf, recvcount, datatype, op,),
    with_operator(communicator, op, reduce_scatter_block_flow(communicator, recvcount, datatype)))

DAMPI_COLLECTIVE(Scan, scan,
    DAMPI_LIST(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,),
    DAMPI_LIST(sendbuf, recvbuf, count, datatype, op,),
    with_operator(communicator, op, scan_flow(communicator, count, datatype)))

DAMPI_COLLECTIVE(Exscan, exscan,
    DAMPI_LIST(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,),
    DAMPI_LIST(sendbuf, recvbuf, count, datatype, op,),
    with_operator(communicator, op, scan_flow(communicator, count, datatype)))

DAMPI_COLLECTIVE(Neighbor_allgather, neighbor_allgather,
    DAMPI_LIST(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
               MPI_Datatype recvtype,),
    DAMPI_LIST(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype,),
    neighbor_allgather_flow(communicator, sendcount, sendtype, recvcount, recvtype))

DAMPI_COLLECTIVE(Neighbor_allgatherv, neighbor_allgatherv,
    DAMPI_LIST(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, const int recvcounts[],
               const int displs[], MPI_Datatype recvtype,),
    DAMPI_LIST(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype,),
    neighbor_allgatherv_flow(communicator, sendcount, sendtype, recvcounts, recvtype))

DAMPI_COLLECTIVE(Neighbor_alltoall, neighbor_alltoall,
    DAMPI_LIST(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
               MPI_Datatype recvtype,),
    DAMPI_LIST(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype,),
    neighbor_allgather_flow(communicator, sendcount, sendtype, recvcount, recvtype))

DAMPI_COLLECTIVE(Neighbor_alltoallv, neighbor_alltoallv,
    DAMPI_LIST(const void* sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype, void* recvbuf,
               const int recvcounts[], const int rdispls[], MPI_Datatype recvtype,),
    DAMPI_LIST(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype,),
    neighbor_alltoallv_flow(communicator, sendcounts, sendtype, recvcounts, recvtype))

DAMPI_COLLECTIVE(Neighbor_alltoallw, neighbor_alltoallw,
    DAMPI_LIST(const void* sendbuf, const int sendcounts[], const MPI_Aint sdispls[], const MPI_Datatype sendtypes[],
               void* recvbuf, const int recvcounts[], const MPI_Aint rdispls[], const MPI_Datatype recvtypes[],),
    DAMPI_LIST(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes,),
    neighbor_alltoallw_flow(communicator, sendcounts, sendtypes, recvcounts, recvtypes))
// clang-format on

#undef DAMPI_COLLECTIVE
#undef DAMPI_LIST

}  // namespace dampi::piggyback::calls
