// All that bears on what a rank of the centralized engine does next, and on what is said of it then, but for what
// dampi-run knows: the state of the program, the call in which it waits, and of the layer its requests, the buffers of
// pending operations, and the objects that it has made. Nothing in it depends on how that came about.
#pragma once

#include "base/digest.hpp"
#include "piggyback/rank/call.hpp"

#include <optional>

namespace dampi::piggyback::central {

class RankSide;

/// While the rank waits in the call. Nothing where that is more than can be said.
[[nodiscard]] std::optional<base::Digest> state_of_rank(RankSide& side, const Call& call);

}  // namespace dampi::piggyback::central
