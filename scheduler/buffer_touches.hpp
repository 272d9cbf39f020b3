// Which violations may be of the program's own loads and stores in buffers in use, which not every run looks for.
#pragma once

#include "replay/violation_kind.hpp"

namespace dampi::scheduler {

/// What the program stores is noticed in other runs, too, where a buffer is small.
[[nodiscard]] constexpr bool touches_buffers(replay::ViolationKind kind) {
    return kind == replay::ViolationKind::buffer_read || kind == replay::ViolationKind::buffer_modified;
}

}  // namespace dampi::scheduler
