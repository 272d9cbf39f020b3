// A clock of either protocol, as ranks exchange it: with Lamport clocks a number, with vector clocks a set of
// epochs. Only one of the two is kept up (Protocol), the other stays at its beginning.
#pragma once

#include "clocks/lamport_clock.hpp"
#include "clocks/vector_clock.hpp"

#include <cstdint>

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

}  // namespace dampi::clocks
