#include "piggyback/distributed/completion/pairs.hpp"

#include "piggyback/distributed/matching/matching.hpp"
#include "piggyback/distributed/matching/outgoing.hpp"
#include "piggyback/rank/errors/errors.hpp"

#include <utility>

namespace dampi::piggyback::distributed {
namespace {

int query(void* extra, MPI_Status* status) {
    *status = static_cast<const Pair*>(extra)->status;
    status->MPI_ERROR = MPI_SUCCESS;
    return MPI_SUCCESS;
}

int let_go(void* /*extra*/) { return MPI_SUCCESS; }

/// Without effect, as MPI may always answer.
int cancel_nothing(void* /*extra*/, int /*complete*/) { return MPI_SUCCESS; }

/// Whether MPI has completed it, be it with an error (which release() gets again).
bool has_completed(MPI_Request handle, MPI_Status& status) {
    int flag = 0;
    const int result = peek(handle, &flag, &status);
    return flag != 0 || result != MPI_SUCCESS;
}

}  // namespace

int make_request(Pair& pair, MPI_Request* request) {
    return PMPI_Grequest_start(query, let_go, cancel_nothing, &pair, request);
}

void advance(Request& request) {
    Pair& pair = *request.special().pair;
    if (!pair.received) {
        pair.received = has_completed(pair.receive.handle, pair.status);
    }
    if (!pair.sent) {
        MPI_Status ignored{};
        pair.sent = has_completed(pair.send.handle, ignored);
    }
    if (pair.received && pair.sent && !pair.complete) {
        pair.complete = true;
        PMPI_Grequest_complete(request.handle);
    }
}

bool can_be_settled(DistributedLayer& layer, const Pair& pair) {
    if (!pair.complete || (is_synchronous(pair.send.way) && !is_taken(pair.send.outgoing))) {
        return false;
    }
    if (!pair.receive.taken) {
        resolve_completed(layer);
    }
    return pair.receive.taken.has_value();
}

void release(Pair& pair) {
    const int received = PMPI_Wait(&pair.receive.handle, MPI_STATUS_IGNORE);
    const int sent = PMPI_Wait(&pair.send.handle, MPI_STATUS_IGNORE);
    pair.code = received != MPI_SUCCESS ? received : sent;
}

}  // namespace dampi::piggyback::distributed
