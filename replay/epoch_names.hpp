// The kinds of epochs as the words that files and reports use.
#pragma once

#include "replay/epoch.hpp"

#include <optional>
#include <string_view>

namespace dampi::replay {

/// "receive", "probe", "matched-probe", "polling-probe" or "polling-matched-probe".
[[nodiscard]] std::string_view epoch_kind_name(EpochKind kind);

/// The inverse; nothing when the word is none of them.
[[nodiscard]] std::optional<EpochKind> epoch_kind_of(std::string_view name);

}  // namespace dampi::replay
