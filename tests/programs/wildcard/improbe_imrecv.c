/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   interleavings: 2
 *   outcomes: {0#0<-1 0#1<-2} {0#0<-2 0#1<-1}
 * The polling matched probe, with the nonblocking receive of its message.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        int sum = 0;
        for (int i = 0; i < 2; i++) {
            int got = 0, flag = 0;
            MPI_Message message;
            MPI_Request h;
            MPI_Status status;
            while (!flag) MPI_Improbe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &flag, &message, &status);
            MPI_Imrecv(&got, 1, MPI_INT, &message, &h);
            MPI_Wait(&h, MPI_STATUS_IGNORE);
            assert(got == status.MPI_SOURCE);
            sum += got;
        }
        assert(sum == 3);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
