#include "piggyback/rank/library_values.hpp"

#include <cstdio>

#include <dlfcn.h>
#include <unistd.h>

namespace dampi::piggyback {

namespace library_values_detail {
PatchedLibrary library;
}  // namespace library_values_detail

namespace {

constexpr int no_mpi_status = 125;

/// Null where the MPI library has none of that name.
template <typename Function>
Function found(const char* name) {
    void* function = dlsym(RTLD_DEFAULT, name);
    if (function == nullptr) {  // the program loaded the library for itself alone
        if (void* loaded = dlopen("libmpich.so.12", RTLD_LAZY | RTLD_NOLOAD)) {
            function = dlsym(loaded, name);
            dlclose(loaded);
        }
    }
    return reinterpret_cast<Function>(function);
}

}  // namespace

void find_library_values(replay::Piggyback piggyback) {
    const auto interface = found<decltype(&dampi_mpich_interface)>("dampi_mpich_interface");
    const bool fits = interface != nullptr && interface() == DAMPI_MPICH_INTERFACE;
    if (!fits && piggyback == replay::Piggyback::native) {
        std::fprintf(stderr, "dampi: the program's MPI library %s\n",
                     interface == nullptr
                         ? "carries no values: run it with --piggyback shared, or with a patched library"
                         : "was patched for another version of dampi: build it anew with build-mpich");
        _exit(no_mpi_status);
    }
    if (!fits) {
        return;
    }
    PatchedLibrary& library = library_values_detail::library;
    if (piggyback == replay::Piggyback::native) {
        library.value = found<decltype(library.value)>("dampi_mpich_value");
        library.bind = found<decltype(library.bind)>("dampi_mpich_bind");
        library.probed = found<decltype(library.probed)>("dampi_mpich_probed");
    }
    library.wait = found<decltype(library.wait)>("dampi_mpich_wait");
    library.events = found<decltype(library.events)>("dampi_mpich_events");
    library.idle_hook = found<decltype(library.idle_hook)>("dampi_mpich_idle_hook");
}

}  // namespace dampi::piggyback
