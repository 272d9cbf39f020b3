// How many requests a choice may report: the same question for the layer and for the centralized engine, where a
// decision names requests of a call that may be another one in this run.
#pragma once

#include "replay/epoch.hpp"

#include <cstddef>

namespace dampi::replay {

/// Whether a choice of this kind among `active` requests can report so many of them. Not for polling calls that answer
/// "nothing yet".
[[nodiscard]] constexpr bool may_report(EpochKind kind, std::size_t reported, std::size_t active) {
    switch (kind) {
        case EpochKind::wait_some:
        case EpochKind::test_some:
            return reported != 0;
        case EpochKind::test_all:
            return reported == active;
        default:
            return reported == 1;
    }
}

}  // namespace dampi::replay
