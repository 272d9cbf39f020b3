// The program's functions that MPICH calls: what MPICH is given instead, so that the program's gets its own handles and
// values. Where MPI hands a state of the program's on, that tells which function is meant; else (operators, error
// handlers) there is a function of ours for each of the program's, out of a store; too many of them end the program
// with a sentence.
#pragma once

#include "piggyback/openmpi/abi.hpp"

#include <mpi.h>

namespace dampi::piggyback::openmpi {

using UserOperator = void(void* in, void* inout, int* length, Handle* type);
using UserErrorHandler = void(Handle* object, int* code, ...);
using UserCopy = int(Handle object, int keyval, void* state, void* in, void* out, int* flag);
using UserDelete = int(Handle object, int keyval, void* value, void* state);
using UserQuery = int(void* state, Status* status);
using UserConversion = int(void* buffer, Handle type, int count, void* file_buffer, MPI_Offset position, void* state);
using UserExtent = int(Handle type, MPI_Aint* extent, void* state);

[[nodiscard]] MPI_User_function* function_for(UserOperator* function);
/// Of communicators and windows.
[[nodiscard]] MPI_Comm_errhandler_function* function_for(UserErrorHandler* function);
[[nodiscard]] MPI_File_errhandler_function* file_function_for(UserErrorHandler* function);

/// What MPI_Comm_create_keyval and its kin are given; `copy` and `remove` may be one of the predefined.
struct AttributeFunctions {
    MPI_Comm_copy_attr_function* copy;
    MPI_Comm_delete_attr_function* remove;
    void* state;
};
[[nodiscard]] AttributeFunctions functions_for(UserCopy* copy, UserDelete* remove, void* state);

struct RequestFunctions {
    MPI_Grequest_query_function* query;
    MPI_Grequest_free_function* free;
    MPI_Grequest_cancel_function* cancel;
    void* state;
};
[[nodiscard]] RequestFunctions functions_for(UserQuery* query, MPI_Grequest_free_function* free,
                                             MPI_Grequest_cancel_function* cancel, void* state);

struct RepresentationFunctions {
    MPI_Datarep_conversion_function* read;
    MPI_Datarep_conversion_function* write;
    MPI_Datarep_extent_function* extent;
    void* state;
};
[[nodiscard]] RepresentationFunctions functions_for(UserConversion* read, UserConversion* write, UserExtent* extent,
                                                    void* state);

}  // namespace dampi::piggyback::openmpi
