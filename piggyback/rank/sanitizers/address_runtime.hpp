// AddressSanitizer's runtime, if the program was built with it, as far as the layer asks it something. It is found in
// the process, for the layer itself is built without; gcc and clang have the same functions.
#pragma once

#include <cstddef>
#include <cstdint>

namespace dampi::piggyback::sanitizers {

struct AddressRuntime {
    void* (*first_poisoned)(void* begin, std::size_t size);
    void (*shadow_mapping)(std::size_t* scale, std::size_t* offset);
    const char* (*locate)(void* address, char* name, std::size_t name_size, void** region, std::size_t* region_size);
};

/// Null where the program has none.
extern constinit const AddressRuntime* address_runtime;

/// To be called when this process becomes a rank.
void find_address_runtime();

/// Whether all of this memory is the runtime's notes of which memory the program may use.
[[nodiscard]] bool is_address_shadow(std::uintptr_t begin, std::uintptr_t end) noexcept;

}  // namespace dampi::piggyback::sanitizers
