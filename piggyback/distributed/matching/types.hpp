// Whether what a receive asks for agrees with what its message holds.
#pragma once

#include "piggyback/distributed/layer.hpp"

namespace dampi::piggyback::distributed {

/// For sure; where not, note_difference() is to be called when the receive has taken the message.
[[nodiscard]] inline bool agrees(const DistributedLayer& layer, const transport::TypedData& sent, const Asked& asked) {
    return transport::surely_agree(sent, layer.types.table(), asked.data);
}

/// Into the record: dampi-run, which knows the datatypes of both ranks, says whether the two disagree
/// (scheduler/judgement/message_types). As many as DistributedLayer::most_differences, each once.
void note_difference(DistributedLayer& layer, const SentData& sent, const Asked& asked);

}  // namespace dampi::piggyback::distributed
