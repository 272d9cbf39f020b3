#include "launch/program/elf_symbols.hpp"

#include "base/check.hpp"

namespace dampi::launch {

ElfHandle open_elf(int fd) {
    if (elf_version(EV_CURRENT) == EV_NONE) {
        throw Error("this libelf is too old");
    }
    return ElfHandle(elf_begin(fd, ELF_C_READ_MMAP, nullptr));
}

}  // namespace dampi::launch
