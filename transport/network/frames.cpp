#include "transport/network/frames.hpp"

#include "base/check.hpp"

#include <cstring>
#include <utility>

namespace dampi::transport::network {
namespace {

using Length = std::uint32_t;
constexpr std::size_t head_bytes = sizeof(Length) + 1;

}  // namespace

std::string begin_frame(std::uint8_t kind) {
    std::string frame(head_bytes, '\0');
    frame[sizeof(Length)] = static_cast<char>(kind);
    return frame;
}

std::optional<std::string> end_frame(std::string frame) {
    const std::size_t size = frame.size() - head_bytes;
    if (size > most_bytes) {
        return std::nullopt;
    }
    const auto length = static_cast<Length>(size);
    std::memcpy(frame.data(), &length, sizeof length);
    return frame;
}

void FrameReader::add(std::string_view bytes) {
    buffer_.erase(0, std::exchange(taken_, 0));
    buffer_ += bytes;
}

std::optional<Frame> FrameReader::next() {
    const std::string_view left = std::string_view(buffer_).substr(taken_);
    if (left.size() < head_bytes) {
        return std::nullopt;
    }
    Length length = 0;
    std::memcpy(&length, left.data(), sizeof length);
    const auto kind = static_cast<std::uint8_t>(left[sizeof length]);
    if (length > most_ || kind == 0 || kind > last_kind_) {
        throw Error("what has come over the network is no message of dampi");
    }
    if (left.size() - head_bytes < length) {
        return std::nullopt;
    }
    taken_ += head_bytes + length;
    return Frame{.kind = kind, .bytes = left.substr(head_bytes, length)};
}

}  // namespace dampi::transport::network
