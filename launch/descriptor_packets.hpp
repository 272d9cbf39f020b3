// One packet with descriptors over a socket between dampi-run and a process that stands ready (prepare_protocol.hpp).
// Used in the ranks too, so it neither throws nor allocates.
#pragma once

#include "base/check.hpp"
#include "launch/prepare_protocol.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <span>

#include <sys/socket.h>

namespace dampi::launch {

/// In one packet: a request for a rank with all that there can be.
inline constexpr std::size_t most_packet_descriptors = fixed_request_descriptors + most_inherited_descriptors + 1;

/// False: nobody is there, or, with MSG_DONTWAIT in `flags`, there is no room. At least one descriptor.
inline bool send_packet(int socket, std::span<char> bytes, std::span<const int> descriptors, int flags) noexcept {
    DAMPI_CHECK(!descriptors.empty() && descriptors.size() <= most_packet_descriptors);
    iovec text{bytes.data(), bytes.size()};
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int) * most_packet_descriptors)> control{};
    msghdr packet{};
    packet.msg_iov = &text;
    packet.msg_iovlen = 1;
    packet.msg_control = control.data();
    packet.msg_controllen = CMSG_SPACE(descriptors.size_bytes());
    cmsghdr* rights = CMSG_FIRSTHDR(&packet);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(descriptors.size_bytes());
    std::memcpy(CMSG_DATA(rights), descriptors.data(), descriptors.size_bytes());
    ssize_t sent = 0;
    do {
        sent = ::sendmsg(socket, &packet, flags | MSG_NOSIGNAL);
    } while (sent < 0 && errno == EINTR);
    return sent == static_cast<ssize_t>(bytes.size());
}

/// The packet's length in bytes; negative: none with descriptors came. `count`: how many descriptors came. They are
/// closed on execution.
inline ssize_t receive_packet(int socket, std::span<char> bytes, std::array<int, most_packet_descriptors>& descriptors,
                              std::size_t& count, int flags) noexcept {
    iovec text{bytes.data(), bytes.size()};
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int) * most_packet_descriptors)> control;
    msghdr packet{};
    packet.msg_iov = &text;
    packet.msg_iovlen = 1;
    packet.msg_control = control.data();
    packet.msg_controllen = control.size();
    ssize_t length = 0;
    do {
        length = ::recvmsg(socket, &packet, flags | MSG_CMSG_CLOEXEC);
    } while (length < 0 && errno == EINTR);
    count = 0;
    const cmsghdr* rights = length < 0 ? nullptr : CMSG_FIRSTHDR(&packet);
    if (rights == nullptr || rights->cmsg_type != SCM_RIGHTS) {
        return -1;
    }
    count = (rights->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    std::memcpy(descriptors.data(), CMSG_DATA(rights), count * sizeof(int));
    return length;
}

}  // namespace dampi::launch
