// The part of a call stack that tells people what their program was doing.
#pragma once

#include "replay/epoch.hpp"

#include <vector>

namespace dampi::scheduler {

/// `stack` (resolved, innermost first) without the frames of the layer, the MPI library, and what these called, and
/// without what stands before main(). System functions that the program itself called stay: they may be what it hangs
/// in.
[[nodiscard]] std::vector<replay::CodePlace> program_stack(std::vector<replay::CodePlace> stack);

}  // namespace dampi::scheduler
