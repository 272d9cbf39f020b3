// Whether all bytes of a buffer are memory of the program's, as AddressSanitizer knows it.
#pragma once

#include "piggyback/rank/buffers/region.hpp"

#include <optional>
#include <string>

namespace dampi::piggyback::sanitizers {

/// "byte 12 of 16 is beyond ..."; nothing where nothing is known to be wrong. Only with AddressSanitizer.
[[nodiscard]] std::optional<std::string> lacking_room(const Region& region);

/// Whether AddressSanitizer would complain of somebody who reads all of it, whatever the reason. Only with it.
[[nodiscard]] bool is_poisoned(const Region& region);

}  // namespace dampi::piggyback::sanitizers
