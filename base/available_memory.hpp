// How much memory there is for us.
#pragma once

#include <cstdint>

namespace dampi::base {

/// Bytes that the system could still give us, as far as it says: the machine's, or what the control group may have.
[[nodiscard]] std::uint64_t available_memory();

}  // namespace dampi::base
