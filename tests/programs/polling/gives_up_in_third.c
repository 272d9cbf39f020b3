/* DAMPI-TEST
 *   np: 2
 *   expect: abort
 *   interleavings: 2
 *   outcomes: {0#0<-1 0#1<-1 0#2<-1} {0#0<-1 0#1<-1 0#2=none~1}
 * The same call in a loop: the first iterations ask again, the third gives up.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, value = 0;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 3; ++i) {
        int flag = 0;
        MPI_Status status;
        if (rank == 1) MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        while (rank == 0 && !flag) {
            MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &flag, &status);
            if (!flag && i == 2) MPI_Abort(MPI_COMM_WORLD, 3);
        }
        if (rank == 0) MPI_Recv(&value, 1, MPI_INT, status.MPI_SOURCE, 0, MPI_COMM_WORLD, &status);
    }
    MPI_Finalize();
    return 0;
}
