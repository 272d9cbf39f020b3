/* The time of calls that the layer passes through, in nanoseconds. */
#include "measure.h"

enum { CALLS = 100 };

static void comm_rank(void* context) {
    for (int i = 0; i < CALLS; i++) MPI_Comm_rank(MPI_COMM_WORLD, context);
}

static void type_size(void* context) {
    for (int i = 0; i < CALLS; i++) MPI_Type_size(MPI_DOUBLE, context);
}

static void get_count(void* context) {
    static MPI_Status status;
    for (int i = 0; i < CALLS; i++) MPI_Get_count(&status, MPI_INT, context);
}

int main(int argc, char** argv) {
    int result;
    MPI_Init(&argc, &argv);
    measure("calls/MPI_Comm_rank", comm_rank, &result, 1e3 / CALLS);
    measure("calls/MPI_Type_size", type_size, &result, 1e3 / CALLS);
    measure("calls/MPI_Get_count", get_count, &result, 1e3 / CALLS);
    MPI_Finalize();
    return 0;
}
