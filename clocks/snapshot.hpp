// A clock that does not change any more, shared by all that refer to the same moment. Its owners may be in several
// threads: the standard library counts them with atomic operations, but in a process of one thread without, since these
// would be felt in each message.
#pragma once

#include "clocks/clock.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace dampi::clocks {

class Snapshot {
public:
    struct Stamp {
        Clock clock;
        /// For the transport: the number under which other ranks can read the clock; 0 while there is none.
        mutable std::uint64_t published = 0;
    };

    /// Refers to nothing.
    Snapshot() = default;
    Snapshot(std::nullptr_t) {}  // NOLINT(google-explicit-constructor): null, as for any pointer
    explicit Snapshot(Clock clock, std::uint64_t published = 0)
        : shared_(std::make_shared<Stamp>(Stamp{.clock = std::move(clock), .published = published})) {}

    explicit operator bool() const { return shared_ != nullptr; }
    const Stamp& operator*() const { return *shared_; }
    const Stamp* operator->() const { return shared_.get(); }

    /// Whether both refer to the same moment.
    bool operator==(const Snapshot&) const = default;

private:
    std::shared_ptr<const Stamp> shared_;
};

}  // namespace dampi::clocks
