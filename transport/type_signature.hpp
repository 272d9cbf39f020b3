// The type signature of data: the sequence of the basic items in it, as a hash that composes. That of two pieces one
// behind the other follows from those of the pieces, so that of a derived datatype follows from those it is made of,
// and that of any count by repeated squaring: h(ab) = h(a) * B^|b| + h(b). Equal signatures have equal hashes; of
// different ones it is practically certain that they differ. Pure functions; knows nothing of MPI's handles.
#pragma once

#include <cstdint>
#include <span>

namespace dampi::transport {

/// What a basic item is. Items of one kind and size agree, whatever language and name they have: MPI_INT and
/// MPI_INTEGER, MPI_LONG and MPI_INT64_T and MPI_AINT. (A complex number is two items, a pair is its two.)
enum class ItemKind : std::uint8_t {
    signed_integer = 1,
    unsigned_integer,
    floating,
    logical,
    character,  ///< of any signedness: nobody means a number of one byte to be none
    wide_character,
    byte,     ///< MPI_BYTE: agrees with any data of as many bytes
    unknown,  ///< MPI_PACKED, and whatever else nothing can be said of
};
inline constexpr ItemKind last_item_kind = ItemKind::unknown;

/// A kind and a size in bytes (1 to 255).
using Item = std::uint32_t;
[[nodiscard]] constexpr Item make_item(ItemKind kind, std::uint32_t size) {
    return static_cast<std::uint32_t>(kind) << 8 | (size & 0xff);
}
[[nodiscard]] constexpr ItemKind kind_of(Item item) { return static_cast<ItemKind>(item >> 8); }
[[nodiscard]] constexpr std::uint32_t size_of(Item item) { return item & 0xff; }
[[nodiscard]] constexpr bool is_item(Item item) {
    return size_of(item) != 0 && item >> 8 >= static_cast<std::uint32_t>(ItemKind::signed_integer) &&
           item >> 8 <= static_cast<std::uint32_t>(last_item_kind);
}

struct Signature {
    std::uint64_t hash = 0;
    std::uint64_t items = 0;
    std::uint64_t bytes = 0;  ///< only items of the kind `byte`, as bytes
    bool comparable = true;   ///< false: it holds something unknown, or is too long to be counted

    /// Whether it is about anything that could disagree with other data.
    [[nodiscard]] bool says_something() const { return comparable && bytes != items; }

    bool operator==(const Signature&) const = default;
};

[[nodiscard]] Signature signature_of(Item item);
/// Of one piece of data behind the other.
[[nodiscard]] Signature joined(const Signature& first, const Signature& second);
/// Of so many pieces of data like this one behind each other.
[[nodiscard]] Signature repeated(const Signature& piece, std::uint64_t times);

}  // namespace dampi::transport
