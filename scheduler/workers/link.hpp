// A worker's connection with the dampi-run of its sweep: finds it, proves the secret and has it proven, then exchanges
// messages. Sends from any thread, receives in one.
#pragma once

#include "base/unique_fd.hpp"
#include "scheduler/workers/messages.hpp"

#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

namespace dampi::scheduler::workers {

/// Names of the machine, or addresses, which are tried one after the other, and the port there.
struct Address {
    std::vector<std::string> hosts;
    std::string port;
};

/// From "HOST[,HOST...]:PORT". Throws dampi::Error.
[[nodiscard]] Address parse_address(const std::string& text);

/// This machine's name and its addresses in networks, with the port, as parse_address() takes them; `here`: the address
/// that only this machine has.
[[nodiscard]] std::string own_address(std::uint16_t port, bool here);

class Link {
public:
    /// Connects and greets. Throws dampi::Error where nobody answers, or not somebody with this secret.
    Link(const Address& address, const std::string& secret, std::chrono::milliseconds patience);

    /// False when the other side is gone.
    bool send(std::string_view message);

    enum class Heard : std::uint8_t { message, nothing, gone };
    /// Waits for a message, at most so long; it is in message() then, until the next call.
    Heard receive(std::chrono::nanoseconds patience);
    [[nodiscard]] const MessageReader::Message& message() const { return *message_; }

private:
    base::UniqueFd socket_;
    MessageReader reader_{most_bytes};
    std::optional<MessageReader::Message> message_;
    std::mutex sending_;
};

}  // namespace dampi::scheduler::workers
