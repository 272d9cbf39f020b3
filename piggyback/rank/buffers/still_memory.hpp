// Small buffers that only MPI may change, inside of its calls: what is in them when a call returns must be there when
// the next one begins. Holds a few at a time, and a copy of what is in each; says which the program has changed. Sound
// only while one thread makes all calls, and nobody else writes into this process's memory: which buffers that is true
// of is for others to say.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace dampi::piggyback {

class StillMemory {
public:
    /// What is given out for a buffer; `none` where it is not watched.
    using Token = std::uint32_t;
    static constexpr Token none = 0;

    static constexpr std::size_t most_buffers = 4;
    static constexpr std::int64_t most_bytes = 256;  ///< of each

    /// From the end of this call on. `none` where there are too many, or too many bytes.
    Token add(std::int64_t begin, std::int64_t end) {
        if (end - begin > most_bytes || size_ == most_buffers) {
            return none;
        }
        Buffer& buffer = buffers_[size_++];
        buffer.token = ++last_token_ == none ? ++last_token_ : last_token_;
        buffer.begin = begin;
        buffer.length = static_cast<std::size_t>(end - begin);
        buffer.is_noted = false;
        return buffer.token;
    }
    void remove(Token token) {
        for (std::size_t i = 0; i < size_; ++i) {
            if (buffers_[i].token == token) {
                take_away(i);
                return;
            }
        }
    }

    [[nodiscard]] bool empty() const { return size_ == 0; }

    /// MPI is about to be left: what is there now is to stay.
    void note() {
        for (std::size_t i = 0; i < size_; ++i) {
            Buffer& buffer = buffers_[i];
            std::memcpy(buffer.bytes, memory(buffer), buffer.length);
            buffer.is_noted = true;
        }
    }
    /// MPI has been entered: calls `visit(token, address)` for each that has changed, with the first byte that has, and
    /// watches it no longer. Until the next note() anything may change.
    template <typename Visit>
    void find_changed(Visit&& visit) {
        for (std::size_t i = size_; i-- > 0;) {
            Buffer& buffer = buffers_[i];
            const bool changed = buffer.is_noted && std::memcmp(buffer.bytes, memory(buffer), buffer.length) != 0;
            buffer.is_noted = false;
            if (changed) [[unlikely]] {
                std::size_t byte = 0;
                while (buffer.bytes[byte] == memory(buffer)[byte]) {
                    ++byte;
                }
                const Token token = buffer.token;
                const std::int64_t address = buffer.begin + static_cast<std::int64_t>(byte);
                take_away(i);
                visit(token, address);
            }
        }
    }

private:
    struct Buffer {
        Token token;
        bool is_noted;  ///< `bytes` is what was there when the last call returned
        std::int64_t begin;
        std::size_t length;
        char bytes[most_bytes];
    };

    void take_away(std::size_t i) {
        const Buffer& last = buffers_[--size_];
        Buffer& buffer = buffers_[i];
        if (&buffer != &last) {
            std::memcpy(&buffer, &last, offsetof(Buffer, bytes) + last.length);
        }
    }
    static const char* memory(const Buffer& buffer) { return reinterpret_cast<const char*>(buffer.begin); }

    Token last_token_ = none;
    std::size_t size_ = 0;
    Buffer buffers_[most_buffers];
};

}  // namespace dampi::piggyback
