/* DAMPI-TEST
 *   np: 2
 *   expect: truncation
 *   interleavings: 1
 *   outcomes: {}
 * A message that is too long, under MPI_ERRORS_RETURN: the program gets the error class that it expects, and goes
 * on.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int data[4] = {1, 2, 3, 4}, class = 0, error;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (rank == 0) {
        for (int i = 0; i < 3; i++) MPI_Send(data, 4, MPI_INT, 1, i, MPI_COMM_WORLD);
        MPI_Send(data, 2, MPI_INT, 1, 3, MPI_COMM_WORLD);
    } else {
        MPI_Request h;
        error = MPI_Recv(data, 2, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Error_class(error, &class);
        assert(class == MPI_ERR_TRUNCATE);
        MPI_Irecv(data, 2, MPI_INT, 0, 1, MPI_COMM_WORLD, &h);
        error = MPI_Wait(&h, MPI_STATUS_IGNORE);
        MPI_Error_class(error, &class);
        assert(class == MPI_ERR_TRUNCATE && h == MPI_REQUEST_NULL);
        MPI_Status s[1];
        MPI_Irecv(data, 2, MPI_INT, 0, 2, MPI_COMM_WORLD, &h);
        error = MPI_Waitall(1, &h, s);
        MPI_Error_class(error, &class);
        assert(class == MPI_ERR_IN_STATUS);
        MPI_Error_class(s[0].MPI_ERROR, &class);
        assert(class == MPI_ERR_TRUNCATE);
        error = MPI_Recv(data, 2, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        assert(error == MPI_SUCCESS && data[0] == 1 && data[1] == 2);
    }
    MPI_Finalize();
    return 0;
}
