// Whether a process has threads besides the one that asks, and others that do not matter, whoever has made them.
#pragma once

namespace dampi::piggyback {

/// But for at most so many `harmless` ones. False also where the system does not tell.
[[nodiscard]] bool is_only_thread(unsigned harmless = 0) noexcept;

}  // namespace dampi::piggyback
