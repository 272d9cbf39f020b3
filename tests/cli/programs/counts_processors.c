/* As any_order; a rank that may use one processor only says so. */
#define _GNU_SOURCE
#include <mpi.h>
#include <stdio.h>
#include <sched.h>

int main(int argc, char** argv) {
    int rank, size, i, got;
    cpu_set_t own;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (sched_getaffinity(0, sizeof own, &own) == 0 && CPU_COUNT(&own) == 1) printf("one processor\n");
    if (rank == 0) {
        for (i = 1; i < size; ++i) {
            MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
