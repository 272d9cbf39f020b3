// 128 bits that stand for a sequence of bytes: two different sequences share them only by a chance of some 2^-128. The
// same in every process on the same kind of machine. XXH3 (Collet, xxHash, 2020), which keeps up with memory.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

namespace dampi::base {

struct Digest {
    std::uint64_t low = 0;
    std::uint64_t high = 0;

    auto operator<=>(const Digest&) const = default;
};

[[nodiscard]] Digest digest_of(const void* bytes, std::size_t size) noexcept;

/// Of numbers, texts and other digests in order. What is added to it should say how many there are of what varies.
class DigestBuilder {
public:
    DigestBuilder& add(std::uint64_t value) {
        words_.push_back(value);
        return *this;
    }
    DigestBuilder& add(const Digest& digest) { return add(digest.low).add(digest.high); }
    DigestBuilder& add(std::string_view text) { return add(text.size()).add(digest_of(text.data(), text.size())); }

    [[nodiscard]] Digest value() const { return digest_of(words_.data(), words_.size() * sizeof words_[0]); }

private:
    std::vector<std::uint64_t> words_;
};

}  // namespace dampi::base

template <>
struct std::hash<dampi::base::Digest> {
    std::size_t operator()(const dampi::base::Digest& digest) const noexcept { return digest.low; }
};
