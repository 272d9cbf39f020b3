#include <mpi.h>
#include <stddef.h>

enum { partitions = 4, each = 2 };

int main(void) {
    int rank, arrived = 0;
    double buffer[partitions * each] = {0};
    MPI_Request request;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Psend_init(buffer, partitions, each, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
        MPI_Start(&request);
        for (int i = 0; i < partitions; i++)
            if (!WRONG || i != 2) MPI_Pready(i, request);
    } else {
        MPI_Precv_init(buffer, partitions, each, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
        MPI_Start(&request);
        while (POLLS && !arrived) MPI_Parrived(request, 2, &arrived);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    MPI_Finalize();
    return 0;
}
