#include "transport/network/link.hpp"

#include "base/check.hpp"
#include "base/poll_for.hpp"
#include "transport/network/secret.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <optional>
#include <sstream>
#include <string_view>

#include <ifaddrs.h>
#include <arpa/inet.h>
#include <fcntl.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace dampi::transport::network {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

bool wait_for(int socket, short what, Clock::time_point until) {
    std::vector<pollfd> watched{{socket, what, 0}};
    for (;;) {
        const int ready = base::poll_for(watched, until - Clock::now());
        if (ready >= 0 || errno != EINTR) {
            return ready > 0;
        }
    }
}

/// Of connect(), until then; 0: it is connected.
int error_of_connecting(int socket, const addrinfo& to, Clock::time_point until) {
    if (::connect(socket, to.ai_addr, to.ai_addrlen) == 0) {
        return 0;
    }
    if (errno != EINPROGRESS) {
        return errno;
    }
    if (!wait_for(socket, POLLOUT, until)) {
        return ETIMEDOUT;
    }
    int error = 0;
    socklen_t size = sizeof error;
    return ::getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &size) == 0 ? error : errno;
}

std::string connecting_text(int error) {
    switch (error) {
        case ECONNREFUSED:
            return "nobody listens there";
        case ETIMEDOUT:
            return "there is no answer, as where a firewall lies between";
        default:
            return std::strerror(error);
    }
}

/// Nothing where it cannot be reached until then; `why` says why.
base::UniqueFd connect_to(const std::string& host, const std::string& port, Clock::time_point until, std::string& why) {
    addrinfo wanted{};
    wanted.ai_family = AF_INET;
    wanted.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    if (::getaddrinfo(host.c_str(), port.c_str(), &wanted, &found) != 0) {
        why = "no address is known here for that name";
        return {};
    }
    const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> all(found, ::freeaddrinfo);
    for (const addrinfo* each = found; each != nullptr; each = each->ai_next) {
        base::UniqueFd socket(::socket(each->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
        const int error = socket ? error_of_connecting(socket.get(), *each, until) : errno;
        if (error != 0) {
            why = connecting_text(error);
            continue;
        }
        const int at_once = 1;
        ::setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &at_once, sizeof at_once);
        return socket;
    }
    return {};
}

bool send_all(int socket, std::string_view bytes, Clock::time_point until) {
    while (!bytes.empty()) {
        const ssize_t sent = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent > 0) {
            bytes.remove_prefix(static_cast<std::size_t>(sent));
        } else if (errno == EAGAIN) {
            if (!wait_for(socket, POLLOUT, until)) {
                return false;
            }
        } else if (errno != EINTR) {
            return false;
        }
    }
    return true;
}

bool receive_all(int socket, char* bytes, std::size_t size, Clock::time_point until) {
    while (size != 0) {
        const ssize_t got = ::recv(socket, bytes, size, 0);
        if (got > 0) {
            bytes += got;
            size -= static_cast<std::size_t>(got);
        } else if (got == 0 || (errno != EINTR && (errno != EAGAIN || !wait_for(socket, POLLIN, until)))) {
            return false;
        }
    }
    return true;
}

/// Says what is wrong; nothing: both have the secret.
std::optional<std::string> be_greeted(int socket, const std::string& secret, const Joining& joining,
                                      Clock::time_point until) {
    std::array<char, greeting_bytes> greeting{};
    if (!receive_all(socket, greeting.data(), greeting.size(), until)) {
        return "it does not greet";
    }
    if (std::string_view(greeting.data(), greeting_word.size()) != greeting_word) {
        return "it is no dampi-run that understands this dampi-" + joining.who;
    }
    Nonce theirs{};
    std::memcpy(theirs.data(), greeting.data() + greeting_word.size(), theirs.size());
    const Nonce ours = make_nonce();
    const Proof proof = proof_of(secret, Side::worker, theirs, ours);
    std::string answer(reinterpret_cast<const char*>(ours.data()), ours.size());
    answer.append(reinterpret_cast<const char*>(proof.data()), proof.size());
    Proof their_proof{};
    if (!send_all(socket, answer, until) ||
        !receive_all(socket, reinterpret_cast<char*>(their_proof.data()), their_proof.size(), until)) {
        return "it does not accept the secret";
    }
    if (!same_proof(their_proof, proof_of(secret, Side::coordinator, theirs, ours))) {
        return "it does not have the secret";
    }
    return std::nullopt;
}

/// "a, b: nobody listens there": hosts with the same reason together.
std::string reached_nobody(const std::vector<std::string>& hosts, const std::vector<std::string>& reasons) {
    std::string text;
    for (std::size_t i = 0; i < hosts.size(); ++i) {
        text += hosts[i];
        const bool last = i + 1 == hosts.size();
        if (last || reasons[i + 1] != reasons[i]) {
            text += ": " + reasons[i];
            text += last ? "" : "; of ";
        } else {
            text += ", ";
        }
    }
    return text;
}

}  // namespace

Address parse_address(const std::string& text) {
    const std::size_t colon = text.rfind(':');
    Address address;
    if (colon != std::string::npos) {
        address.port = text.substr(colon + 1);
        std::istringstream hosts(text.substr(0, colon));
        for (std::string host; std::getline(hosts, host, ',');) {
            if (!host.empty()) {
                address.hosts.push_back(host);
            }
        }
    }
    const bool is_number = !address.port.empty() && address.port.size() <= 5 &&
                           address.port.find_first_not_of("0123456789") == std::string::npos;
    if (!is_number || address.hosts.empty()) {
        throw Error("'" + text + "' is no HOST:PORT: give what dampi-run has written as the address of its sweep");
    }
    return address;
}

