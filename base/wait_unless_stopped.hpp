// A pause that ends as soon as somebody is to stop.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stop_token>

namespace dampi::base {

/// Waits for so long, or until `over` is asked for; false: it is.
inline bool wait_unless_stopped(std::chrono::milliseconds time, const std::stop_token& over) {
    std::mutex sleeping;
    std::condition_variable_any wake;
    std::unique_lock lock(sleeping);
    wake.wait_for(lock, over, time, [] { return false; });
    return !over.stop_requested();
}

}  // namespace dampi::base
