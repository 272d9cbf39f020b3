// See epoch_names.hpp.
#include "replay/epoch_names.hpp"

#include <cstddef>

namespace dampi::replay {

std::string_view epoch_kind_name(EpochKind kind) { return epoch_kinds::line(kind).text; }

std::optional<EpochKind> epoch_kind_of(std::string_view name) {
    for (std::size_t number = 0; number < epoch_kinds::lines.size(); ++number) {
        if (epoch_kinds::lines[number].text == name) {
            return static_cast<EpochKind>(number);
        }
    }
    return std::nullopt;
}

std::string_view clock_name(clocks::Protocol protocol) {
    return protocol == clocks::Protocol::lamport ? "lamport" : "vector";
}

std::optional<clocks::Protocol> clock_of(std::string_view name) {
    for (const clocks::Protocol protocol : {clocks::Protocol::lamport, clocks::Protocol::vector}) {
        if (name == clock_name(protocol)) {
            return protocol;
        }
    }
    return std::nullopt;
}

}  // namespace dampi::replay
