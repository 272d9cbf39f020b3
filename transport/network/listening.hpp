// A socket on which those are waited for who join a sweep, at a port that the system chooses.
#pragma once

#include "base/unique_fd.hpp"

#include <cstdint>
#include <string>

namespace dampi::transport::network {

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
