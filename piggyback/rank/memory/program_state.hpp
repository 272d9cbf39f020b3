// All that decides what the program in this rank does next, but for what MPI will tell it: its memory, its registers,
// and what it does with signals. Only for ranks whose memory can be compared with what it was in the beginning
// (lifecycle/rewind.hpp), and who do nothing outside of it. What is dead counts as far as it is not known to be.
#pragma once

#include "base/digest.hpp"
#include "piggyback/rank/memory/not_the_programs.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace dampi::piggyback {

/// Memory that is the layer's affair and that NotThePrograms does not find by itself. At any time before the first use
/// of program_state() in a process.
void leave_out_of_state(const Range& range) noexcept;

/// The program's main will be called from here: what lies above on the stack is not its own.
void note_stack_end(const void* frame) noexcept;

/// What counts; all of it, but in tests of dampi.
struct ProgramStateParts {
    bool memory = true;
    bool stack = true;
    bool registers = true;
};

/// While the thread, which is the only one, is in a call that will return to `return_address`. Nothing where the
/// process cannot be compared. Equal in two runs only if everything that the program has is equal.
[[nodiscard]] std::optional<base::Digest> program_state(const void* return_address,
                                                        const ProgramStateParts& parts = {}) noexcept;

/// How many pages all of this process' states so far have been made of: what they have cost.
[[nodiscard]] std::uint64_t pages_of_states() noexcept;

struct MemoryVisitor {
    virtual ~MemoryVisitor() = default;
    /// `now` and `before` (null: zeros) are copies of what is and was at `begin`, or that itself.
    virtual void visit(std::uintptr_t begin, const char* now, const char* before, std::size_t size) noexcept = 0;
};

/// Likewise: shows all memory that the digest is made of. False where there is none, or not all of it was shown.
[[nodiscard]] bool show_program_memory(const void* return_address, MemoryVisitor& visitor) noexcept;

/// As note_stack_end() said; 0: nobody did.
[[nodiscard]] std::uintptr_t program_stack_end() noexcept;

}  // namespace dampi::piggyback
