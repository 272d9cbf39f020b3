/* DAMPI-TEST
 *   np: 2
 *   options: --hang-limit 20
 *   expect: clean
 *   interleavings: 1
 * It does within the limit. Twin: endless_loop.
 */
#include <mpi.h>
#include <stddef.h>
#include <unistd.h>

int main(void) {
    int rank, value = 0;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1) {
        usleep(1500000);
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
