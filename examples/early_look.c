/* DAMPI-TEST
 *   np: 3
 *   expect: buffer/read
 *   where: early_look.c:22
 * If rank 2 is first, rank 0 looks at data that has not come yet: docs/findings.md, docs/sanitizers.md.
 */
#include <mpi.h>
#include <stdio.h>

static int data[1000];

int main(int argc, char** argv) {
    int rank, first;
    MPI_Request request;
    MPI_Status status;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 1; rank == 0 && i < 3; ++i) {
        MPI_Recv(&first, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
        MPI_Irecv(data, 1000, MPI_INT, status.MPI_SOURCE, 1, MPI_COMM_WORLD, &request);
        if (i == 1 && first == 2) {
            fprintf(stderr, "so far: %d\n", data[500]);
        }
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    if (rank != 0) {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Send(data, 1000, MPI_INT, 0, 1, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
