#include "transport/network/listening.hpp"

#include "base/system_error.hpp"

#include <cerrno>

#include <netinet/in.h>
#include <sys/socket.h>

namespace dampi::transport::network {

Listening::Listening(bool here, const std::string& who)
    : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(here ? INADDR_LOOPBACK : INADDR_ANY);
    socklen_t size = sizeof address;
    if (!socket_ || ::bind(socket_.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
        ::listen(socket_.get(), SOMAXCONN) != 0 ||
        ::getsockname(socket_.get(), reinterpret_cast<sockaddr*>(&address), &size) != 0) {
        base::fail(who + " cannot be waited for on the network", errno);
    }
    port_ = ntohs(address.sin_port);
}

}  // namespace dampi::transport::network
