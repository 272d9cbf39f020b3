#include "piggyback/rank/memory/registers.hpp"

#include <unwind.h>

namespace dampi::piggyback {

#if defined(__x86_64__)

namespace {

constexpr std::uint16_t x87_exception_flags = 0x3F;
constexpr std::uint32_t settable_flags = (1U << 18) | (1U << 21);  // AC, ID

_Unwind_Reason_Code visit(_Unwind_Context* context, void* argument) {
    auto& registers = *static_cast<Registers*>(argument);
    if (_Unwind_GetIP(context) != registers.rip) {
        return _URC_NO_REASON;
    }
    registers.rbx = _Unwind_GetGR(context, 3);
    registers.rbp = _Unwind_GetGR(context, 6);
    registers.r12 = _Unwind_GetGR(context, 12);
    registers.r13 = _Unwind_GetGR(context, 13);
    registers.r14 = _Unwind_GetGR(context, 14);
    registers.r15 = _Unwind_GetGR(context, 15);
    registers.rsp = _Unwind_GetCFA(context);
    registers.found = true;
    return _URC_END_OF_STACK;
}

}  // namespace

Registers registers_of(const void* return_address) noexcept {
    Registers registers;
    registers.rip = reinterpret_cast<std::uintptr_t>(return_address);
    asm volatile("stmxcsr %0" : "=m"(registers.mxcsr));
    asm volatile("fnstcw %0" : "=m"(registers.x87));
    asm volatile("fnstsw %0" : "=m"(registers.x87_exceptions));
    registers.x87_exceptions &= x87_exception_flags;
    registers.flags = static_cast<std::uint32_t>(__builtin_ia32_readeflags_u64()) & settable_flags;
    _Unwind_Backtrace(visit, &registers);
    return registers;
}

#else

// Which registers a function leaves as they were is not written down here, so no two states are ever taken for equal.
Registers registers_of(const void* /*return_address*/) noexcept { return {}; }

#endif

}  // namespace dampi::piggyback
