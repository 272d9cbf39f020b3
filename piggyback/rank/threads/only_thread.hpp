// Whether a process has threads besides the one that asks, whoever has made them.
#pragma once

namespace dampi::piggyback {

/// False also where the system does not tell.
[[nodiscard]] bool is_only_thread() noexcept;

}  // namespace dampi::piggyback
