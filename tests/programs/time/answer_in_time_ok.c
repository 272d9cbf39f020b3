/* DAMPI-TEST
 *   np: 2
 *   options: --explore-polls 0
 *   expect: incomplete
 *   interleavings: 1
 * Rank 0 waits for an answer for five seconds at most, and gets it after three; nobody waits for them. Incomplete,
 * since it looks at a clock between its polls. Twin: answer_too_late.
 */
#include <assert.h>
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
        assert(MPI_Wtime() >= begin + 2.9);
    } else {
        sleep(3);
        MPI_Send(&answer, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
