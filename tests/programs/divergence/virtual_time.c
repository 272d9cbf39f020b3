/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   interleavings: 2
 *   options: --virtual-time
 * The program branches on the time; a virtual one is the same in every run.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, got;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const double first = MPI_Wtime(), second = MPI_Wtime();
    assert(second > first && second - first < 1.5 * MPI_Wtick());
    const int tag = (int)((long)(first / MPI_Wtick() + 0.5) % 1000);
    if (rank == 0) {
        const double end = MPI_Wtime() + 0.01;
        while (MPI_Wtime() < end) {} /* it passes */
        for (int i = 0; i < 2; i++) MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, tag, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
