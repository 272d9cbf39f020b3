/* Handles, statuses and attributes go from C to Fortran (mixed.f90) and back. */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

void fortran_side_(MPI_Fint* comm, int* number, int* key, int* key_of_fortran, MPI_Fint* type, MPI_Fint* status);

int main(void) {
    int key, key_of_fortran, number = 7, got, found, size;
    MPI_Comm comm, copy;
    MPI_Aint* value;
    MPI_Status status;
    MPI_Fint status_of_fortran[sizeof(MPI_Status) / sizeof(MPI_Fint)], comm_of_fortran, type_of_fortran;
    MPI_Datatype type;
    MPI_Init(NULL, NULL);
    MPI_Comm_dup(MPI_COMM_SELF, &comm);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key, NULL);
    MPI_Comm_set_attr(comm, key, &number);
    MPI_Sendrecv(&number, 1, MPI_INT, 0, 9, &got, 1, MPI_INT, 0, 9, comm, &status);
    MPI_Status_c2f(&status, status_of_fortran);
    comm_of_fortran = MPI_Comm_c2f(comm);
    fortran_side_(&comm_of_fortran, &number, &key, &key_of_fortran, &type_of_fortran, status_of_fortran);
    MPI_Comm_get_attr(comm, key_of_fortran, &value, &found);
    assert(found && *value == 123456789012);
    MPI_Comm_dup(comm, &copy);
    MPI_Comm_get_attr(copy, key_of_fortran, &value, &found);
    assert(found && *value == 123456789012);
    type = MPI_Type_f2c(type_of_fortran);
    MPI_Type_size(type, &size);
    assert(size == 24);
    MPI_Type_free(&type);
    assert(MPI_Comm_f2c(MPI_Comm_c2f(MPI_COMM_NULL)) == MPI_COMM_NULL);
    assert(MPI_Type_f2c(MPI_Type_c2f(MPI_INT)) == MPI_INT);
    assert(MPI_F_STATUS_IGNORE != NULL);
    MPI_Comm_free(&comm);
    MPI_Comm_free(&copy);
    MPI_Comm_free_keyval(&key);
    MPI_Comm_free_keyval(&key_of_fortran);
    MPI_Finalize();
    return 0;
}
