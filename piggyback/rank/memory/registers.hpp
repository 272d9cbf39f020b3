// The processor's state that the program will find when its call of MPI returns: what a function must leave as it was.
#pragma once

#include <cstdint>

namespace dampi::piggyback {

/// What a function must leave as it was, and where it returns to.
struct Registers {
    std::uint64_t rbx = 0, rbp = 0, r12 = 0, r13 = 0, r14 = 0, r15 = 0, rsp = 0, rip = 0;
    std::uint32_t mxcsr = 0;
    std::uint16_t x87 = 0;
    std::uint16_t x87_exceptions = 0;  ///< that have been raised; those of other instructions are in mxcsr
    std::uint32_t flags = 0;           ///< those of the processor's that no calculation sets
    bool found = false;
    bool operator==(const Registers&) const = default;
};

/// Of the program, as they will be when the call returns there. Not found where the stack cannot be unwound.
[[nodiscard]] Registers registers_of(const void* return_address) noexcept;

}  // namespace dampi::piggyback
