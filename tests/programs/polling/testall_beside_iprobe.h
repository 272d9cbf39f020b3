/* A rank asks MPI_Testall and MPI_Iprobe in turn until one of them answers. */
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
            if (all && WRONG) MPI_Abort(MPI_COMM_WORLD, 3);
            if (all) break;
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
