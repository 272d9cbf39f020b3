// What the generated wrappers of the centralized engine's library need beside the bodies.
#pragma once

#include "piggyback/call.hpp"

namespace dampi::piggyback::central {

/// The program calls a function that the engine does not model: the run is over, and dampi-run says why.
[[noreturn]] void refuse(const Call& call) noexcept;

/// The program calls a function that ends a sequence of polling calls.
void end_polling() noexcept;

}  // namespace dampi::piggyback::central
