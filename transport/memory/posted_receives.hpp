// The receives that a rank shows as posted, for other ranks and for dampi-run (layout.hpp: PostedSlot).
#pragma once

#include "transport/memory/area.hpp"

#include <cstdint>
#include <functional>

namespace dampi::transport::memory {

/// How many places of the rank's have ever been in use at once.
[[nodiscard]] std::uint64_t posted_places(const Area& area, base::Rank rank);

/// Those of the first `most` places, while the rank may change them: each as it was at some moment, or left out. Ends
/// when `visit` answers false.
void for_each_posted_receive(const Area& area, base::Rank rank, std::uint64_t most,
                             const std::function<bool(const PostedReceive&)>& visit);

}  // namespace dampi::transport::memory
