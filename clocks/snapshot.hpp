// A clock that does not change any more, shared by all that refer to the same moment, in any thread. Each message has
// several owners of its clock, so in a rank, where one thread at a time uses them, counting them costs next to nothing.
#pragma once

#include "clocks/clock.hpp"

#include <atomic>
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
        if (shared_ == nullptr) {
            return;
        }
        if (one_thread_) {
            ++shared_->owners;
        } else {
            std::atomic_ref(shared_->owners).fetch_add(1, std::memory_order_relaxed);
        }
    }
    Snapshot(Snapshot&& other) noexcept : shared_(std::exchange(other.shared_, nullptr)) {}
    Snapshot& operator=(Snapshot other) noexcept {
        std::swap(shared_, other.shared_);
        return *this;
    }
    ~Snapshot() {
        if (shared_ != nullptr && (one_thread_ ? --shared_->owners : one_fewer()) == 0) {
            delete shared_;
        }
    }

    /// From here on all snapshots of the process are used by one thread at a time.
    static void use_in_one_thread() { one_thread_ = true; }

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

    std::size_t one_fewer() { return std::atomic_ref(shared_->owners).fetch_sub(1, std::memory_order_acq_rel) - 1; }

    static inline bool one_thread_ = false;

    Shared* shared_ = nullptr;
};

}  // namespace dampi::clocks
