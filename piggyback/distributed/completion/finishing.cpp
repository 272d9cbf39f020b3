#include "piggyback/distributed/completion/finishing.hpp"

#include "piggyback/distributed/completion/cancelling.hpp"
#include "piggyback/distributed/completion/pairs.hpp"
#include "piggyback/distributed/completion/settling.hpp"
#include "piggyback/distributed/matching/matching.hpp"
#include "piggyback/rank/buffers/used_buffers.hpp"
#include "piggyback/rank/status.hpp"
#include "piggyback/rank/time/virtual_time.hpp"

namespace dampi::piggyback::distributed {

clocks::Snapshot conclude(DistributedLayer& layer, const Call& call, Request& request, const MPI_Status& status) {
    complete_buffers(layer, call, request);
    note_exchange();
    clocks::Snapshot known;
    // Of partitioned requests MPICH's MPI_Request_get_status gives no status; they cannot be cancelled.
    const bool cancelled = !request.partitioned && was_cancelled(status);
    if (cancelled) {
        settle_cancelled(layer, request);
    } else {
        known = settle(layer, call, request, status);
        if (request.kind == RequestKind::receive) {
            note_source(layer, *request.communicator, request.posting, status.MPI_SOURCE);
            learn_time(request.taken->sent_at);
        } else if (request.kind == RequestKind::pair) {
            note_source(layer, *request.communicator, request.special().pair->receive.posting, status.MPI_SOURCE);
            learn_time(request.special().pair->receive.taken->sent_at);
        }
    }
    if (request.special().too_late) {
        conclude_cancel(layer, call, request, cancelled, known);
    }
    return known;
}

clocks::Snapshot finish(DistributedLayer& layer, const Call& call, Request& request, const MPI_Status& status) {
    clocks::Snapshot known = conclude(layer, call, request, status);
    if (request.persistent) {
        request.active = false;
        request.told = false;
        request.cancel_called = false;
        request.started = MPI_REQUEST_NULL;
        request.outgoing.envelope = {};
        request.taken.reset();
        request.known.reset();
    } else {
        if (request.kind == RequestKind::pair) {
            release(*request.special().pair);
        }
        layer.requests.remove(request.handle);
    }
    return known;
}

}  // namespace dampi::piggyback::distributed
