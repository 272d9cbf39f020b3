/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   options: --virtual-time
 *   interleavings: 2
 *   outcomes: {0#0<-0} {0#0<-1}
 * On request MPI_Wtime is the same in every run, whatever the program does meanwhile: only its sleep takes time, and a
 * reading.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>
#include <unistd.h>

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const double begin = MPI_Wtime();
    int got = -1;
    MPI_Request h;
    MPI_Isend(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &h);
    if (rank == 0) {
        MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&got, 1, MPI_INT, 1 - got, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Wait(&h, MPI_STATUS_IGNORE);
    usleep(10000);
    assert(MPI_Wtick() == 1e-6);
    const double tick = MPI_Wtime() - begin;
    assert(tick > 0.01 + 0.9e-6 && tick < 0.01 + 20e-6); /* each call takes a microsecond */
    MPI_Finalize();
    return 0;
}
