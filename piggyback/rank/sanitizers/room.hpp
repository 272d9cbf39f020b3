// Whether all bytes of a buffer are memory of the program's, as AddressSanitizer knows it. Only with it.
#pragma once

#include "piggyback/rank/buffers/region.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace dampi::piggyback::sanitizers {

/// The address of the first byte that nobody may read now, whatever the reason.
[[nodiscard]] std::optional<std::int64_t> first_poisoned(const Region& region);

/// Of that byte: "byte 12 of 16 is beyond ..."; nothing where it is memory of the program's all the same.
[[nodiscard]] std::optional<std::string> lacking_room(const Region& region, std::int64_t poisoned);

}  // namespace dampi::piggyback::sanitizers
