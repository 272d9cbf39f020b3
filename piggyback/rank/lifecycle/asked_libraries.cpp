// Reads the dynamic sections of the loaded modules, as the dynamic linker has done.
#include "piggyback/rank/lifecycle/asked_libraries.hpp"

#include "piggyback/rank/file_names.hpp"

#include <string_view>

#include <elf.h>
#include <link.h>

namespace dampi::piggyback {
namespace {

constexpr std::string_view layers_own = "libdampi";

bool is_fortran_of_open_mpi(std::string_view library) {
    return library.starts_with("libmpi_mpifh.so") || library.starts_with("libmpi_usempi");
}

bool is_open_mpi(std::string_view library) {
    return library == "libmpi.so.40" || library.starts_with("libmpi_cxx.so.40") || is_fortran_of_open_mpi(library);
}

void note_needed(std::string_view library, const std::string& module, AskedLibraries& asked) {
    if (library.starts_with("libmpich.so")) {
        asked.mpich = asked.mpich.empty() ? module : asked.mpich;
    } else if (is_open_mpi(library)) {
        asked.open_mpi = asked.open_mpi.empty() ? module : asked.open_mpi;
        asked.fortran_of_open_mpi = asked.fortran_of_open_mpi || is_fortran_of_open_mpi(library);
    }
}

int look_at_module(dl_phdr_info* info, std::size_t /*size*/, void* result) {
    AskedLibraries& asked = *static_cast<AskedLibraries*>(result);
    const std::string module = *info->dlpi_name == '\0' ? "the program" : info->dlpi_name;
    const std::string_view name = file_name(module);
    if (name.starts_with(layers_own)) {
        asked.translation = asked.translation || name == "libdampi-openmpi.so";
        asked.translation_of_fortran = asked.translation_of_fortran || name == "libdampi-openmpi-fortran.so";
        return 0;
    }
    if (name.starts_with("linux-vdso") || is_open_mpi(name)) {
        return 0;
    }
    const ElfW(Dyn)* section = nullptr;
    for (int i = 0; i < info->dlpi_phnum; ++i) {
        if (info->dlpi_phdr[i].p_type == PT_DYNAMIC) {
            section = reinterpret_cast<const ElfW(Dyn)*>(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
        }
    }
    ElfW(Addr) strings = 0;
    for (const ElfW(Dyn)* entry = section; entry != nullptr && entry->d_tag != DT_NULL; ++entry) {
        strings = entry->d_tag == DT_STRTAB ? entry->d_un.d_ptr : strings;
    }
    if (strings == 0) {
        return 0;
    }
    if (strings < info->dlpi_addr) {  // the linker has left it as it is in the file
        strings += info->dlpi_addr;
    }
    for (const ElfW(Dyn)* entry = section; entry->d_tag != DT_NULL; ++entry) {
        if (entry->d_tag == DT_NEEDED) {
            note_needed(reinterpret_cast<const char*>(strings + entry->d_un.d_val), module, asked);
        }
    }
    return 0;
}

}  // namespace

AskedLibraries asked_libraries() {
    AskedLibraries asked;
    dl_iterate_phdr(look_at_module, &asked);
    return asked;
}

std::string doubt_about_library() {
    const AskedLibraries asked = asked_libraries();
    if (!asked.mpich.empty() && !asked.open_mpi.empty()) {
        return "two MPI libraries are in one process: " + asked.mpich + " was built with MPICH, and " + asked.open_mpi +
               " with Open MPI; build all of it with the compiler commands of one of them";
    }
    if (!asked.mpich.empty() && asked.translation) {
        return asked.mpich +
               " was built with MPICH, but dampi has set up Open MPI, with which the mpi4py was built that Python "
               "finds "
               "first: let PYTHONPATH begin with the folder of the mpi4py that the program imports";
    }
    if (!asked.open_mpi.empty() && !asked.translation) {
        return asked.open_mpi +
               " was built with Open MPI, and is loaded at run time, which dampi has not expected (it looks at the "
               "program that it is given, and at the mpi4py that Python finds first): build it with MPICH's own "
               "compiler "
               "commands (mpicc.mpich)";
    }
    return {};
}

}  // namespace dampi::piggyback
