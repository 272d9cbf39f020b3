#include <mpi.h>
#include <stddef.h>

int main(void) {
    int values[4] = {0};
    MPI_Init(NULL, NULL);
    MPI_Reduce_local(values, values + BEHIND, 2, MPI_INT, MPI_SUM);
    MPI_Finalize();
    return 0;
}
