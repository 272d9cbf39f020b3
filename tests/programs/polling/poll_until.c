/* DAMPI-TEST
 *   np: 2
 *   expect: incomplete
 *   interleavings: 1
 *   outcomes: {0#0<-1 0#1=0}
 *   options: --explore-polls 0
 * MPI_Wtime does not end a sequence of polling calls; but how many there will be depends on time.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int got = -1, flag = 0;
    if (rank == 0) {
        MPI_Request h;
        MPI_Status status;
        const double begin = MPI_Wtime();
        while (!flag && MPI_Wtime() - begin < 1e6) MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &flag, &status);
        flag = 0;
        MPI_Irecv(&got, 1, MPI_INT, status.MPI_SOURCE, 0, MPI_COMM_WORLD, &h);
        while (!flag && MPI_Wtime() - begin < 1e6) MPI_Test(&h, &flag, MPI_STATUS_IGNORE);
        assert(got == 1);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
