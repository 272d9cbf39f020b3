#include "transport/network/listening.hpp"

#include "base/check.hpp"
#include "base/system_error.hpp"

#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <string_view>

#include <netinet/in.h>
#include <sys/socket.h>

namespace dampi::transport::network {
namespace {

constexpr const char* ports_variable = "DAMPI_PORTS";

std::uint16_t parse_port(std::string_view text) {
    std::uint16_t port = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
    return error == std::errc() && end == text.data() + text.size() ? port : 0;
}

/// 0: it listens; else why not.
int error_of_listening(int socket, bool here, std::uint16_t port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(here ? INADDR_LOOPBACK : INADDR_ANY);
    address.sin_port = htons(port);
    const int again = 1;  // also where connections of an earlier sweep have not quite ended
    if (port != 0) {
        ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &again, sizeof again);
    }
    return ::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
                   ::listen(socket, SOMAXCONN) != 0
               ? errno
               : 0;
}

}  // namespace

std::pair<std::uint16_t, std::uint16_t> parse_ports(const std::string& name, const std::string& text) {
    const std::string_view words = text;
    const std::size_t hyphen = words.find('-');
    const std::uint16_t first = parse_port(words.substr(0, hyphen));
    const std::uint16_t last = hyphen == std::string_view::npos ? first : parse_port(words.substr(hyphen + 1));
    if (first == 0 || last < first) {
        throw Error(name + " needs ports as in 40000-40099, not '" + text + "'");
    }
    return {first, last};
}

Listening::Listening(bool here, const std::string& who) {
    const char* const given = std::getenv(ports_variable);
    const bool any = here || given == nullptr || *given == '\0';
    const auto [first, last] = any ? std::pair<std::uint16_t, std::uint16_t>() : parse_ports(ports_variable, given);
    int error = 0;
    for (unsigned port = first; port <= last; ++port) {
        socket_ = base::UniqueFd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
        error = socket_ ? error_of_listening(socket_.get(), here, static_cast<std::uint16_t>(port)) : errno;
        if (error != EADDRINUSE) {
            break;
        }
    }
    if (error == EADDRINUSE && !any) {
        throw Error(who + " cannot be waited for on the network: each port of " + ports_variable + "=" + given +
                    " is in use; name more");
    }
    sockaddr_in address{};
    socklen_t size = sizeof address;
    if (error == 0 && ::getsockname(socket_.get(), reinterpret_cast<sockaddr*>(&address), &size) != 0) {
        error = errno;
    }
    if (error != 0) {
        base::fail(who + " cannot be waited for on the network", error);
    }
    port_ = ntohs(address.sin_port);
}

}  // namespace dampi::transport::network
