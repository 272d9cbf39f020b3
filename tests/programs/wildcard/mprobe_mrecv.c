/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   interleavings: 2
 *   outcomes: {0#0<-1 0#1<-2} {0#0<-2 0#1<-1}
 * A matched probe takes the message out of the queue, so that MPI_Mrecv gets exactly that one.
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
            int got = 0, count = 0;
            MPI_Message message;
            MPI_Status status;
            MPI_Mprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &message, &status);
            MPI_Get_count(&status, MPI_INT, &count);
            assert(count == 1);
            MPI_Mrecv(&got, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
            assert(message == MPI_MESSAGE_NULL && got == status.MPI_SOURCE);
            sum += got;
        }
        assert(sum == 3);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
