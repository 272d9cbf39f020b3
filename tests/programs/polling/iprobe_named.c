/* DAMPI-TEST
 *   np: 2
 *   options: --explore-polls 0
 *   expect: incomplete
 *   interleavings: 1
 *   outcomes: {0#0<-1}
 * The program computes between the probes for a message from rank 1, which comes late: what it computes differs each
 * time, so that it is not known that the number of the probes does not matter.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>
#include <unistd.h>

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int got = -1, flag = 0;
    if (rank == 0) {
        volatile double work = 1;
        while (!flag) {
            for (int i = 0; i < 1000; i++) work = work * 1.0001;
            MPI_Iprobe(1, 0, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
        }
        MPI_Recv(&got, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        assert(got == 1);
    } else {
        usleep(250000);
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
