/* The time of a barrier, and of an allreduce of one double. */
#include "measure.h"

static void barrier(void* context) {
    (void)context;
    MPI_Barrier(MPI_COMM_WORLD);
}

static void allreduce(void* context) {
    double* value = context;
    double sum;
    MPI_Allreduce(value, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

int main(int argc, char** argv) {
    double value = 1;
    MPI_Init(&argc, &argv);
    spread_out();
    measure("barrier", barrier, NULL, 1);
    measure("allreduce", allreduce, &value, 1);
    MPI_Finalize();
    return 0;
}
