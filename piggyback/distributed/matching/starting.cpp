#include "piggyback/distributed/matching/starting.hpp"

#include "piggyback/distributed/matching/matching.hpp"

#include <utility>

namespace dampi::piggyback::distributed {

int start_receive(DistributedLayer& layer, const Call& call, Request& request) {
    const base::Tag wanted = request.posting.posted.spec.tag;
    const int tag = wanted == base::any_tag ? MPI_ANY_TAG : wanted;
    Posting posting = post(layer, call, *request.communicator, request.peer, tag, replay::EpochKind::receive,
                           request.posting.asked.data);
    int result = MPI_SUCCESS;
    const Carried carried(value_of(layer, posting));
    if (posting.forced != base::any_source) {
        // MPI's persistent request names any source: an ordinary receive from the decided one stands in.
        result = BothWidths{PMPI_Irecv, PMPI_Irecv_c}(request.special().buffer, request.special().count,
                                                      request.special().datatype, posting.source, tag,
                                                      request.communicator->handle, &request.started);
    } else {
        MPI_Request handle = request.handle;
        result = PMPI_Start(&handle);
    }
    if (result != MPI_SUCCESS) {
        drop(layer, posting.posted);
        return result;
    }
    request.active = true;
    request.posting = std::move(posting);
    request.posting.values.bind(request.native());
    request.taken.reset();
    keep_pending(layer, call, *request.communicator, request.posting, request.native(), request.taken);
    return result;
}

}  // namespace dampi::piggyback::distributed
