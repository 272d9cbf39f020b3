/* DAMPI-TEST
 *   np: 2
 *   expect: leak/request
 *   interleavings: 1
 *   outcomes: {}
 * A persistent request lives on when it is inactive: it must be freed. Twin: leak_persistent_ok.
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
    MPI_Finalize();
    return 0;
}
