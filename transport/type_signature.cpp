#include "transport/type_signature.hpp"

namespace dampi::transport {
namespace {

// Arithmetic modulo the prime 2^61 - 1.
constexpr std::uint64_t prime = (std::uint64_t{1} << 61) - 1;
constexpr std::uint64_t base = 0x0b3c'9d27'6e41'8f55 % prime;

constexpr std::uint64_t reduced(std::uint64_t value) { return value >= prime ? value - prime : value; }
constexpr std::uint64_t plus(std::uint64_t a, std::uint64_t b) { return reduced(a + b); }
constexpr std::uint64_t times(std::uint64_t a, std::uint64_t b) {
    __extension__ using Wide = unsigned __int128;
    const Wide product = static_cast<Wide>(a) * b;
    return reduced((static_cast<std::uint64_t>(product) & prime) + static_cast<std::uint64_t>(product >> 61));
}

constexpr std::uint64_t power(std::uint64_t exponent) {
    std::uint64_t result = 1;
    for (std::uint64_t square = base; exponent != 0; exponent >>= 1, square = times(square, square)) {
        result = (exponent & 1) != 0 ? times(result, square) : result;
    }
    return result;
}

/// Spreads the few values that items have over all of the field; never 0.
constexpr std::uint64_t spread(Item item) {
    std::uint64_t value = (std::uint64_t{item} + 1) * 0x9e37'79b9'7f4a'7c15;
    value = (value ^ value >> 31) * 0xbf58'476d'1ce4'e5b9;
    return (value ^ value >> 29) % (prime - 1) + 1;
}

}  // namespace

Signature signature_of(Item item) {
    return {.hash = spread(item),
            .items = 1,
            .bytes = kind_of(item) == ItemKind::byte ? std::uint64_t{1} : 0,
            .comparable = kind_of(item) != ItemKind::unknown};
}

Signature joined(const Signature& first, const Signature& second) {
    Signature both{.hash = plus(times(first.hash, power(second.items)), second.hash),
                   .items = 0,
                   .bytes = first.bytes + second.bytes,
                   .comparable = first.comparable && second.comparable};
    both.comparable = !__builtin_add_overflow(first.items, second.items, &both.items) && both.comparable;
    return both;
}

Signature repeated(const Signature& piece, std::uint64_t times_over) {
    Signature all{.hash = 0, .items = 0, .bytes = piece.bytes * times_over, .comparable = piece.comparable};
    if (__builtin_mul_overflow(piece.items, times_over, &all.items)) {
        all.comparable = false;
        return all;
    }
    // From the highest bit of the number on: what there is is doubled, and where the bit is set, one more comes behind.
    const std::uint64_t factor = power(piece.items);
    std::uint64_t shift = 1;  // to the power of the items so far
    for (std::uint64_t bit = std::uint64_t{1} << 63; bit != 0; bit >>= 1) {
        if (all.hash != 0) {
            all.hash = plus(times(all.hash, shift), all.hash);
            shift = times(shift, shift);
        }
        if ((times_over & bit) != 0) {
            all.hash = plus(times(all.hash, factor), piece.hash);
            shift = times(shift, factor);
        }
    }
    return all;
}

}  // namespace dampi::transport
