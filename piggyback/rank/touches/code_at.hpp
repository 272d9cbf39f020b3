// Whose code an address is, as far as it matters for accesses to memory, and who has called it. Allocates nothing, so
// that a signal handler may ask.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace dampi::piggyback::touches {

/// In a signal handler: notes where the C library's code lies. To be called before.
void find_system_code() noexcept;

/// Whether the instruction is the C library's or the loader's.
[[nodiscard]] bool is_system_code(std::uint64_t address) noexcept;

/// Whether it is of the C library's function that copies memory: others read more than they are asked to, as strlen()
/// does, which looks at whole words.
[[nodiscard]] bool copies_exactly(std::uint64_t address) noexcept;

/// The innermost place on the stack below the interrupted instruction that is not the C library's code; the instruction
/// itself where it is not, or none is found.
[[nodiscard]] std::uint64_t place_of(std::uint64_t interrupted) noexcept;

/// The stack below an interrupted instruction, without what is the C library's at its inner end.
struct StackBelow {
    static constexpr std::size_t most_frames = 32;
    std::array<std::uint64_t, most_frames> frames{};  ///< innermost first
    std::size_t count = 0;
    bool allocates = false;  ///< what it has called of the C library takes memory, or gives it back
};
[[nodiscard]] StackBelow stack_below(std::uint64_t interrupted) noexcept;

}  // namespace dampi::piggyback::touches
