/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   interleavings: 1
 *   outcomes: {}
 * What MPI 4.1 has made functions of, or has added, and what has no meaning for matching: it does the same as without
 * dampi, with handles of every kind.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, got = -1, value = -1;
    MPI_Request request;
    MPI_Status status;
    MPI_Comm comm;
    MPI_Datatype pair = MPI_DATATYPE_NULL;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    assert(MPI_Comm_f2c(MPI_Comm_c2f(comm)) == comm);
    assert(MPI_Type_f2c(MPI_Type_c2f(MPI_INT)) == MPI_INT && MPI_Op_f2c(MPI_Op_c2f(MPI_SUM)) == MPI_SUM);
    MPI_Irecv(&got, 1, MPI_INT, 1 - rank, 3, comm, &request);
    assert(MPI_Request_f2c(MPI_Request_c2f(request)) == request);
    MPI_Send(&rank, 1, MPI_INT, 1 - rank, 3, comm);
    MPI_Wait(&request, &status);
    assert(got == 1 - rank);
    MPI_Status_get_source(&status, &value);
    assert(value == 1 - rank);
    MPI_Status_get_tag(&status, &value);
    assert(value == 3);
    MPI_Status_set_tag(&status, 5);
    MPI_Status_set_source(&status, 0);
    MPI_Status_set_error(&status, MPI_ERR_OTHER);
    MPI_Status_get_error(&status, &value);
    assert(status.MPI_TAG == 5 && status.MPI_SOURCE == 0 && value == MPI_ERR_OTHER);
    MPI_Type_get_value_index(MPI_DOUBLE, MPI_INT, &pair);
    assert(pair == MPI_DOUBLE_INT);
    MPI_Add_error_class(&value);
    MPI_Remove_error_class(value);
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
