// Lists of ranks in a rank's slab, so that the outside knows who could satisfy a wait (WaitItem::group). Written once
// and never changed or freed.
#pragma once

#include "base/types.hpp"
#include "transport/memory/area.hpp"
#include "transport/memory/slab.hpp"

#include <optional>
#include <span>
#include <vector>

namespace dampi::transport::memory {

/// Writes the group into the slab of the rank that owns it; returns its place, never 0.
Offset publish_group(const Area& area, Slab& slab, std::span<const base::Rank> ranks);

/// The group that `owner` has written at `offset`; nothing where there is none that makes sense.
std::optional<std::vector<base::Rank>> read_group(const Area& area, base::Rank owner, Offset offset);

}  // namespace dampi::transport::memory
