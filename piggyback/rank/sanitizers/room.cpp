#include "piggyback/rank/sanitizers/room.hpp"

#include "piggyback/rank/sanitizers/address_runtime.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace dampi::piggyback::sanitizers {
namespace {

/// What AddressSanitizer notes of eight bytes.
std::uint8_t shadow_of(std::int64_t address) {
    std::size_t scale = 0;
    std::size_t offset = 0;
    address_runtime->shadow_mapping(&scale, &offset);
    return *reinterpret_cast<const std::uint8_t*>((static_cast<std::uint64_t>(address) >> scale) + offset);
}

/// Whether the byte, which is poisoned, is so since it is no memory of the program's. Not where the program has
/// poisoned it itself, nor where a container says that it does not use it now: MPI may be allowed to.
bool is_nobodys(std::int64_t address) {
    constexpr std::uint8_t granule = 8;
    std::uint8_t shadow = shadow_of(address);
    if (shadow < granule) {  // so many of the eight are good; what the others are says what follows
        shadow = shadow_of(address + granule);
    }
    constexpr std::array<std::uint8_t, 8> kinds = {
        0xfa,  // beside memory of the heap
        0xfd,  // freed
        0xf1,  // beside variables of the stack
        0xf2, 0xf3,
        0xf5,  // of a function that has returned
        0xf8,  // of a block that was left
        0xf9,  // beside a global variable
    };
    for (const std::uint8_t kind : kinds) {
        if (shadow == kind) {
            return true;
        }
    }
    return false;
}

std::string describe(const Region& region, std::int64_t bad) {
    std::array<char, 128> name{};
    void* begin = nullptr;
    std::size_t size = 0;
    // The byte itself may be known for what is next to it.
    const std::int64_t asked = bad == region.begin ? bad : bad - 1;
    const std::string_view kind =
        address_runtime->locate(reinterpret_cast<void*>(asked), name.data(), name.size(), &begin, &size);
    const std::string where =
        "byte " + std::to_string(bad - region.begin) + " of " + std::to_string(region.end - region.begin) + " is ";
    const auto first = reinterpret_cast<std::intptr_t>(begin);
    const bool inside = begin != nullptr && first <= bad && bad < first + static_cast<std::int64_t>(size);
    if (inside) {
        return where + (kind == "heap" ? "memory that was freed" : "of a variable that is out of scope");
    }
    if (begin != nullptr && size > 0 && bad == first + static_cast<std::int64_t>(size)) {
        return where + "beyond the " + std::to_string(size) + " bytes that " +
               (kind == "heap" ? "were allocated" : "the variable has");
    }
    return where + "no memory of the program's";
}

}  // namespace

std::optional<std::int64_t> first_poisoned(const Region& region) {
    const auto blocks = blocks_of(region);
    if (!blocks) {
        return std::nullopt;
    }
    for (const Blocks& each : *blocks) {
        for (std::int64_t i = 0; i < each.count; ++i) {
            void* const begin = reinterpret_cast<void*>(each.begin + i * each.stride);
            if (void* bad = address_runtime->first_poisoned(begin, static_cast<std::size_t>(each.length))) {
                return reinterpret_cast<std::intptr_t>(bad);
            }
        }
    }
    return std::nullopt;
}

std::optional<std::string> lacking_room(const Region& region, std::int64_t poisoned) {
    return is_nobodys(poisoned) ? std::optional(describe(region, poisoned)) : std::nullopt;
}

}  // namespace dampi::piggyback::sanitizers
