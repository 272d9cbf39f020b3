// From where the program loaded or stored in a buffer: a record before that of the violation. It is written where
// nothing may be allocated, so it has no number as other call stacks have.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace dampi::transport {

/// Of the violation whose record is the next one: addresses within the calling instructions, innermost first.
struct TouchStackRecord {
    static constexpr std::uint32_t type = 54;
    std::vector<std::uint64_t> frames;
    void fields(auto& each) { each(frames); }
};

/// Likewise, to be written.
struct TouchStackInPlace {
    static constexpr std::uint32_t type = TouchStackRecord::type;
    std::span<const std::uint64_t> frames;
    void fields(auto& each) {
        each(static_cast<std::uint32_t>(frames.size()));
        for (const std::uint64_t frame : frames) {
            each(frame);
        }
    }
};

}  // namespace dampi::transport