std::string own_address(std::uint16_t port, bool here) {
    std::string hosts;
    const auto add = [&](const char* host) { hosts += (hosts.empty() ? "" : ",") + std::string(host); };
    if (here) {
        add("127.0.0.1");
    } else {
        std::array<char, 256> name{};
        if (::gethostname(name.data(), name.size() - 1) == 0 && name[0] != '\0') {
            add(name.data());
        }
        ifaddrs* found = nullptr;
        ::getifaddrs(&found);
        const std::unique_ptr<ifaddrs, decltype(&::freeifaddrs)> all(found, ::freeifaddrs);
        for (const ifaddrs* each = found; each != nullptr; each = each->ifa_next) {
            if (each->ifa_addr == nullptr || each->ifa_addr->sa_family != AF_INET ||
                (each->ifa_flags & IFF_LOOPBACK) != 0 || (each->ifa_flags & IFF_UP) == 0) {
                continue;
            }
            std::array<char, INET_ADDRSTRLEN> text{};
            sockaddr_in address{};
            std::memcpy(&address, each->ifa_addr, sizeof address);
            if (::inet_ntop(AF_INET, &address.sin_addr, text.data(), text.size()) != nullptr) {
                add(text.data());
            }
        }
        if (hosts.empty()) {
            add("127.0.0.1");
        }
    }
    return hosts + ":" + std::to_string(port);
}

Link::Link(const Address& address, const std::string& secret, const Joining& joining, milliseconds patience)
    : reader_(joining.last_kind, most_bytes) {
    const auto until = Clock::now() + patience;
    std::vector<std::string> reasons;  // by host
    for (std::size_t i = 0; i < address.hosts.size() && !socket_; ++i) {
        // An address that is not reached from here swallows what is sent to it.
        const auto left = until - Clock::now();
        std::string why;
        socket_ = connect_to(address.hosts[i], address.port,
                             Clock::now() + left / static_cast<int>(address.hosts.size() - i), why);
        if (socket_) {
            if (const auto wrong = be_greeted(socket_.get(), secret, joining, until)) {
                why = *wrong;
                socket_.reset();
            }
        }
        reasons.push_back(std::move(why));
    }
    if (!socket_) {
        throw Error("this dampi-" + joining.who + " cannot join the sweep at port " + address.port + " of " +
                    reached_nobody(address.hosts, reasons));
    }
}

Link::Link(base::UniqueFd accepted, const std::string& secret, std::uint8_t last_kind, milliseconds patience)
    : socket_(std::move(accepted)), reader_(last_kind, most_bytes_at_first) {
    const auto until = Clock::now() + patience;
    const int at_once = 1;
    ::setsockopt(socket_.get(), IPPROTO_TCP, TCP_NODELAY, &at_once, sizeof at_once);
    const Nonce ours = make_nonce();
    std::string greeting(greeting_word);
    greeting.append(reinterpret_cast<const char*>(ours.data()), ours.size());
    std::array<char, answer_bytes> answer{};
    if (!send_all(socket_.get(), greeting, until) || !receive_all(socket_.get(), answer.data(), answer.size(), until)) {
        throw Error("somebody who has connected has not proven the secret");
    }
    Nonce theirs{};
    Proof proof{};
    std::memcpy(theirs.data(), answer.data(), theirs.size());
    std::memcpy(proof.data(), answer.data() + theirs.size(), proof.size());
    if (!same_proof(proof, proof_of(secret, Side::worker, ours, theirs))) {
        throw Error("somebody who has connected has another secret");
    }
    const Proof own = proof_of(secret, Side::coordinator, ours, theirs);
    send(std::string_view(reinterpret_cast<const char*>(own.data()), own.size()));
}

void Link::lose_after(std::chrono::seconds silence) {
    const auto set = [this](int level, int option, std::int64_t value) {
        const int number = static_cast<int>(std::max<std::int64_t>(value, 1));
        ::setsockopt(socket_.get(), level, option, &number, sizeof number);
    };
    set(SOL_SOCKET, SO_KEEPALIVE, 1);
    set(IPPROTO_TCP, TCP_KEEPIDLE, silence.count() / 4);
    set(IPPROTO_TCP, TCP_KEEPINTVL, silence.count() / 4);
    set(IPPROTO_TCP, TCP_KEEPCNT, 3);
    set(IPPROTO_TCP, TCP_USER_TIMEOUT, std::chrono::milliseconds(silence).count());
}

bool Link::send(std::string_view frame) {
    constexpr auto patience = std::chrono::minutes(1);
    const std::lock_guard lock(sending_);
    const bool sent = send_all(socket_.get(), frame, Clock::now() + patience);
    if (!sent) {
        hang_up();  // what has begun to be sent makes no sense without its end
    }
    return sent;
}

void Link::hang_up() { ::shutdown(socket_.get(), SHUT_RDWR); }

Link::Heard Link::receive(std::chrono::nanoseconds patience) {
    const auto until = Clock::now() + patience;
    std::array<char, std::size_t{64} << 10U> bytes{};
    for (;;) {
        message_ = reader_.next();
        if (message_) {
            return Heard::message;
        }
        const ssize_t got = ::recv(socket_.get(), bytes.data(), bytes.size(), 0);
        if (got > 0) {
            reader_.add({bytes.data(), static_cast<std::size_t>(got)});
        } else if (got == 0 || (errno != EAGAIN && errno != EINTR)) {
            return Heard::gone;
        } else if (errno == EAGAIN && !wait_for(socket_.get(), POLLIN, until)) {
            return Heard::nothing;
        }
    }
}

}  // namespace dampi::transport::network
