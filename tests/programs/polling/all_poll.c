/* DAMPI-TEST
 *   np: 3
 *   expect: incomplete
 * All ranks poll at once: they are let answer "nothing yet" in turn until each has sent. Who is so early
 * decides how the program goes on, which is not explored.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int got = -1, flag = 0;
    const int from = (rank + 2) % 3, to = (rank + 1) % 3;
    MPI_Iprobe(from, 0, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    MPI_Send(&rank, 1, MPI_INT, to, 0, MPI_COMM_WORLD);
    MPI_Recv(&got, 1, MPI_INT, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    assert(got == from);
    MPI_Finalize();
    return 0;
}
