#include "piggyback/rank/sanitizers/main_program.hpp"

#include "piggyback/rank/sanitizers/find_runtime.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>

#include <unwind.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace dampi::piggyback::sanitizers {
namespace {

constexpr const char* fortrans_main = "MAIN__";
#if defined(__x86_64__)
constexpr std::array kept_registers{3, 6, 12, 13, 14, 15};  // those that a function called leaves as they are
#elif defined(__aarch64__)
constexpr std::array kept_registers{19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29};
#else
constexpr std::array<int, 0> kept_registers{};
#endif

bool looks_for_leaks = false;

/// What stands here LeakSanitizer sees, as all variables of libraries. Of a larger frame that is its beginning.
std::array<std::uintptr_t, 16384> seen{};
std::size_t seen_count = 0;

struct Range {
    std::uintptr_t low = 0;
    std::uintptr_t high = 0;
};

/// The executable's file in memory.
class Executable {
public:
    Executable() noexcept {
        const int file = ::open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
        struct stat facts {};
        if (file >= 0 && ::fstat(file, &facts) == 0) {
            size_ = static_cast<std::size_t>(facts.st_size);
            bytes_ = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file, 0);
        }
        if (file >= 0) {
            ::close(file);
        }
    }
    ~Executable() {
        if (bytes_ != MAP_FAILED) {
            ::munmap(bytes_, size_);
        }
    }
    Executable(const Executable&) = delete;
    Executable& operator=(const Executable&) = delete;

    /// So many of T from there on; null where the file has them not.
    template <typename T>
    [[nodiscard]] const T* at(std::uint64_t offset, std::uint64_t count) const noexcept {
        const bool there = bytes_ != MAP_FAILED && offset <= size_ && count <= (size_ - offset) / sizeof(T) &&
                           offset % alignof(T) == 0;
        return there ? reinterpret_cast<const T*>(static_cast<const char*>(bytes_) + offset) : nullptr;
    }

private:
    void* bytes_ = MAP_FAILED;
    std::size_t size_ = 0;
};

/// Where the file says that the function of this name is.
std::optional<Range> function_in(const Executable& executable, const char* name) noexcept {
    const auto* const header = executable.at<Elf64_Ehdr>(0, 1);
    if (header == nullptr || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) {
        return std::nullopt;
    }
    const auto* const sections = executable.at<Elf64_Shdr>(header->e_shoff, header->e_shnum);
    for (std::size_t i = 0; sections != nullptr && i < header->e_shnum; ++i) {
        const Elf64_Shdr& table = sections[i];
        if (table.sh_type != SHT_SYMTAB || table.sh_link >= header->e_shnum) {
            continue;
        }
        const std::uint64_t count = table.sh_size / sizeof(Elf64_Sym);
        const std::uint64_t room = sections[table.sh_link].sh_size;
        const auto* const symbols = executable.at<Elf64_Sym>(table.sh_offset, count);
        const auto* const names = executable.at<char>(sections[table.sh_link].sh_offset, room);
        const std::size_t length = std::strlen(name) + 1;
        for (std::uint64_t at = 0; symbols != nullptr && names != nullptr && at < count; ++at) {
            const Elf64_Sym& symbol = symbols[at];
            if (ELF64_ST_TYPE(symbol.st_info) == STT_FUNC && symbol.st_size != 0 && symbol.st_name < room &&
                length <= room - symbol.st_name && std::memcmp(names + symbol.st_name, name, length) == 0) {
                return Range{.low = symbol.st_value, .high = symbol.st_value + symbol.st_size};
            }
        }
    }
    return std::nullopt;
}

int take_first(dl_phdr_info* info, std::size_t /*size*/, void* result) {
    *static_cast<std::uintptr_t*>(result) = info->dlpi_addr;  // the executable comes first
    return 1;
}

std::optional<Range> main_program() noexcept {
    const Executable executable;
    std::optional<Range> code = function_in(executable, fortrans_main);
    if (code) {
        std::uintptr_t moved = 0;
        dl_iterate_phdr(take_first, &moved);
        code->low += moved;
        code->high += moved;
    }
    return code;
}

struct Way {
    Range code;
    std::uintptr_t frame = 0;  ///< where that of the main program begins; 0: it has not been reached
};

_Unwind_Reason_Code visit(_Unwind_Context* context, void* argument) {
    Way& way = *static_cast<Way*>(argument);
    const std::uintptr_t stack = _Unwind_GetCFA(context);
    if (way.frame != 0) {  // this one is the main program's caller
        const std::size_t words = (stack - way.frame) / sizeof(std::uintptr_t);
        // Word by word: what copies memory is the sanitizer's own, which looks whether the program may.
        const auto* const begin = reinterpret_cast<const volatile std::uintptr_t*>(way.frame);
        for (std::size_t i = 0; i < words && seen_count < seen.size(); ++i) {
            seen[seen_count++] = begin[i];
        }
        return _URC_NORMAL_STOP;
    }
    const std::uintptr_t address = _Unwind_GetIP(context);
    if (address > way.code.low && address <= way.code.high) {
        way.frame = stack;
        for (const int each : kept_registers) {
            seen[seen_count++] = _Unwind_GetGR(context, each);
        }
    }
    return address == 0 ? _URC_END_OF_STACK : _URC_NO_REASON;
}

}  // namespace

void find_leak_runtime() {
    void (*check)() = nullptr;
    looks_for_leaks = find(check, "__lsan_do_leak_check");
}

void keep_main_programs_memory() noexcept {
    if (!looks_for_leaks) {
        return;
    }
    seen.fill(0);
    seen_count = 0;
    if (const auto code = main_program()) {
        Way way{.code = *code};
        _Unwind_Backtrace(visit, &way);
    }
}

}  // namespace dampi::piggyback::sanitizers
