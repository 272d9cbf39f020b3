// Which memory an instruction reads and writes, from its bytes and from the registers as they are before it is
// executed. For x86-64, by the decoder of Zydis, a library that is looked for in the process: ranks have it only where
// somebody asks (launch/program/preload.hpp). Without allocating: a signal handler may ask.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <ucontext.h>

namespace dampi::piggyback {

struct MemoryAccess {
    std::uint64_t begin = 0;
    std::uint64_t size = 0;
    bool reads = false;
    bool writes = false;

    bool operator==(const MemoryAccess&) const = default;
};

struct InstructionAccesses {
    static constexpr std::size_t most = 20;  ///< one that gathers makes 16

    std::array<MemoryAccess, most> all{};
    std::size_t count = 0;
    /// There may be others, or the bytes are no instruction.
    bool is_partial = false;
    /// The processor can be told to stop behind it, and what it leaves behind does not show that.
    bool steps = true;
};

/// The registers as a signal handler is given them.
struct SavedRegisters {
    const gregset_t& general;
    /// Those of vectors and masks, as the processor saves them (XSAVE's standard format); null: not known.
    const std::uint8_t* extended = nullptr;
    std::size_t extended_size = 0;
    std::uint64_t thread = 0;  ///< where the thread's variables lie (the base of FS)
};
[[nodiscard]] SavedRegisters registers_of(const ucontext_t& context) noexcept;

/// Whether accesses_of() may be called.
[[nodiscard]] bool find_decoder() noexcept;

/// Of the instruction at the program counter in `registers`, of which `bytes` are `size` bytes or more.
[[nodiscard]] InstructionAccesses accesses_of(const std::uint8_t* bytes, std::size_t size,
                                              const SavedRegisters& registers) noexcept;

}  // namespace dampi::piggyback
