/* DAMPI-TEST
 *   np: 3
 *   expect: collective/mismatch
 *   interleavings: 1
 *   outcomes: {}
 *   where: mismatch_persistent.c:@
 * Persistent collectives that contradict each other as they are made. Twin: mismatch_persistent_ok.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, value = 1, result = 0;
    MPI_Request request;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Allreduce_init(&value, &result, 1, MPI_INT, rank == 1 ? MPI_PROD : MPI_SUM, MPI_COMM_WORLD, /*@*/
                       MPI_INFO_NULL, &request);
    for (int i = 0; i < 3; i++) {
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&request);
    MPI_Finalize();
    return 0;
}
