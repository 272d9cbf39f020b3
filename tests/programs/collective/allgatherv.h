/* Numbers are gathered everywhere, of each rank as many as it has. With WRONG 1 rank 1 counts on one more. */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, numbers[4] = {0}, all[8];
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const int places[2] = {0, 2};
    int counts[2] = {1, 2};
    if (WRONG && rank == 1) counts[0]++;
    MPI_Allgatherv(numbers, rank + 1, MPI_INT, all, counts, places, MPI_INT, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
