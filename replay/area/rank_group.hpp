// Lists of ranks in a rank's slab, so that the outside knows who could satisfy a wait (WaitItem::group). Written once
// and never changed or freed.
#pragma once

#include "clocks/types.hpp"
#include "replay/area/area.hpp"
#include "replay/area/slab.hpp"

#include <optional>
#include <span>
#include <vector>

namespace dampi::replay::area {

/// Writes the group into the slab of the rank that owns it; returns its place, never 0.
Offset publish_group(const Area& area, Slab& slab, std::span<const clocks::Rank> ranks);

/// The group that `owner` has written at `offset`; nothing where there is none that makes sense.
std::optional<std::vector<clocks::Rank>> read_group(const Area& area, clocks::Rank owner, Offset offset);

}  // namespace dampi::replay::area
