/* ROOM: for how many statuses. */
#include <mpi.h>
#include <stddef.h>

enum { MESSAGES = 8 };

int main(void) {
    int rank, data[MESSAGES] = {0};
    struct {
        MPI_Status statuses[ROOM];
        MPI_Request requests[MESSAGES];
    } of;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < MESSAGES; i++)
        if (rank == 0)
            MPI_Irecv(&data[i], 1, MPI_INT, 1, i, MPI_COMM_WORLD, &of.requests[i]);
        else
            MPI_Isend(&data[i], 1, MPI_INT, 0, i, MPI_COMM_WORLD, &of.requests[i]);
    MPI_Waitall(MESSAGES, of.requests, of.statuses);
    MPI_Finalize();
    return 0;
}
