/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 * Time is each rank's own until it hears of the others: by a message, a collective, or the acknowledgement of a
 * synchronous send. Rank 1 has slept before each.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>
#include <unistd.h>

int main(void) {
    int rank, value = 0, flag = 0;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    double begin = MPI_Wtime();
    if (rank == 0) {
        MPI_Recv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        assert(MPI_Wtime() - begin > 999);
        MPI_Request request;
        MPI_Irecv(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &request);
        while (!flag) MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
        assert(MPI_Wtime() - begin > 1999);
    } else if (rank == 1) {
        sleep(1000);
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        sleep(1000);
        MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
        sleep(1000);
        MPI_Recv(&value, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        sleep(1000);
    } else {
        MPI_Ssend(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        assert(MPI_Wtime() - begin > 2999);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    assert(MPI_Wtime() - begin > 3999);
    if (rank == 1) sleep(1000);
    begin = MPI_Wtime();
    MPI_Bcast(&value, 1, MPI_INT, 1, MPI_COMM_WORLD);
    if (rank != 1) assert(MPI_Wtime() - begin > 999);
    MPI_Finalize();
    return 0;
}
