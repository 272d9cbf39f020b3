/* DAMPI-TEST
 *   np: 3
 *   expect: abort
 *   interleavings: 2
 *   outcomes: {0#0=0+1} {0#0@1<-2}
 * Of two calls that are asked in turn either may answer first. The program is wrong where that is MPI_Testall. Twin:
 * testall_beside_iprobe_ok.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        int got[3], all = 0, there = 0;
        MPI_Request h[2];
        MPI_Irecv(&got[0], 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &h[0]);
        MPI_Irecv(&got[1], 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &h[1]);
        while (!there) {
            MPI_Testall(2, h, &all, MPI_STATUSES_IGNORE);
            if (all) MPI_Abort(MPI_COMM_WORLD, 3);
            MPI_Iprobe(2, 0, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
        }
        MPI_Recv(&got[2], 1, MPI_INT, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Waitall(2, h, MPI_STATUSES_IGNORE);
    } else {
        for (int i = 0; i < (rank == 1 ? 2 : 1); ++i) MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
