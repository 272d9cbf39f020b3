// Where a rank says which locks of a window's memory it holds: to the port a communicator of that rank's alone, which
// it enters when it is granted such a lock and again when it gives it back (WaitKind::unlock). An odd number of times
// says that it holds one.
#pragma once

#include "base/hash.hpp"
#include "base/types.hpp"

#include <cstdint>

namespace dampi::transport {

/// That of `holder`'s; `locks` stands for all locks of one kind of one member's memory, or all's (WaitItem::comm).
[[nodiscard]] inline base::CommId lock_record(base::CommId locks, base::Rank holder) {
    constexpr base::CommId beyond_predefined = base::CommId{1} << 63;
    return base::Hash(locks).add(static_cast<std::uint64_t>(holder)).value() | beyond_predefined;
}

}  // namespace dampi::transport
