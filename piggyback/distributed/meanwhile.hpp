// What a rank that waits does for others meanwhile. It is done by rooms that wait themselves (matching), so those that
// wait only know it by these functions, which distributed_engine.cpp puts together.
#pragma once

#include "piggyback/distributed/layer.hpp"

namespace dampi::piggyback::distributed {

struct Meanwhile {
    /// Senders of synchronous messages wait to hear what their receives knew: looks which have matched.
    void (*tell_senders)(DistributedLayer& layer);
    /// Resolves every pending receive that MPI says has completed (matching.hpp).
    void (*resolve_completed)(DistributedLayer& layer);
    /// dampi-run has ended the run: writes down what is still unknown (epilogue.hpp).
    void (*write_epilogue)(DistributedLayer& layer);
};

extern const Meanwhile meanwhile;

/// Looks which receives have matched if senders wait to hear of that. To be called wherever MPI may have looked for
/// progress, but not between a completion and its resolve(); and where values are not used not from inside of MPI.
inline void notice_matches(DistributedLayer& layer) {
    if (layer.port.is_awaited() && !layer.pending.empty()) {
        meanwhile.tell_senders(layer);
    }
}

}  // namespace dampi::piggyback::distributed
