// A socket on which those are waited for who join a sweep, at a port that the system chooses, of those that a site
// has opened where $DAMPI_PORTS names them.
#pragma once

#include "base/unique_fd.hpp"

#include <cstdint>
#include <string>
#include <utility>

namespace dampi::transport::network {

/// "FIRST-LAST", or one; `name`: of what holds it, for people. Throws dampi::Error.
[[nodiscard]] std::pair<std::uint16_t, std::uint16_t> parse_ports(const std::string& name, const std::string& text);

class Listening {
public:
    /// `here`: for this machine alone. `who` is waited for, for people ("workers"). It does not block, and ranks do not
    /// inherit it. Throws dampi::Error.
    Listening(bool here, const std::string& who);

    [[nodiscard]] int descriptor() const { return socket_.get(); }
    [[nodiscard]] std::uint16_t port() const { return port_; }

private:
    base::UniqueFd socket_;
    std::uint16_t port_ = 0;
};

}  // namespace dampi::transport::network
