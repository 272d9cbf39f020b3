// The connection of somebody who has joined a sweep with the dampi-run of it: finds it, proves the secret and has it
// proven, then exchanges frames. Sends from any thread, receives in one.
#pragma once

#include "base/unique_fd.hpp"
#include "transport/network/frames.hpp"

#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace dampi::transport::network {

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

/// Somebody who joins, for people, and what is said then.
struct Joining {
    std::string who;             ///< "worker"
    std::uint8_t last_kind = 1;  ///< of frames
};

class Link {
public:
    /// Connects and is greeted. Throws dampi::Error where nobody answers, or not somebody with this secret.
    Link(const Address& address, const std::string& secret, const Joining& joining, std::chrono::milliseconds patience);
    /// The other end: of a connection that has been accepted, which does not block. Greets. Throws dampi::Error where
    /// the other side does not prove the secret. Until allow() frames are small.
    Link(base::UniqueFd accepted, const std::string& secret, std::uint8_t last_kind,
         std::chrono::milliseconds patience);
    void allow(std::size_t most) { reader_.allow(most); }

    /// From now on the system ends the connection when the other machine has not answered for so long.
    void lose_after(std::chrono::seconds silence);

    /// False when the other side is gone.
    bool send(std::string_view frame);
    /// The other side hears that this one is gone; from any thread.
    void hang_up();

    enum class Heard : std::uint8_t { message, nothing, gone };
    /// Waits for a message, at most so long; it is in message() then, until the next call.
    Heard receive(std::chrono::nanoseconds patience);
    [[nodiscard]] const Frame& message() const { return *message_; }
    /// Can be read when something has come. What receive() has read already is not told there.
    [[nodiscard]] int descriptor() const { return socket_.get(); }

private:
    base::UniqueFd socket_;
    FrameReader reader_;
    std::optional<Frame> message_;
    std::mutex sending_;
};

}  // namespace dampi::transport::network
