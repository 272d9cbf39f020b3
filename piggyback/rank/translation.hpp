// Where the program is Open MPI's, its calls come to the layer through a library that translates them
// (piggyback/openmpi), which makes itself known when it is loaded. For the layer that is nobody: a call comes from
// where the program called it, and what that library has on the stack meanwhile is the layer's own.
#pragma once

#include <cstdint>

namespace dampi::piggyback {

struct Translation {
    std::uint64_t begin = 0;  ///< of its code; 0: there is none
    std::uint64_t size = 0;
    /// Where the call of this thread that it is in returns to.
    const void* (*return_address)() = nullptr;

    [[nodiscard]] bool contains(const void* address) const noexcept {
        return reinterpret_cast<std::uint64_t>(address) - begin < size;
    }
};
extern Translation translation;

/// Where a call of MPI returns to in the program, given where its wrapper does.
[[nodiscard]] inline const void* place_of_call(const void* return_address) noexcept {
    return translation.contains(return_address) ? translation.return_address() : return_address;
}

}  // namespace dampi::piggyback
