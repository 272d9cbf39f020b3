// Whether what a receive asks for agrees with what its message holds.
#pragma once

#include "piggyback/distributed/layer.hpp"

namespace dampi::piggyback::distributed {

/// The receive has taken this message. Where they may disagree, that goes into the record: dampi-run, which knows the
/// datatypes of both ranks, says whether they do (scheduler/judgement/message_types). As many differences as
/// DistributedLayer::most_differences, each once.
void compare_types(DistributedLayer& layer, const SentData& sent, const Asked& asked);

}  // namespace dampi::piggyback::distributed
