// Marks: events that are no epochs, but of which a rank must know whether they lie in its past. They travel in the
// same vector clocks, as components of ranks that do not exist, so whoever learns of a match or a collective learns of
// them likewise; what says which outcomes a run had never contains them (without_marks()).
//
// Three things are asked by them: whether the receive of a ready send was surely posted when it was called (MPI 3.4),
// whether a message of the buffered mode has surely left the attached buffer, since its receive has matched (3.6), and
// whether another rank's access to a window was surely complete, or its lock given back, before one of the rank's own.
#pragma once

#include "base/types.hpp"
#include "clocks/clock.hpp"

#include <cstdint>

namespace dampi::clocks {

/// Which are followed. Each makes messages carry more, so only programs that need them pay.
struct Marks {
    bool postings = false;  ///< of receives
    bool buffered = false;  ///< matches of messages of the buffered mode
    bool windows = false;   ///< ends of accesses to windows, and of locks
};

/// All ranks are below.
inline constexpr base::Rank first_mark = base::Rank{1} << 28;
/// So many of a kind are followed in a rank: clocks that were published stay.
inline constexpr std::uint32_t most_marks = std::uint32_t{1} << 18;

/// The component in which the postings of a rank stand, by their order.
constexpr base::Rank postings_of(base::Rank rank) { return first_mark + rank; }
/// The component in which a sender's buffered messages stand that have matched, by their number.
constexpr base::Rank buffered_of(base::Rank sender) { return 2 * first_mark + sender; }
/// The component in which the ends of a rank's accesses and locks stand, by the numbers that it has given them.
constexpr base::Rank window_ends_of(base::Rank rank) { return 3 * first_mark + rank; }

/// What is known of accesses to windows is forgotten.
inline void drop_window_ends(Clock& clock) { clock.vector.drop_from(window_ends_of(0)); }

/// The epochs alone.
[[nodiscard]] inline Clock without_marks(Clock clock) {
    clock.vector.drop_from(first_mark);
    return clock;
}

}  // namespace dampi::clocks
