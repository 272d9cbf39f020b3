// Tells of what the program does with buffers that are not its own for a while, in memory that nobody has prepared:
// the pages that they lie in are closed to the program while it is outside of MPI. Where it comes to one all the same,
// the processor tells (SIGSEGV); the page is opened, the processor executes that one instruction and stops behind it
// (SIGTRAP), and the page is closed again. So nothing is kept from the program, and what lies beside a buffer is its
// own as ever. Before the program asks the system for anything all is opened, for the system would refuse (SIGSYS, by
// Syscall User Dispatch, which Linux has since 5.11). Where the processor has protection keys (page_keys.hpp) pages are
// closed by these, to the program's thread alone; otherwise to the whole process, and to all that access its memory.
//
// While the program is in MPI nothing of this is there: all pages are open, and signals are the program's. So MPI and
// the layer see what they always see. Nor is it when there is any doubt whether the program would notice: other
// threads, blocked signals, a handler that would block them, a small stack for handlers. Then and where only a part is
// told of, there is a reason, of which somebody is to tell.
//
// For one thread; others may come to closed pages, and find them open. Nothing here knows of MPI.
#pragma once

#include "piggyback/rank/buffers/region.hpp"
#include "piggyback/rank/touches/instruction.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace dampi::piggyback::touches {

struct GuardedBuffer;
struct Touch;

/// Is told in a signal handler, and may not allocate; whether it wants to hear more of this buffer. All is open.
using Told = bool(const GuardedBuffer& buffer, const Touch& touch) noexcept;

struct GuardedBuffer {
    Region region;
    bool received = false;   ///< the program may not even read it
    std::uint64_t site = 0;  ///< of who has it now
    Told* told = nullptr;
    void* whose = nullptr;  ///< for who is told
};

/// The program reads or writes bytes of such a buffer.
struct Touch {
    std::int64_t byte = 0;   ///< address of the first one
    std::int64_t end = 0;    ///< behind the last one; there may be gaps of the buffer in between
    std::uint64_t size = 0;  ///< of the whole access, which may begin before the buffer and end behind it
    bool writes = false;
    std::uint64_t site = 0;  ///< where, in code that is not the C library's
    std::uint64_t code = 0;  ///< the instruction
};

/// Why something is not told of.
enum class Unwatched : std::uint8_t {
    no_dispatch,      ///< the system cannot tell before a call of it
    no_decoder,       ///< what tells accesses apart is not there
    other_threads,    ///< of the program's, or of a library's
    blocked_signals,  ///< the program blocks those that are needed
    handlers,         ///< while one of its handlers runs, they are blocked
    small_stack,      ///< handlers of signals have too small a stack, or run on it now
    stack,            ///< handlers of the program use the stack, which may not be closed to the system
    busy_pages,       ///< the program uses what lies beside the buffers of this call too often
    unknown_code,     ///< what this instruction reads and writes
    too_many,         ///< buffers at once
};

struct UnwatchedPlace {
    Unwatched why = {};
    std::uint64_t site = 0;  ///< of the instruction, or of the call whose buffers they are; 0: of none
};

enum class Means : std::uint8_t {
    best,    ///< protection keys if there are any
    rights,  ///< in any case the rights of the process
};

/// Where somebody asks for it, with no buffer guarded. `is_programs`: whether a handler of signals is the program's;
/// others hardly ever run, or call give_up() before they do anything else. When the program has used what lies beside
/// buffers `most_in_vain` times in all, only whole pages are closed.
void start(bool (*is_programs)(std::uintptr_t handler) noexcept, Means means = Means::best,
           std::uint32_t most_in_vain = ~std::uint32_t{0}) noexcept;

/// No buffer is guarded, and none will be before start() is called again, perhaps by a copy of the process as it was
/// before.
void stop() noexcept;

/// Whether others than the program's thread may access what is closed, or have the system do so.
[[nodiscard]] bool closes_for_one_thread() noexcept;

/// In MPI, before it is left: these are guarded from then on, until it is entered again. `harmless_threads`: so many
/// there may be beside this one, which do not use such buffers.
void guard(const std::vector<GuardedBuffer>& buffers, unsigned harmless_threads);

/// What has not been told of since the last time, and why; each once.
[[nodiscard]] std::vector<UnwatchedPlace> take_reasons();

/// Whether, since start(), the program may have used what was to be guarded without being told of.
[[nodiscard]] bool may_have_missed() noexcept;

/// Of which calls not all of the buffers are guarded any more, as a number that is another one for others.
[[nodiscard]] std::uint64_t given_up_sites() noexcept;

/// From a signal handler of the layer's: the program may do as it likes until MPI is left for the next time.
void give_up() noexcept;

namespace page_guard_detail {
extern bool is_on;
void enter() noexcept;
void leave() noexcept;
void open_for_threads() noexcept;
}  // namespace page_guard_detail

/// The thread enters MPI, or leaves it.
inline void enter_mpi() noexcept {
    if (page_guard_detail::is_on) [[unlikely]] {
        page_guard_detail::enter();
    }
}
inline void leave_mpi() noexcept {
    if (page_guard_detail::is_on) [[unlikely]] {
        page_guard_detail::leave();
    }
}

/// The program makes a thread of its own.
inline void make_thread() noexcept {
    if (page_guard_detail::is_on) [[unlikely]] {
        page_guard_detail::open_for_threads();
    }
}

}  // namespace dampi::piggyback::touches
