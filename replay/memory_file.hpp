// What two kinds of shared memory (replay/area, replay/central) have in common: an anonymous memory file, mapped whole,
// of which only the pages that were touched exist.
#pragma once

#include <cstdint>
#include <cstring>

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace dampi::replay {

/// Copies what was ever written of the memory file `descriptor`, mapped at `from`, to `to`, where all is zero. `size`
/// bytes are mapped at both.
inline void copy_touched_pages(int descriptor, const std::uint8_t* from, std::uint8_t* to, std::uint64_t size) {
    const auto end = static_cast<off_t>(size);
    for (off_t begin = 0; begin < end && (begin = lseek(descriptor, begin, SEEK_DATA)) >= 0;) {
        off_t hole = lseek(descriptor, begin, SEEK_HOLE);
        hole = hole < begin || hole > end ? end : hole;
        std::memcpy(to + begin, from + begin, static_cast<std::size_t>(hole - begin));
        begin = hole;
    }
}

/// How many bytes of memory a memory file takes.
inline std::uint64_t memory_of(int descriptor) {
    struct stat facts {};
    return fstat(descriptor, &facts) == 0 ? static_cast<std::uint64_t>(facts.st_blocks) * 512 : 0;
}

/// The addresses stay taken, but there is nothing behind them any more. False: the system refuses that.
inline bool keep_addresses_only(void* memory, std::uint64_t size) {
    return mmap(memory, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) != MAP_FAILED;
}

/// The memory file is mapped at these addresses, which were kept or are given up. False: the system refuses that.
inline bool map_there(void* memory, std::uint64_t size, int descriptor) {
    return mmap(memory, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE | MAP_FIXED, descriptor, 0) !=
           MAP_FAILED;
}

}  // namespace dampi::replay
