// Two accesses through a window that nothing orders, as a rank has recorded them, in words.
#pragma once

#include "base/types.hpp"
#include "replay/epoch.hpp"
#include "replay/violation.hpp"
#include "transport/log.hpp"

#include <cstdint>
#include <string>

namespace dampi::scheduler {

/// Stands for the target where both use the same buffer of one origin: bytes are counted from where the first of both
/// begins then.
inline constexpr base::Rank buffer_of_origin = transport::RaceRecord::buffer_of_origin;

/// One of them. Bytes are counted from the beginning of the target's memory.
struct WindowAccess {
    base::Rank rank = 0;
    std::uint64_t site = 0;  ///< of the call
    std::string call;        ///< the function's name
    std::int64_t first = 0;  ///< byte that it accesses
    std::int64_t last = 0;
};

struct WindowRace {
    std::string window;  ///< its name
    base::Rank target = 0;
    std::int64_t met = 0;  ///< a byte that both access
    WindowAccess one, other;
};

/// The violation that it is. `one` and `other` are where their calls stand.
[[nodiscard]] replay::Violation violation_of(const WindowRace& race, const replay::CodePlace& one,
                                             const replay::CodePlace& other);

}  // namespace dampi::scheduler
