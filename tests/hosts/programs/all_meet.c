/* All ranks meet, and say where they are. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
    int rank, length;
    char host[MPI_MAX_PROCESSOR_NAME];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Get_processor_name(host, &length);
    printf("rank %d is on %s\n", rank, host);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
