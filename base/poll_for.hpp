// poll(2) with a patience finer than milliseconds.
#pragma once

#include <algorithm>
#include <chrono>
#include <ctime>
#include <vector>

#include <poll.h>

namespace dampi::base {

/// As ::poll, for at most `patience`; not at all if that is negative.
inline int poll_for(std::vector<pollfd>& watched, std::chrono::nanoseconds patience) {
    const auto left = std::max(patience, std::chrono::nanoseconds{0});
    const auto seconds = std::chrono::floor<std::chrono::seconds>(left);
    const timespec timeout{.tv_sec = seconds.count(), .tv_nsec = (left - seconds).count()};
    return ::ppoll(watched.data(), watched.size(), &timeout, nullptr);
}

}  // namespace dampi::base
