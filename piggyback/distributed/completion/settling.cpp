#include "piggyback/distributed/completion/settling.hpp"

#include "piggyback/distributed/collectives/collectives.hpp"
#include "piggyback/distributed/completion/pairs.hpp"
#include "piggyback/distributed/matching/matching.hpp"
#include "piggyback/distributed/matching/outgoing.hpp"
#include "piggyback/rank/errors/errors.hpp"
#include "piggyback/rank/status.hpp"

#include <utility>

namespace dampi::piggyback::distributed {
namespace {

void record_completable(DistributedLayer& layer, const Candidacy& candidacy, const clocks::Snapshot& known) {
    layer.log.append(transport::CompletableRecord{.index = candidacy.choice,
                                                  .position = candidacy.position,
                                                  .clock = publish(layer, known),
                                                  .poll = candidacy.poll});
}

/// The request, no receive, has completed.
void set_known(DistributedLayer& layer, Request& request, clocks::Snapshot known) {
    request.known = std::move(known);
    if (!request.special().candidacies.empty()) {
        for (const Candidacy& candidacy : std::exchange(request.make_special().candidacies, {})) {
            record_completable(layer, candidacy, *request.known);
        }
    }
}

/// Settles both halves of a complete pair.
clocks::Snapshot settle_pair(DistributedLayer& layer, const Call& call, Pair& pair) {
    const clocks::Snapshot received = settle(layer, call, pair.receive, pair.status);
    const clocks::Snapshot sent = settle(layer, call, pair.send, {});
    if (!received || !sent) {
        return received ? received : sent;
    }
    clocks::Clock both = received->clock;
    both.merge(sent->clock);
    return clocks::Snapshot(std::move(both));
}

/// Settles a request, no receive, that MPI has completed, if nobody need be waited for.
void settle_if_complete(DistributedLayer& layer, const Call& call, Request& request) {
    if (request.kind == RequestKind::generalized) {
        return;  // the program says when it is
    }
    if (request.kind == RequestKind::pair) {
        advance(request);
        if (can_be_settled(layer, *request.special().pair)) {
            settle(layer, call, request, request.special().pair->status);
        }
        return;
    }
    int flag = 0;
    MPI_Status status{};
    peek(request.handle, &flag, &status);
    if (flag == 0 || was_cancelled(status)) {
        return;
    }
    const bool waits = request.kind == RequestKind::send && is_synchronous(request.way) && !is_taken(request.outgoing);
    if (!waits) {
        settle(layer, call, request, status);
    }
}

}  // namespace

void correct_status(const Request& request, MPI_Status& status) {
    if (!request.from_nobody) {
        return;
    }
    PMPI_Status_set_elements_x(&status, MPI_BYTE, 0);
    PMPI_Status_set_cancelled(&status, 0);
    status.MPI_SOURCE = MPI_PROC_NULL;
    status.MPI_TAG = MPI_ANY_TAG;
}

clocks::Snapshot settle(DistributedLayer& layer, const Call& call, Request& request, const MPI_Status& status) {
    if (request.kind == RequestKind::receive) {
        if (!request.taken) {
            request.taken =
                resolve(layer, call, *request.communicator, request.posting, status.MPI_SOURCE, status.MPI_TAG);
        }
        return request.taken->after;
    }
    if (!request.known) {
        if (request.kind == RequestKind::collective) {
            set_known(layer, request, complete_collective(layer, call, request));
        } else if (request.kind == RequestKind::pair) {
            set_known(layer, request, settle_pair(layer, call, *request.special().pair));
        } else if (request.kind == RequestKind::generalized) {
            note_completed_by_program(layer, request);
        } else if (is_synchronous(request.way)) {
            set_known(layer, request,
                      await_acknowledgement(layer, call, request.outgoing, *request.communicator, request.tag,
                                            request.values.receive()));
        } else {
            set_known(layer, request, {});  // buffered, for all that the program may rely on
        }
    }
    return *request.known;
}

void note_completed_by_program(DistributedLayer& layer, Request& request) {
    if (!request.known) {
        set_known(layer, request, layer.clocks.now());
    }
}

void settle_cancelled(DistributedLayer& layer, Request& request) {
    if (request.kind == RequestKind::receive) {
        drop(layer, request.posting.posted);
    } else if (request.kind == RequestKind::send && !request.known && request.outgoing.envelope) {
        withdraw(layer, request.outgoing);
        set_known(layer, request, {});
    }
}

void record_candidate(DistributedLayer& layer, const Call& call, const Candidacy& candidacy, Request& request) {
    if (request.kind != RequestKind::receive) {
        if (request.kind == RequestKind::pair && !request.special().pair->receive.taken) {
            record_receive(layer, request.special().pair->receive.posting.posted);
        }
        if (!request.known) {
            // At once, in case that the rank gets no further. Also for those that were issued just now.
            settle_if_complete(layer, call, request);
        }
        if (request.known) {
            record_completable(layer, candidacy, *request.known);
        } else {
            request.make_special().candidacies.push_back(candidacy);
        }
    } else if (request.taken) {
        record_completable(layer, candidacy, request.taken->after);
    } else {
        const clocks::Posted& posted = request.posting.posted;
        record_receive(layer, posted);
        layer.log.append(transport::CandidateRecord{
            .index = candidacy.choice, .position = candidacy.position, .order = posted.order, .poll = candidacy.poll});
    }
}

void settle_candidates(DistributedLayer& layer) {
    const Call call("");
    layer.requests.for_each([&](Request& request) {
        if (request.special().candidacies.empty() || request.known || !request.active) {
            return;
        }
        settle_if_complete(layer, call, request);
    });
}

}  // namespace dampi::piggyback::distributed
