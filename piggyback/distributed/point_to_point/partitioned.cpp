// Partitioned communication (MPI-4). A send and a receive are tied to each other when they are made: those with the
// same communicator, ranks and tag in the order in which they are made, and never by a wildcard. So there is nothing to
// choose. Each round of such a transfer is one message on a communicator of its own, which both ends can name: it is on
// its way when all its partitions are ready, with what the sender knows then.
//
// MPICH sends a round when it has been started on both sides, so the send waits for its receive like a synchronous one.

#include "base/hash.hpp"
#include "piggyback/distributed/layer.hpp"
#include "piggyback/distributed/matching/outgoing.hpp"
#include "piggyback/interception/calls.hpp"
#include "piggyback/rank/buffers/one_use.hpp"
#include "piggyback/rank/buffers/used_buffers.hpp"
#include "piggyback/rank/communicators/names.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace dampi::piggyback::distributed {
namespace {

/// The communicator that stands for one transfer from world rank `source` to `destination`, as its sender or its
/// receiver sees it.
std::shared_ptr<Communicator> make_transfer(DistributedLayer& layer, const Communicator& communicator,
                                            base::Rank source, base::Rank destination, int tag, bool sends) {
    const std::uint64_t key = base::Hash()
                                  .add("partitioned")
                                  .add(communicator.id)
                                  .add(static_cast<std::uint64_t>(source))
                                  .add(static_cast<std::uint64_t>(destination))
                                  .add(static_cast<std::uint64_t>(tag))
                                  .value();
    const std::uint64_t number = layer.communicators.next_use(base::Hash(key).add(sends ? 0 : 1).value());
    constexpr base::CommId beyond_predefined = base::CommId{1} << 63;
    auto transfer = std::make_shared<Communicator>();
    transfer->handle = communicator.handle;
    transfer->id = base::Hash(key).add(2).add(number).value() | beyond_predefined;
    transfer->apart = true;
    transfer->members = {layer.rank()};
    transfer->peers = {sends ? destination : source};
    transfer->sent.resize(1);
    give_name(layer, *transfer, "partitioned transfer " + std::to_string(number + 1) + " of " + communicator.name);
    return transfer;
}

/// Follows a partitioned request that MPI has made.
Request& follow(DistributedLayer& layer, const Call& call, std::shared_ptr<Communicator> transfer, RequestKind kind,
                int tag, MPI_Request handle) {
    auto added = Requests::make();
    added->kind = kind;
    added->persistent = true;
    added->make_special().stack = layer.call_stacks.number_of_few(layer, call.site());
    added->partitioned = true;
    added->active = false;
    added->communicator = transfer.get();
    added->make_special().apart = std::move(transfer);
    added->function = call.function();
    added->site = call.site();
    added->peer = 0;
    added->tag = tag;
    return layer.requests.add(handle, std::move(added));
}

/// The program says by the call `native` that `count` partitions are ready; `partition(i)` is the number of the i-th.
template <typename Partition, typename Native>
int make_ready(Call& call, MPI_Request handle, int count, Partition&& partition, Native&& native) {
    DistributedLayer& layer = *DistributedLayer::current();
    Request* request = layer.requests.find(handle);
    if (request == nullptr || request->kind != RequestKind::send || !request->partitioned || !request->active) {
        return native();
    }
    std::vector<bool> ready = request->special().ready;
    // Of each partition, from the last to the first; else of all together.
    const std::vector<BufferUse>& uses = request->special().uses;
    const bool one_by_one = uses.size() == ready.size() && watches_buffers(layer);
    std::vector<std::pair<const BufferUse*, bool>> begun;  // and whether it overlaps
    for (int i = 0; i < count; ++i) {
        const int number = partition(i);
        if (number < 0 || static_cast<std::size_t>(number) >= ready.size()) {
            return native();  // which refuses it
        }
        ready[static_cast<std::size_t>(number)] = true;
        if (one_by_one) {
            const BufferUse& use = uses[uses.size() - 1 - static_cast<std::size_t>(number)];
            begun.emplace_back(&use, begin_one_use(layer, call, use));
        }
    }
    const bool complete = !request->outgoing.envelope && std::find(ready.begin(), ready.end(), false) == ready.end();
    const bool overlaps = complete && !one_by_one && begin_persistent(layer, call, *request);
    if (complete) {
        request->outgoing = append_envelope(layer, call, *request->communicator, request->peer, request->tag,
                                            request->way, {.data = request->special().data});
    }
    const int result = native();
    if (result == MPI_SUCCESS) {
        request->make_special().ready = std::move(ready);
        for (const auto& [use, meets_other] : begun) {
            hold_buffer(layer, request->buffers, *use, request->function, request->site,
                        meets_other ? Watch::not_at_all : Watch::by_sum);
        }
        if (complete && !one_by_one) {
            keep_started(layer, *request, Arrival::at_any_time, overlaps);
        }
    } else if (complete) {
        withdraw(layer, std::exchange(request->outgoing, Outgoing()));
    }
    return result;
}

}  // namespace
}  // namespace dampi::piggyback::distributed

