// Memory that is closed to one thread alone, by the processor's protection keys (pkeys(7); Linux 4.9): pages carry a
// key, and each thread has a register that says what it may do with the pages of each. So other threads, other
// processes that access this one's memory, and the system on their behalf, do not meet a closed page. A handler of
// signals begins with all keys closed, whatever the thread had, and the thread goes on with what stands in the frame
// that the system has saved.
//
// Plain access to what the processor and the system offer; what is closed when is for page_guard to say.
#pragma once

#include <cstdint>

#include <ucontext.h>

namespace dampi::piggyback::touches {

enum class Key : std::uint8_t {
    none,    ///< that of all memory
    stores,  ///< its pages can be closed to stores
    all,     ///< its pages can be closed to loads, too
};

/// Whether there are keys. Asks for them the first time; threads that are there before may find their pages closed.
[[nodiscard]] bool have_keys() noexcept;

/// No page has one of them any more: they are the system's again, and asked for anew when they are needed.
void give_keys_back() noexcept;

/// Whole pages get a key, and what the process may do with them apart from it (PROT_READ ...).
bool set_key(std::uint64_t begin, std::uint64_t end, int rights, Key key) noexcept;

/// What the thread may do by its keys, as the processor has it, with the two that are used here open or closed.
[[nodiscard]] std::uint32_t opened(std::uint32_t by_keys) noexcept;
[[nodiscard]] std::uint32_t closed(std::uint32_t by_keys) noexcept;
/// `by_keys`, and for the two keys as in `other`.
[[nodiscard]] std::uint32_t as_in(std::uint32_t other, std::uint32_t by_keys) noexcept;

[[nodiscard]] std::uint32_t rights_by_keys() noexcept;
void set_rights_by_keys(std::uint32_t by_keys) noexcept;

/// Those that the thread will have when the handler returns; null where they were not saved.
[[nodiscard]] std::uint32_t* saved_rights(ucontext_t& context) noexcept;

}  // namespace dampi::piggyback::touches
