/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   interleavings: 1
 *   outcomes: {}
 * MPI_PROC_NULL: sends and receives that do nothing, with the status that the standard prescribes.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = 5, count = -1;
    MPI_Status status;
    MPI_Request h[2];
    MPI_Status s[2];
    MPI_Send(&value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
    MPI_Recv(&value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    assert(value == 5 && count == 0 && status.MPI_SOURCE == MPI_PROC_NULL && status.MPI_TAG == MPI_ANY_TAG);
    MPI_Isend(&value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &h[0]);
    MPI_Irecv(&value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &h[1]);
    MPI_Waitall(2, h, s);
    assert(value == 5 && h[0] == MPI_REQUEST_NULL && h[1] == MPI_REQUEST_NULL);
    MPI_Probe(MPI_PROC_NULL, 0, MPI_COMM_WORLD, &status);
    assert(status.MPI_SOURCE == MPI_PROC_NULL);
    /* a chain without a left end: rank 0 has nobody on its left, rank 1 nobody on its right */
    MPI_Sendrecv(&rank, 1, MPI_INT, rank == 0 ? 1 : MPI_PROC_NULL, 3, &value, 1, MPI_INT, rank == 1 ? 0 : MPI_PROC_NULL,
                 3, MPI_COMM_WORLD, &status);
    assert(value == (rank == 1 ? 0 : 5));
    MPI_Finalize();
    return 0;
}
