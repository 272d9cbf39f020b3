// Fortran procedures that MPI calls: what the C functions are given instead, so that the program's gets its arguments
// as Fortran passes them.
#pragma once

#include "piggyback/openmpi/callbacks.hpp"

namespace dampi::piggyback::openmpi::fortran {

using Operator = void(void* in, void* inout, int* length, int* type);
using ErrorHandler = void(int* object, int* code, ...);
/// With values of INTEGER (MPI-1) and of INTEGER(MPI_ADDRESS_KIND).
template <typename Value>
using Copy = void(int* object, int* keyval, Value* state, Value* in, Value* out, int* flag, int* error);
template <typename Value>
using Delete = void(int* object, int* keyval, Value* value, Value* state, int* error);
using Query = void(MPI_Aint* state, int* status, int* error);
using Free = void(MPI_Aint* state, int* error);
using Cancel = void(MPI_Aint* state, int* is_complete, int* error);
using Conversion = void(void* buffer, int* type, int* count, void* file_buffer, MPI_Offset* position, MPI_Aint* state,
                        int* error);
using Extent = void(int* type, MPI_Aint* extent, MPI_Aint* state, int* error);

[[nodiscard]] UserOperator* function_for(Operator* function);

[[nodiscard]] UserErrorHandler* communicators_function_for(ErrorHandler* function);
[[nodiscard]] UserErrorHandler* windows_function_for(ErrorHandler* function);
[[nodiscard]] UserErrorHandler* files_function_for(ErrorHandler* function);

enum class Object { communicator, datatype, window };

/// What C's functions that make keyvals are given.
struct KeyvalFunctions {
    UserCopy* copy;
    UserDelete* remove;
    void* state;
};
template <typename Value>
[[nodiscard]] KeyvalFunctions functions_for(Object object, Copy<Value>* copy, Delete<Value>* remove, Value state);

struct GrequestFunctions {
    UserQuery* query;
    MPI_Grequest_free_function* free;
    MPI_Grequest_cancel_function* cancel;
    void* state;
};
[[nodiscard]] GrequestFunctions functions_for(Query* query, Free* free, Cancel* cancel, MPI_Aint state);

struct DatarepFunctions {
    UserConversion* read;
    UserConversion* write;
    UserExtent* extent;
    void* state;
};
[[nodiscard]] DatarepFunctions functions_for(Conversion* read, Conversion* write, Extent* extent, MPI_Aint state);

}  // namespace dampi::piggyback::openmpi::fortran
