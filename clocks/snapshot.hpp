// A clock that does not change any more, shared by all that refer to the same moment. Its owners may be in several
// threads: they are counted with atomic operations, but in a process of one thread, as most ranks are, without, since
// these would be felt in each message.
#pragma once

#include "clocks/clock.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>

#include <ext/atomicity.h>

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

    Snapshot(const Snapshot& other) noexcept : shared_(other.shared_) {
        if (shared_ != nullptr) {
            __gnu_cxx::__atomic_add_dispatch(&shared_->owners, 1);
        }
    }
    Snapshot(Snapshot&& other) noexcept : shared_(std::exchange(other.shared_, nullptr)) {}
    Snapshot& operator=(Snapshot other) noexcept {
        std::swap(shared_, other.shared_);
        return *this;
    }
    ~Snapshot() {
        if (shared_ != nullptr && __gnu_cxx::__exchange_and_add_dispatch(&shared_->owners, -1) == 1) {
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
        _Atomic_word owners;
    };
    Shared* shared_ = nullptr;
};

}  // namespace dampi::clocks
