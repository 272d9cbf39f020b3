// The symbols of an ELF file, as libelf reads them.
#pragma once

#include <memory>
#include <string_view>

#include <gelf.h>
#include <libelf.h>

namespace dampi::launch {

struct ElfCloser {
    void operator()(Elf* elf) const { elf_end(elf); }
};
using ElfHandle = std::unique_ptr<Elf, ElfCloser>;

/// Null where that is no such file. Throws dampi::Error where libelf does not work.
ElfHandle open_elf(int fd);

/// Whether some symbol of the tables of this type satisfies the test; called as test(name, symbol).
template <typename Test>
bool any_entry(Elf* elf, GElf_Word table_type, Test test) {
    Elf_Scn* section = nullptr;
    while ((section = elf_nextscn(elf, section)) != nullptr) {
        GElf_Shdr header;
        if (gelf_getshdr(section, &header) == nullptr || header.sh_type != table_type || header.sh_entsize == 0) {
            continue;
        }
        Elf_Data* data = elf_getdata(section, nullptr);
        if (data == nullptr) {
            continue;
        }
        const auto count = static_cast<int>(header.sh_size / header.sh_entsize);
        for (int i = 1; i < count; ++i) {
            GElf_Sym symbol;
            if (gelf_getsym(data, i, &symbol) == nullptr) {
                break;
            }
            const char* name = elf_strptr(elf, header.sh_link, symbol.st_name);
            if (name != nullptr && test(std::string_view(name), symbol)) {
                return true;
            }
        }
    }
    return false;
}

/// Likewise, called as test(name, defined).
template <typename Test>
bool any_symbol(Elf* elf, GElf_Word table_type, Test test) {
    return any_entry(elf, table_type, [&](std::string_view name, const GElf_Sym& symbol) {
        return test(name, symbol.st_shndx != SHN_UNDEF);
    });
}

}  // namespace dampi::launch
