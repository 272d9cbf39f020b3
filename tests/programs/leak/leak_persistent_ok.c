/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   interleavings: 1
 *   outcomes: {}
 * The persistent requests are freed. Twin: leak_persistent.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = rank + 1;
    MPI_Request h;
    if (rank == 0)
        MPI_Send_init(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &h);
    else
        MPI_Recv_init(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &h);
    for (int i = 0; i < 3; i++) {
        MPI_Start(&h);
        MPI_Wait(&h, MPI_STATUS_IGNORE);
        assert(value == 1);
    }
    MPI_Request_free(&h);
    MPI_Finalize();
    return 0;
}