namespace dampi::piggyback::distributed::calls {

int psend_init(Call& call, const void* buf, int partitions, MPI_Count count, MPI_Datatype datatype, int dest, int tag,
               MPI_Comm comm, MPI_Info info, MPI_Request* request) noexcept {
    DistributedLayer& layer = *DistributedLayer::current();
    Communicator* communicator = layer.communicators.find(comm);
    const int result = PMPI_Psend_init(buf, partitions, count, datatype, dest, tag, comm, info, request);
    if (result == MPI_SUCCESS && communicator != nullptr && dest == MPI_PROC_NULL) {
        follow_null_request(layer, call, *communicator, *request, true, false, true);
    } else if (result == MPI_SUCCESS && followed_to(layer, call, communicator, comm, dest)) {
        Request& followed_request =
            follow(layer, call, make_transfer(layer, *communicator, layer.rank(), communicator->peer(dest), tag, true),
                   RequestKind::send, tag, *request);
        followed_request.way = Way::rendezvous;
        followed_request.make_special().data = layer.types.data(partitions * count, datatype);
        followed_request.make_special().ready.resize(static_cast<std::size_t>(partitions));
    }
    return result;
}

int precv_init(Call& call, void* buf, int partitions, MPI_Count count, MPI_Datatype datatype, int source, int tag,
               MPI_Comm comm, MPI_Info info, MPI_Request* request) noexcept {
    DistributedLayer& layer = *DistributedLayer::current();
    Communicator* communicator = layer.communicators.find(comm);
    const int result = PMPI_Precv_init(buf, partitions, count, datatype, source, tag, comm, info, request);
    if (result == MPI_SUCCESS && communicator != nullptr && source == MPI_PROC_NULL) {
        follow_null_request(layer, call, *communicator, *request, true, true, true);
    } else if (result == MPI_SUCCESS && source != MPI_ANY_SOURCE && followed(layer, call, communicator, comm, source)) {
        auto transfer = make_transfer(layer, *communicator, communicator->peer(source), layer.rank(), tag, false);
        const base::ReceiveSpec spec{.comm = transfer->id, .source = transfer->peer(0), .tag = tag};
        Request& followed_request = follow(layer, call, std::move(transfer), RequestKind::receive, tag, *request);
        followed_request.posting.posted.spec = spec;
        followed_request.posting.asked.data = layer.types.data(partitions * count, datatype);
        followed_request.make_special().ready.resize(static_cast<std::size_t>(partitions));
    }
    return result;
}

int pready(Call& call, int partition, MPI_Request request) noexcept {
    return make_ready(
        call, request, 1, [&](int /*i*/) { return partition; }, [&] { return PMPI_Pready(partition, request); });
}

int pready_range(Call& call, int partition_low, int partition_high, MPI_Request request) noexcept {
    return make_ready(
        call, request, partition_high - partition_low + 1, [&](int i) { return partition_low + i; },
        [&] { return PMPI_Pready_range(partition_low, partition_high, request); });
}

int pready_list(Call& call, int length, int array_of_partitions[], MPI_Request request) noexcept {
    return make_ready(
        call, request, length, [&](int i) { return array_of_partitions[i]; },
        [&] { return PMPI_Pready_list(length, array_of_partitions, request); });
}

}  // namespace dampi::piggyback::distributed::calls
