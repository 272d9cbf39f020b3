// A clock of either protocol, as ranks exchange it: with Lamport clocks a number, with vector clocks a set of
// epochs. Only one of the two is kept up (Protocol), the other stays at its beginning.
#pragma once

#include "clocks/lamport_clock.hpp"
#include "clocks/vector_clock.hpp"

#include <cstdint>
#include <memory>

namespace dampi::clocks {

enum class Protocol : std::uint8_t {
    lamport,  ///< LLCP, dissertation, section 5.1
    vector,   ///< LVCP, dissertation, section 5.2
};

struct Clock {
    LamportClock lamport;
    VectorClock vector;

    /// Whether everything in `other` is known here.
    [[nodiscard]] bool contains(const Clock& other) const {
        return other.lamport <= lamport && vector.contains(other.vector);
    }

    /// Returns whether anything has changed.
    bool merge(const Clock& other) {
        const bool later = lamport < other.lamport;
        lamport.merge(other.lamport);
        return vector.merge(other.vector) || later;
    }

    bool operator==(const Clock&) const = default;
};

/// A clock that does not change any more, shared by all that refer to the same moment.
struct Stamp {
    Clock clock;
    /// For the transport: the number under which other ranks can read the clock; 0 while there is none.
    mutable std::uint64_t published = 0;
};
using Snapshot = std::shared_ptr<const Stamp>;

}  // namespace dampi::clocks
