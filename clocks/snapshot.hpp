// A clock that does not change any more, shared by all that refer to the same moment. Counting its owners must cost
// next to nothing, since each message has several: so they are counted without atomic operations, and all of them are
// used by one thread at a time (in a rank the layer sees to that, piggyback/call.hpp).
#pragma once

#include "clocks/clock.hpp"

#include <cstddef>
#include <cstdint>
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
        : shared_(new Shared{.stamp = {.clock = std::move(clock), .published = published}, .owners = 1}) {}
    Snapshot(const Snapshot& other) : shared_(other.shared_) {
        if (shared_ != nullptr) {
            ++shared_->owners;
        }
    }
    Snapshot(Snapshot&& other) noexcept : shared_(std::exchange(other.shared_, nullptr)) {}
    Snapshot& operator=(Snapshot other) noexcept {
        std::swap(shared_, other.shared_);
        return *this;
    }
    ~Snapshot() {
        if (shared_ != nullptr && --shared_->owners == 0) {
            delete shared_;
        }
    }

    explicit operator bool() const { return shared_ != nullptr; }
    const Stamp& operator*() const { return shared_->stamp; }
    const Stamp* operator->() const { return &shared_->stamp; }

    /// Whether both refer to the same moment.
    bool operator==(const Snapshot&) const = default;

private:
    struct Shared {
        Stamp stamp;
        std::size_t owners;
    };
    Shared* shared_ = nullptr;
};

}  // namespace dampi::clocks
