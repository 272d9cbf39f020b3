// A rank that does not follow its decisions.
#pragma once

#include "piggyback/distributed/layer.hpp"
#include "piggyback/rank/call.hpp"

#include <cstdint>
#include <string>

namespace dampi::piggyback::distributed {

/// The rank does not follow the decision for its epoch `index`: `message` is a sentence for the user, without a full
/// stop. From here on it is left to itself.
void diverge(DistributedLayer& layer, const Call& call, std::uint32_t index, const std::string& message);

}  // namespace dampi::piggyback::distributed
