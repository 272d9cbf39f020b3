// The functions of by_hand.cpp, each what its name, without "dampi_openmpi_", says; and what there is besides for
// programs in Fortran. Their procedures (piggyback/openmpi/fortran) call these and those of the generated
// functions.hpp, which is what a program in C calls, but that nobody notes anew where the call comes from.
#pragma once

#include "piggyback/openmpi/abi.hpp"
#include "piggyback/openmpi/callbacks.hpp"

#include <mpi.h>

/// Seen by the library of Fortran's procedures.
#define FOR_FORTRAN __attribute__((visibility("default")))

extern "C" {

/// The stack's word with the address that the last call of this thread returns to, in the program.
extern __attribute__((visibility("default"),
                      tls_model("initial-exec"))) thread_local const void* const* dampi_openmpi_return;

namespace dampi::piggyback::openmpi {

#define NUMBERS(name)                                               \
    FOR_FORTRAN MPI_Fint dampi_openmpi_##name##_c2f(Handle handle); \
    FOR_FORTRAN Handle dampi_openmpi_##name##_f2c(MPI_Fint number);
NUMBERS(comm)
NUMBERS(group)
NUMBERS(type)
NUMBERS(request)
NUMBERS(message)
NUMBERS(op)
NUMBERS(info)
NUMBERS(errhandler)
NUMBERS(win)
NUMBERS(file)
#undef NUMBERS

FOR_FORTRAN int dampi_openmpi_comm_create_keyval(UserCopy* copy, UserDelete* remove, int* keyval, void* state);
FOR_FORTRAN int dampi_openmpi_type_create_keyval(UserCopy* copy, UserDelete* remove, int* keyval, void* state);
FOR_FORTRAN int dampi_openmpi_win_create_keyval(UserCopy* copy, UserDelete* remove, int* keyval, void* state);
FOR_FORTRAN int dampi_openmpi_keyval_create(UserCopy* copy, UserDelete* remove, int* keyval, void* state);
FOR_FORTRAN int dampi_openmpi_op_create(UserOperator* function, int commutes, Handle* op);
FOR_FORTRAN int dampi_openmpi_comm_create_errhandler(UserErrorHandler* function, Handle* handler);
FOR_FORTRAN int dampi_openmpi_errhandler_create(UserErrorHandler* function, Handle* handler);
FOR_FORTRAN int dampi_openmpi_win_create_errhandler(UserErrorHandler* function, Handle* handler);
FOR_FORTRAN int dampi_openmpi_file_create_errhandler(UserErrorHandler* function, Handle* handler);
FOR_FORTRAN int dampi_openmpi_grequest_start(UserQuery* query, MPI_Grequest_free_function* free,
                                             MPI_Grequest_cancel_function* cancel, void* state, Handle* request);
FOR_FORTRAN int dampi_openmpi_register_datarep(const char* name, UserConversion* read, UserConversion* write,
                                               UserExtent* extent, void* state);
FOR_FORTRAN int dampi_openmpi_comm_get_attr(Handle comm, int keyval, void* value, int* flag);
FOR_FORTRAN int dampi_openmpi_attr_get(Handle comm, int keyval, void* value, int* flag);
FOR_FORTRAN int dampi_openmpi_win_get_attr(Handle win, int keyval, void* value, int* flag);
FOR_FORTRAN int dampi_openmpi_comm_get_name(Handle comm, char* name, int* length);
FOR_FORTRAN int dampi_openmpi_type_get_name(Handle type, char* name, int* length);
FOR_FORTRAN int dampi_openmpi_win_get_name(Handle win, char* name, int* length);
FOR_FORTRAN int dampi_openmpi_error_string(int code, char* string, int* length);
FOR_FORTRAN int dampi_openmpi_error_class(int code, int* error_class);
FOR_FORTRAN int dampi_openmpi_get_library_version(char* version, int* length);
FOR_FORTRAN int dampi_openmpi_get_version(int* version, int* subversion);
FOR_FORTRAN int dampi_openmpi_info_get_nthkey(Handle info, int n, char* key);
FOR_FORTRAN int dampi_openmpi_topo_test(Handle comm, int* status);
FOR_FORTRAN int dampi_openmpi_group_translate_ranks(Handle group1, int n, const int ranks1[], Handle group2,
                                                    int ranks2[]);
FOR_FORTRAN int dampi_openmpi_type_create_darray(int size, int rank, int ndims, const int gsizes[],
                                                 const int distribs[], const int dargs[], const int psizes[], int order,
                                                 Handle oldtype, Handle* newtype);
FOR_FORTRAN int dampi_openmpi_type_get_envelope(Handle type, int* integers, int* addresses, int* datatypes,
                                                int* combiner);
FOR_FORTRAN int dampi_openmpi_type_get_contents(Handle type, int max_integers, int max_addresses, int max_datatypes,
                                                int integers[], MPI_Aint addresses[], Handle datatypes[]);
FOR_FORTRAN int dampi_openmpi_status_c2f(const Status* status, MPI_Fint* numbers);
FOR_FORTRAN int dampi_openmpi_status_f2c(const MPI_Fint* numbers, Status* status);

/// How many datatypes MPI_Alltoallw and its kin are given.
FOR_FORTRAN int dampi_openmpi_count_of_peers(Handle comm);
FOR_FORTRAN int dampi_openmpi_count_of_neighbours(Handle comm, int is_outgoing);

}  // namespace dampi::piggyback::openmpi
}  // extern "C"
