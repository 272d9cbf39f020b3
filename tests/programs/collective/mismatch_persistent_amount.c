/* DAMPI-TEST
 *   np: 2
 *   expect: collective/mismatch
 *   where: mismatch_persistent_amount.c:@
 *   findings: 1
 * What does not fit is told where the persistent collective is made, and not once more where it is started.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, out[4] = {0}, in[8];
    MPI_Request request;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Gather_init(out, rank == 0 ? 4 : 3, MPI_INT, in, 4, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request); /*@*/
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    MPI_Finalize();
    return 0;
}
