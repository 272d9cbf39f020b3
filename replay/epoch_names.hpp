// The kinds of epochs and of clocks as the words that files, options and reports use.
#pragma once

#include "replay/epoch.hpp"

#include <optional>
#include <string_view>

namespace dampi::replay {

/// "receive", "polling-probe", "wait-any" and so on.
[[nodiscard]] std::string_view epoch_kind_name(EpochKind kind);

/// The inverse; nothing when the word names no kind.
[[nodiscard]] std::optional<EpochKind> epoch_kind_of(std::string_view name);

/// "vector" or "lamport".
[[nodiscard]] std::string_view clock_name(clocks::Protocol protocol);

/// The inverse; nothing when the word is neither.
[[nodiscard]] std::optional<clocks::Protocol> clock_of(std::string_view name);

}  // namespace dampi::replay
