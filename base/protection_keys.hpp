// Whether the processor and the system offer protection keys of pages (pkeys(7)).
#pragma once

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace dampi::base {

[[nodiscard]] inline bool has_protection_keys() noexcept {
#if defined(__x86_64__)
    unsigned a = 0;
    unsigned b = 0;
    unsigned c = 0;
    unsigned d = 0;
    constexpr unsigned system_has_keys = 1U << 4;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (c & system_has_keys) != 0;
#else
    return false;
#endif
}

}  // namespace dampi::base
