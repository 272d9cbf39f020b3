// Generalized requests: the program itself completes them, so their completion is an event of this rank, and whoever
// reports it learns nothing new. Another thread may complete one at any time, so waiting for one is never a deadlock.
#pragma once

#include "piggyback/completion/requests.hpp"
#include "piggyback/layer.hpp"

namespace dampi::piggyback {

/// Whether MPI's answer about these requests follows from what the program has done: nothing to choose.
[[nodiscard]] inline bool is_foregone(const Layer& layer, const Request& request) {
    return request.kind == RequestKind::generalized && !layer.multithreaded;
}

}  // namespace dampi::piggyback
