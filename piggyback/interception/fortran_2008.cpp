#include "piggyback/interception/fortran_2008.hpp"

#include "clocks/check.hpp"

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <dlfcn.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

namespace dampi::piggyback {
namespace {

using Address = ElfW(Addr);

// The relocations of the two kinds of slots that hold the address of a function to be called.
#if defined(__x86_64__)
constexpr std::uint32_t call_slot = R_X86_64_JUMP_SLOT;
constexpr std::uint32_t address_slot = R_X86_64_GLOB_DAT;
#elif defined(__aarch64__)
constexpr std::uint32_t call_slot = R_AARCH64_JUMP_SLOT;
constexpr std::uint32_t address_slot = R_AARCH64_GLOB_DAT;
#else
#error "The relocations of this processor are missing; without them programs that use mpi_f08 are not seen"
#endif

struct Library {
    Address base = 0;
    std::span<const ElfW(Phdr)> segments;
};

bool is_fortran_bindings(std::string_view path) {
    const auto name = path.substr(path.rfind('/') + 1);  // the whole path where there is no slash
    return name.starts_with("libmpichfort.so") || name.starts_with("libmpifort.so");
}

int collect(dl_phdr_info* info, std::size_t /*size*/, void* result) {
    if (is_fortran_bindings(info->dlpi_name)) {
        static_cast<std::vector<Library>*>(result)->push_back({info->dlpi_addr, {info->dlpi_phdr, info->dlpi_phnum}});
    }
    return 0;
}

/// The wrappers by the names of their functions: the layer's own symbols, whatever else defines such names.
class Wrappers {
public:
    Wrappers() {
        Dl_info self;
        if (dladdr(reinterpret_cast<const void*>(&redirect_fortran_bindings), &self) != 0) {
            layer_.reset(dlopen(self.dli_fname, RTLD_LAZY | RTLD_NOLOAD));
        }
        if (!layer_) {
            throw Error("the dynamic linker does not know the layer, which mpi_f08 programs need");
        }
    }

    /// Null for a function without a wrapper.
    [[nodiscard]] Address find(const char* function) const {
        return reinterpret_cast<Address>(dlsym(layer_.get(), function));
    }

private:
    struct Close {
        void operator()(void* handle) const { dlclose(handle); }
    };
    std::unique_ptr<void, Close> layer_;
};

struct Redirection {
    Address* slot;
    Address wrapper;
};

/// What the library's dynamic section says about its imports.
class Imports {
public:
    explicit Imports(const Library& library) : base_(library.base) {
        for (const auto& segment : library.segments) {
            if (segment.p_type == PT_DYNAMIC) {
                read(reinterpret_cast<const ElfW(Dyn)*>(base_ + segment.p_vaddr));
            }
        }
    }

    [[nodiscard]] std::vector<Redirection> redirections(const Wrappers& wrappers) const {
        std::vector<Redirection> result;
        if (symbols_ == nullptr || names_ == nullptr) {
            return result;
        }
        for (const auto& relocations : {procedures_, others_}) {
            for (const auto& relocation : relocations) {
                const auto type = static_cast<std::uint32_t>(relocation.r_info);
                const auto& symbol = symbols_[relocation.r_info >> 32];
                const char* name = names_ + symbol.st_name;
                if ((type != call_slot && type != address_slot) || std::strncmp(name, "PMPI_", 5) != 0) {
                    continue;
                }
                auto* slot = reinterpret_cast<Address*>(base_ + relocation.r_offset);
                const Address wrapper = wrappers.find(name + 1);
                if (wrapper != 0 && *slot != wrapper) {
                    result.push_back({slot, wrapper});
                }
            }
        }
        return result;
    }

private:
    using Relocations = std::span<const ElfW(Rela)>;
    static_assert(sizeof(Address) == 8, "r_info is taken apart as in 64-bit ELF");

    void read(const ElfW(Dyn) * entry) {
        Address procedures = 0;
        Address others = 0;
        std::size_t size_of_procedures = 0;
        std::size_t size_of_others = 0;
        for (; entry->d_tag != DT_NULL; ++entry) {
            switch (entry->d_tag) {
                case DT_SYMTAB:
                    symbols_ = reinterpret_cast<const ElfW(Sym)*>(absolute(entry->d_un.d_ptr));
                    break;
                case DT_STRTAB:
                    names_ = reinterpret_cast<const char*>(absolute(entry->d_un.d_ptr));
                    break;
                case DT_JMPREL:
                    procedures = absolute(entry->d_un.d_ptr);
                    break;
                case DT_PLTRELSZ:
                    size_of_procedures = entry->d_un.d_val;
                    break;
                case DT_RELA:
                    others = absolute(entry->d_un.d_ptr);
                    break;
                case DT_RELASZ:
                    size_of_others = entry->d_un.d_val;
                    break;
                default:
                    break;
            }
        }
        procedures_ = relocations(procedures, size_of_procedures);
        others_ = relocations(others, size_of_others);
    }

    /// glibc has made the addresses absolute, other dynamic linkers have not.
    [[nodiscard]] Address absolute(Address address) const { return address < base_ ? base_ + address : address; }

    static Relocations relocations(Address begin, std::size_t bytes) {
        if (begin == 0) {
            return {};
        }
        return {reinterpret_cast<const ElfW(Rela)*>(begin), bytes / sizeof(ElfW(Rela))};
    }

    Address base_;
    const ElfW(Sym) * symbols_ = nullptr;
    const char* names_ = nullptr;
    Relocations procedures_;
    Relocations others_;
};

/// The pages that the dynamic linker made read-only after it filled them; writable while this exists.
class ReadOnlyPages {
public:
    explicit ReadOnlyPages(const Library& library) {
        const auto page = static_cast<Address>(sysconf(_SC_PAGESIZE));
        for (const auto& segment : library.segments) {
            if (segment.p_type == PT_GNU_RELRO) {
                begin_ = (library.base + segment.p_vaddr) / page * page;
                end_ = (library.base + segment.p_vaddr + segment.p_memsz) / page * page;
            }
        }
    }
    ~ReadOnlyPages() {
        if (open_) {
            protect(PROT_READ);
        }
    }
    ReadOnlyPages(const ReadOnlyPages&) = delete;
    ReadOnlyPages& operator=(const ReadOnlyPages&) = delete;

    void make_writable(const Address* slot) {
        const auto address = reinterpret_cast<Address>(slot);
        if (open_ || address < begin_ || address >= end_) {
            return;
        }
        if (!protect(PROT_READ | PROT_WRITE)) {
            throw Error(std::string("cannot direct the Fortran bindings' calls to the layer: ") + std::strerror(errno));
        }
        open_ = true;
    }

private:
    bool protect(int protection) const {
        return mprotect(reinterpret_cast<void*>(begin_), end_ - begin_, protection) == 0;
    }

    Address begin_ = 0;
    Address end_ = 0;
    bool open_ = false;
};

}  // namespace

void redirect_fortran_bindings() {
    std::vector<Library> libraries;
    dl_iterate_phdr(collect, &libraries);
    if (libraries.empty()) {
        return;
    }
    const Wrappers wrappers;
    for (const auto& library : libraries) {
        ReadOnlyPages read_only(library);
        for (const auto& [slot, wrapper] : Imports(library).redirections(wrappers)) {
            read_only.make_writable(slot);
            // One aligned store: whoever calls meanwhile goes the old way or the new one.
            __atomic_store_n(slot, wrapper, __ATOMIC_RELEASE);
        }
    }
}

}  // namespace dampi::piggyback
