// Whether runs end in states in which earlier ones have been: --merge-states.
#pragma once

#include <cstdint>

namespace dampi::scheduler {

enum class MergeUse : std::uint8_t {
    automatic,  ///< where nothing of what is found depends on more than the state, as far as the program shows
    never,
    always,  ///< likewise, and where that is not possible, the sweep does not begin
    check,   ///< likewise, but runs go on behind some of the states, to see whether the same follows
};

}  // namespace dampi::scheduler
