// A call of MPI as those see it that look whether its thread may make it (thread_level.hpp, which is where the
// functions below are): cheap, for every call has one.
#pragma once

#include <cstdint>

namespace dampi::piggyback {

namespace thread_level_detail {

enum class Watch : std::uint8_t { nothing, others, overlaps };

extern Watch watch;
/// Whether this thread has initialised MPI.
extern __thread bool is_main __attribute__((tls_model("initial-exec")));

/// Whether it is one of the calls that leave() is to be called for.
bool enter(const char* function, const void* return_address) noexcept;
void leave() noexcept;

}  // namespace thread_level_detail

/// A call of MPI from entry to return; to be made before the lock is taken, and to end after it is let go.
class WatchedCall {
public:
    /// One that nobody looks at.
    WatchedCall() noexcept = default;
    /// `function` lives for ever; null: any thread may call it. `return_address` is that of the wrapper.
    WatchedCall(const char* function, const void* return_address) noexcept {
        using namespace thread_level_detail;
        if (watch != Watch::nothing && (watch == Watch::overlaps || !is_main)) [[unlikely]] {
            entered_ = function != nullptr && enter(function, return_address);
        }
    }
    ~WatchedCall() {
        if (entered_) [[unlikely]] {
            thread_level_detail::leave();
        }
    }
    WatchedCall(const WatchedCall&) = delete;
    WatchedCall& operator=(const WatchedCall&) = delete;

private:
    bool entered_ = false;
};

}  // namespace dampi::piggyback
