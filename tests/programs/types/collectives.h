/* Collectives of as much data in all ranks. With the argument 1 rank 0 describes its data as other numbers. */
#include <mpi.h>
#include <stddef.h>
#include <stdlib.h>

int main(int argc, char** argv) {
    int rank, a[16] = {0}, b[16] = {0};
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Datatype type = atoi(argv[1]) && rank == 0 ? MPI_FLOAT : MPI_INT;
    MPI_Bcast(a, 4, type, 0, MPI_COMM_WORLD);
    MPI_Gather(a, 4, type, b, 4, type, 0, MPI_COMM_WORLD);
    MPI_Scatter(a, 4, type, b, 4, type, 0, MPI_COMM_WORLD);
    MPI_Allgather(a, 4, type, b, 4, type, MPI_COMM_WORLD);
    MPI_Alltoall(a, 4, type, b, 4, type, MPI_COMM_WORLD);
    MPI_Ibcast(a, 4, type, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Allreduce(a, b, 4, type, MPI_MAX, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
