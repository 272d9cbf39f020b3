// What counts when the program enters a collective, whatever the engine.
#pragma once

#include "piggyback/rank/call.hpp"
#include "piggyback/rank/collectives/flow.hpp"
#include "piggyback/rank/layer.hpp"

#include <cstddef>

namespace dampi::piggyback {

/// Whether this rank is the only one there, so that nothing needs to be said.
[[nodiscard]] inline bool alone(const Communicator& communicator) {
    return !communicator.inter && communicator.members.size() == 1;
}

/// The program is about to enter a collective, for the epochs' contexts: it begins a zone if all ranks take part. Once
/// for each that is called or started (making a persistent one does not count), before anything waits, so that it
/// counts alike in every rank.
inline void note_entering(Layer& layer, const Call& call, const Communicator& communicator, const Flow& flow) {
    if (!communicator.inter && communicator.members.size() == static_cast<std::size_t>(layer.size())) {
        ++layer.zone;
    }
    layer.follow_up.communicates(layer, call, flow.root);
}

}  // namespace dampi::piggyback
