// Where the program's main begins: the only place that is known of a rank that has returned from it.
#pragma once

#include <cstdint>

namespace dampi::piggyback {

/// Before main is called, by whoever is handed it.
void note_main_function(std::uint64_t address) noexcept;

/// 0 where nobody was handed it.
[[nodiscard]] std::uint64_t main_function() noexcept;

}  // namespace dampi::piggyback
