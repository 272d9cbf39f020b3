// Values as bytes, for those that list their fields once (`fields`): numbers and enumerations as they lie in memory,
// texts and lists with their length before them. The reader believes nothing: it never leaves the bytes that it is
// given, and an enumerator or length that makes no sense is refused.
#pragma once

#include "transport/requests/protocol.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

namespace dampi::transport::requests {

/// The last enumerator of each enumeration that travels.
[[nodiscard]] constexpr SendMode last_of(SendMode) { return last_send_mode; }
[[nodiscard]] constexpr Sources last_of(Sources) { return last_sources; }
[[nodiscard]] constexpr WaitMode last_of(WaitMode) { return last_wait_mode; }
[[nodiscard]] constexpr Answer::What last_of(Answer::What) { return Answer::last_what; }
[[nodiscard]] constexpr replay::AnswerInTime::Kind last_of(replay::AnswerInTime::Kind) {
    return replay::AnswerInTime::last_kind;
}

/// Whether a value lists no fields of its own.
template <typename T>
inline constexpr bool lies_as_it_is = std::is_trivially_copyable_v<T> && !requires(T value, void (*each)(...)) {
    value.fields(each);
};

/// A value with its fields, or as it is.
template <typename Visitor, typename T>
void visit(Visitor& visitor, T& value) {
    if constexpr (requires { value.fields(visitor); }) {
        value.fields(visitor);
    } else {
        visitor(value);
    }
}

/// Says how many bytes FieldWriter will write.
class FieldSize {
public:
    [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

    template <typename T>
    void operator()(const T&) {
        static_assert(std::is_trivially_copyable_v<T>);
        bytes_ += sizeof(T);
    }
    void operator()(const std::string& text) { bytes_ += sizeof(std::uint32_t) + text.size(); }
    template <typename T>
    void operator()(std::vector<T>& values) {
        bytes_ += sizeof(std::uint32_t);
        if constexpr (lies_as_it_is<T>) {
            bytes_ += sizeof(T) * values.size();
        } else {
            for (T& value : values) {
                visit(*this, value);
            }
        }
    }

private:
    std::uint64_t bytes_ = 0;
};

/// Writes where there is room enough (FieldSize).
class FieldWriter {
public:
    explicit FieldWriter(std::uint8_t* to) : to_(to) {}

    template <typename T>
    void operator()(const T& value) {
        static_assert(std::is_trivially_copyable_v<T>);
        write(&value, sizeof value);
    }
    void operator()(const std::string& text) {
        (*this)(static_cast<std::uint32_t>(text.size()));
        write(text.data(), text.size());
    }
    template <typename T>
    void operator()(std::vector<T>& values) {
        (*this)(static_cast<std::uint32_t>(values.size()));
        if constexpr (lies_as_it_is<T>) {
            write(values.data(), sizeof(T) * values.size());
        } else {
            for (T& value : values) {
                visit(*this, value);
            }
        }
    }

private:
    void write(const void* data, std::uint64_t size) {
        if (size != 0) {
            std::memcpy(to_, data, size);
            to_ += size;
        }
    }

    std::uint8_t* to_;
};

class FieldReader {
public:
    FieldReader(const std::uint8_t* from, std::uint64_t size) : from_(from), left_(size) {}

    /// Whether all of it made sense and nothing is left.
    [[nodiscard]] bool sound() const { return sound_ && left_ == 0; }
    /// Whether all of it made sense and at most 7 bytes are left, which may fill up what was written.
    [[nodiscard]] bool sound_up_to_padding() const { return sound_ && left_ < 8; }

    template <typename T>
    void operator()(T& value) {
        static_assert(std::is_trivially_copyable_v<T>);
        read(&value, sizeof value);
        if constexpr (std::is_enum_v<T>) {
            if (value > last_of(value)) {
                fail();
                value = T{};
            }
        }
    }
    void operator()(std::string& text) {
        const std::uint32_t size = length(1);
        text.resize(size);
        read(text.data(), size);
    }
    template <typename T>
    void operator()(std::vector<T>& values) {
        if constexpr (lies_as_it_is<T>) {
            const std::uint32_t count = length(sizeof(T));
            values.resize(count);
            read(values.data(), sizeof(T) * count);
        } else {
            values.resize(length(1));
            for (T& value : values) {
                visit(*this, value);
                if (!sound_) {
                    return;
                }
            }
        }
    }

private:
    /// How many elements of at least that size follow.
    std::uint32_t length(std::uint64_t size) {
        std::uint32_t count = 0;
        (*this)(count);
        if (count > left_ / size) {
            fail();
            return 0;
        }
        return count;
    }
    void read(void* data, std::uint64_t size) {
        if (!sound_ || size > left_) {
            fail();
            return;
        }
        if (size != 0) {
            std::memcpy(data, from_, size);
            from_ += size;
            left_ -= size;
        }
    }
    void fail() {
        sound_ = false;
        left_ = 0;
    }

    const std::uint8_t* from_;
    std::uint64_t left_;
    bool sound_ = true;
};

}  // namespace dampi::transport::requests
