// Where a program that was interrupted, or whose state was saved by getcontext(), goes on, and where its stack ends.
#pragma once

#include <cstdint>

#include <ucontext.h>

namespace dampi::piggyback {

[[nodiscard]] inline std::uint64_t program_counter_of(const ucontext_t& context) noexcept {
#if defined(__x86_64__)
    return static_cast<std::uint64_t>(context.uc_mcontext.gregs[REG_RIP]);
#elif defined(__aarch64__)
    return context.uc_mcontext.pc;
#else
#error "tell where this processor keeps its program counter"
#endif
}

[[nodiscard]] inline std::uint64_t stack_pointer_of(const ucontext_t& context) noexcept {
#if defined(__x86_64__)
    return static_cast<std::uint64_t>(context.uc_mcontext.gregs[REG_RSP]);
#elif defined(__aarch64__)
    return context.uc_mcontext.sp;
#else
#error "tell where this processor keeps its stack pointer"
#endif
}

}  // namespace dampi::piggyback
