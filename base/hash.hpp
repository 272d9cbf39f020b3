// A hash of numbers in order that is the same in every process and every run.
#pragma once

#include <cstdint>
#include <string_view>

namespace dampi::base {

class Hash {
public:
    Hash() = default;
    /// Goes on from a value().
    explicit Hash(std::uint64_t state) : state_(state) {}

    Hash& add(std::uint64_t value) {
        // splitmix64's finalizer (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014) over a
        // running sum
        state_ += value + 0x9e3779b97f4a7c15U;
        state_ = (state_ ^ (state_ >> 30)) * 0xbf58476d1ce4e5b9U;
        state_ = (state_ ^ (state_ >> 27)) * 0x94d049bb133111ebU;
        state_ ^= state_ >> 31;
        return *this;
    }
    Hash& add(std::string_view text) {
        for (const char c : text) {
            add(static_cast<std::uint64_t>(static_cast<unsigned char>(c)));
        }
        return *this;
    }
    [[nodiscard]] std::uint64_t value() const { return state_; }

private:
    std::uint64_t state_ = 0;
};

}  // namespace dampi::base
