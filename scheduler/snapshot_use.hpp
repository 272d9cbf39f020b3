// Whether runs go on from snapshots of earlier ones: --snapshots.
#pragma once

#include <cstdint>

namespace dampi::scheduler {

enum class SnapshotUse : std::uint8_t {
    automatic,  ///< where that pays, for programs that cannot tell
    never,
    always,  ///< one at each choice, for all programs: the user says that this one cannot tell
};

}  // namespace dampi::scheduler
