// The objects behind Open MPI's predefined handles: symbols of this library under the names and with the sizes that
// programs expect of Open MPI's. What is in them is of no meaning; their addresses are.
#pragma once

#include <cstddef>

extern "C" {
#define OBJECT(type, symbol, size, fortran, mpich) extern char symbol[size];  // NOLINT(bugprone-macro-parentheses)
#include "piggyback/openmpi/predefined.def"
#undef OBJECT
extern char ompi_mpi_file_null[1536];
}
