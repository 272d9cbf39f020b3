#include "piggyback/rank/touches/code_at.hpp"

#include "piggyback/rank/file_names.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

#include <unwind.h>
#include <dlfcn.h>
#include <link.h>

namespace dampi::piggyback::touches {
namespace {

struct Range {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
};
std::array<Range, 4> system_code{};
std::size_t system_count = 0;
const void* copying = nullptr;
constexpr std::array allocators{"free",     "malloc",        "calloc",         "realloc",
                                "memalign", "aligned_alloc", "posix_memalign", "reallocarray"};
std::array<const void*, allocators.size()> allocating{};

int visit_module(dl_phdr_info* module, std::size_t /*size*/, void* /*unused*/) {
    const std::string_view name = file_name(module->dlpi_name);
    if (!name.starts_with("libc.so.") && !name.starts_with("ld-linux")) {
        return 0;
    }
    for (int i = 0; i < module->dlpi_phnum; ++i) {
        const ElfW(Phdr)& part = module->dlpi_phdr[i];
        if (part.p_type == PT_LOAD && (part.p_flags & PF_X) != 0 && system_count < system_code.size()) {
            const std::uint64_t begin = module->dlpi_addr + part.p_vaddr;
            system_code[system_count++] = {.begin = begin, .end = begin + part.p_memsz};
        }
    }
    return 0;
}

/// Where the function with this instruction begins.
const void* function_of(std::uint64_t address) noexcept {
    return _Unwind_FindEnclosingFunction(reinterpret_cast<void*>(address + 1));  // which asks for a return address
}

struct Walk {
    std::uint64_t interrupted;
    bool reached = false;
    std::uint64_t place = 0;
};

_Unwind_Reason_Code visit_frame(_Unwind_Context* context, void* argument) {
    Walk& walk = *static_cast<Walk*>(argument);
    const std::uint64_t address = _Unwind_GetIP(context);
    if (!walk.reached) {
        walk.reached = address == walk.interrupted;  // the handler's own frames come first
        return _URC_NO_REASON;
    }
    if (address == 0 || !is_system_code(address - 1)) {
        walk.place = address == 0 ? 0 : address - 1;
        return _URC_NORMAL_STOP;
    }
    return _URC_NO_REASON;
}

struct WholeWalk {
    std::uint64_t interrupted;
    bool reached = false;
    StackBelow stack{};
};

_Unwind_Reason_Code visit_all(_Unwind_Context* context, void* argument) {
    WholeWalk& walk = *static_cast<WholeWalk*>(argument);
    const std::uint64_t address = _Unwind_GetIP(context);
    const bool is_first = !walk.reached && address == walk.interrupted;
    walk.reached = walk.reached || is_first;
    if (!walk.reached) {
        return _URC_NO_REASON;
    }
    if (address == 0) {
        return _URC_END_OF_STACK;
    }
    const std::uint64_t place = is_first ? address : address - 1;
    if (walk.stack.count == 0 && is_system_code(place)) {
        // The outermost of them is what the program has called.
        const void* const function = function_of(place);
        walk.stack.allocates =
            function != nullptr && std::find(allocating.begin(), allocating.end(), function) != allocating.end();
        return _URC_NO_REASON;
    }
    walk.stack.frames[walk.stack.count++] = place;
    return walk.stack.count == StackBelow::most_frames ? _URC_NORMAL_STOP : _URC_NO_REASON;
}

_Unwind_Reason_Code stop_at_once(_Unwind_Context* /*context*/, void* /*argument*/) { return _URC_NORMAL_STOP; }

}  // namespace

void find_system_code() noexcept {
    if (system_count == 0) {
        dl_iterate_phdr(visit_module, nullptr);
        if (void* const libc = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD)) {
            if (void* const function = dlsym(libc, "memmove")) {
                copying = function_of(reinterpret_cast<std::uint64_t>(function));
            }
            for (std::size_t i = 0; i < allocators.size(); ++i) {
                if (void* const function = dlsym(libc, allocators[i])) {
                    allocating[i] = function_of(reinterpret_cast<std::uint64_t>(function));
                }
            }
        }
        _Unwind_Backtrace(stop_at_once, nullptr);  // its first use may allocate
    }
}

bool is_system_code(std::uint64_t address) noexcept {
    for (std::size_t i = 0; i < system_count; ++i) {
        if (address - system_code[i].begin < system_code[i].end - system_code[i].begin) {
            return true;
        }
    }
    return false;
}

bool copies_exactly(std::uint64_t address) noexcept { return copying != nullptr && function_of(address) == copying; }

std::uint64_t place_of(std::uint64_t interrupted) noexcept {
    if (!is_system_code(interrupted)) {
        return interrupted;
    }
    Walk walk{.interrupted = interrupted};
    _Unwind_Backtrace(visit_frame, &walk);
    return walk.place == 0 ? interrupted : walk.place;
}

StackBelow stack_below(std::uint64_t interrupted) noexcept {
    WholeWalk walk{.interrupted = interrupted};
    _Unwind_Backtrace(visit_all, &walk);
    return walk.stack;
}

}  // namespace dampi::piggyback::touches
