// What two programs of dampi say to each other on a connection, as frames: each its length (four bytes), its kind (one)
// and the bytes of its value. Whose kinds they are is the conversation's matter.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace dampi::transport::network {

struct Frame {
    std::uint8_t kind = 0;
    std::string_view bytes;  ///< valid until the reader is asked or given more
};

/// The most that a frame may have: of somebody who has not been accepted yet, and of others.
inline constexpr std::size_t most_bytes_at_first = std::size_t{64} << 10U;
inline constexpr std::size_t most_bytes = std::size_t{1} << 30U;

/// With room for its head; the value is appended.
[[nodiscard]] std::string begin_frame(std::uint8_t kind);
/// As it is sent; nothing where it would be too large.
[[nodiscard]] std::optional<std::string> end_frame(std::string frame);

/// Puts frames together from what comes in.
class FrameReader {
public:
    /// `last_kind`: kinds are from 1 up to it. `most`: bytes of a frame; it may change between frames.
    FrameReader(std::uint8_t last_kind, std::size_t most) : last_kind_(last_kind), most_(most) {}
    void allow(std::size_t most) { most_ = most; }

    void add(std::string_view bytes);
    /// Throws dampi::Error when there is none of ours.
    [[nodiscard]] std::optional<Frame> next();

private:
    std::uint8_t last_kind_;
    std::size_t most_;
    std::string buffer_;
    std::size_t taken_ = 0;
};

}  // namespace dampi::transport::network
