#include "piggyback/openmpi/objects.hpp"

#include <cstdio>

#include <unistd.h>

#define VISIBLE __attribute__((visibility("default")))

extern "C" {
#define OBJECT(type, symbol, size, fortran, mpich) \
    VISIBLE char symbol[size] = {};  // NOLINT(bugprone-macro-parentheses)
#include "piggyback/openmpi/predefined.def"
#undef OBJECT
VISIBLE char ompi_mpi_file_null[1536] = {};

// What the library of the C++ bindings (libmpi_cxx.so.40) wants to be there when it is loaded. Where it calls the
// functions, because the program makes operators, attributes or error handlers by classes, it ends.
VISIBLE int ompi_errcode_intern_lastused = 0;
VISIBLE char ompi_errcodes_intern[0x78] = {};
VISIBLE char ompi_registered_datareps[0x40] = {};
#define NOT_TRANSLATED(function)                                                 \
    VISIBLE void function() {                                                    \
        std::fputs("dampi: the program uses Open MPI's C++ bindings (" #function \
                   ") in a way that is not "                                     \
                   "known; build it with MPICH\n",                               \
                   stderr);                                                      \
        _exit(125);                                                              \
    }
NOT_TRANSLATED(ompi_attr_create_keyval)
NOT_TRANSLATED(ompi_errhandler_create)
NOT_TRANSLATED(ompi_errhandler_invoke)
NOT_TRANSLATED(ompi_op_set_cxx_callback)
}
