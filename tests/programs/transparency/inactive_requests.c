/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   interleavings: 1
 *   outcomes: {}
 * Null and inactive requests in the Wait family complete at once with an empty status.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request h[3] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    MPI_Status s[3], status;
    int value = 0, count = -1;
    MPI_Wait(&h[0], &status);
    MPI_Get_count(&status, MPI_INT, &count);
    assert(status.MPI_SOURCE == MPI_ANY_SOURCE && status.MPI_TAG == MPI_ANY_TAG && count == 0);
    MPI_Waitall(3, h, s);
    assert(s[2].MPI_SOURCE == MPI_ANY_SOURCE);
    MPI_Waitall(0, NULL, s);
    if (rank == 0)
        MPI_Send_init(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &h[1]);
    else
        MPI_Recv_init(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &h[1]);
    MPI_Wait(&h[1], &status); /* never started */
    assert(h[1] != MPI_REQUEST_NULL && status.MPI_SOURCE == MPI_ANY_SOURCE);
    value = rank == 0 ? 31 : 0;
    MPI_Start(&h[1]);
    MPI_Waitall(3, h, s);
    assert(value == 31 && h[1] != MPI_REQUEST_NULL);
    MPI_Wait(&h[1], &status); /* completed and not started again */
    assert(status.MPI_SOURCE == MPI_ANY_SOURCE);
    MPI_Request_free(&h[1]);
    assert(h[1] == MPI_REQUEST_NULL);
    MPI_Finalize();
    return 0;
}
