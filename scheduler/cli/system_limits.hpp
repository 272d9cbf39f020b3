// The limits that whoever has started this process has set for it (ulimit), and what runs need.
#pragma once

#include "scheduler/cli/settled_request.hpp"

namespace dampi::scheduler {

/// How many of the `wished` runs can go on side by side on this machine, with so many files open: fewer where that
/// may be. Throws Error where there is no room for them, or for the memory of one.
[[nodiscard]] unsigned runs_within_limits(const SettledRequest& request, unsigned wished, bool may_be_fewer);

}  // namespace dampi::scheduler
