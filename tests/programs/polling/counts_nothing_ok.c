/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   interleavings: 1
 * What is done between two questions leaves nothing behind: it does not matter how often they are asked. Twin of
 * gives_up_after_three.
 */
#include <mpi.h>
#include <stddef.h>
#include <unistd.h>

static int twice(volatile int value) { return 2 * value; }

int main(void) {
    int rank, value = 0, flag = 0;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Request request;
        MPI_Irecv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        for (int i = 0; !flag; i = twice(i)) {
            MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
            if (!flag) usleep(10);
        }
    } else {
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
