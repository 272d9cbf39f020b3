// At which epochs a run could have gone another way.
#pragma once

#include "replay/epoch.hpp"

#include <cstdint>
#include <vector>

namespace dampi::replay {

/// Whether a run could have gone another way at this epoch, or a decision says how it went.
[[nodiscard]] bool is_choice(const Epoch& epoch);

/// Positions of the requests that a choice could have reported and did not; not of those that only completed because
/// of what it reported.
[[nodiscard]] std::vector<std::uint32_t> not_reported(const Epoch& epoch);

}  // namespace dampi::replay
