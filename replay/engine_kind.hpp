// Which engine executes a run: what options, files and reports call it.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace dampi::replay {

enum class EngineKind : std::uint8_t {
    distributed,  ///< the program's own MPI library, with the layer in each rank
    central,      ///< a scheduler that is the ranks' MPI
};

[[nodiscard]] constexpr std::string_view engine_name(EngineKind engine) {
    return engine == EngineKind::central ? "central" : "distributed";
}

/// The inverse; nothing when the word names no engine.
[[nodiscard]] constexpr std::optional<EngineKind> engine_of(std::string_view name) {
    for (const EngineKind engine : {EngineKind::distributed, EngineKind::central}) {
        if (name == engine_name(engine)) {
            return engine;
        }
    }
    return std::nullopt;
}

}  // namespace dampi::replay
