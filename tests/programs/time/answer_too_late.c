/* DAMPI-TEST
 *   np: 2
 *   options: --explore-polls 0
 *   expect: abort, incomplete
 *   interleavings: 1
 * Rank 0 waits for an answer for five seconds at most, and gets it after eight. Twin: answer_in_time_ok.
 */
#include <mpi.h>
#include <stddef.h>
#include <unistd.h>

int main(void) {
    int rank, answer = 0, flag = 0;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Request request;
        MPI_Irecv(&answer, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        const double begin = MPI_Wtime();
        while (!flag) {
            MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
            if (!flag && MPI_Wtime() > begin + 5) MPI_Abort(MPI_COMM_WORLD, 3);
        }
    } else {
        sleep(8);
        MPI_Send(&answer, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
