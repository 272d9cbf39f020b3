#include "piggyback/rank/arguments/weights.hpp"

#include <mpi.h>
#include <dlfcn.h>

// A library that cannot find them at its start is not loaded otherwise.
#pragma weak MPI_UNWEIGHTED
#pragma weak MPI_WEIGHTS_EMPTY

namespace dampi::piggyback {
namespace {

/// `linked` is null where the library has come later, and the dynamic linker shows it to nobody else.
const int* value_of(int* const* linked, const char* name) {
    if (linked == nullptr) {
        void* library = dlopen("libmpich.so.12", RTLD_LAZY | RTLD_NOLOAD);
        linked = library == nullptr ? nullptr : static_cast<int* const*>(dlsym(library, name));
    }
    return linked == nullptr ? nullptr : *linked;
}

}  // namespace

const int* unweighted() {
    static const int* const value = value_of(&MPI_UNWEIGHTED, "MPI_UNWEIGHTED");
    return value;
}

const int* weights_empty() {
    static const int* const value = value_of(&MPI_WEIGHTS_EMPTY, "MPI_WEIGHTS_EMPTY");
    return value;
}

}  // namespace dampi::piggyback
