// All of a text to a descriptor, however few bytes of it the system takes at once.
#pragma once

#include <cerrno>
#include <cstddef>
#include <string_view>

#include <poll.h>
#include <unistd.h>

namespace dampi::base {

/// 0, or the errno with which the system has refused the rest. Waits where the descriptor does not block.
[[nodiscard]] inline int write_all(int descriptor, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written < 0 && errno == EAGAIN) {
            pollfd ready{.fd = descriptor, .events = POLLOUT, .revents = 0};
            ::poll(&ready, 1, -1);
            continue;
        }
        if (written <= 0) {
            return written < 0 ? errno : EIO;
        }
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return 0;
}

}  // namespace dampi::base
