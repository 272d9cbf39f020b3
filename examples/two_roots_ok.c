/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   interleavings: 1
 *   outcomes: {}
 * The rank with the largest value sends it to all others: MPI_Allreduce tells every rank who that is.
 * Twin: two_roots.
 */
#include <mpi.h>
#include <stdio.h>

typedef struct {
    int value;
    int rank;
} Candidate;

int main(int argc, char** argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    /* rank 1 has the largest value */
    const Candidate own = {rank == 1 ? 100 : rank, rank};
    Candidate best = own;
    MPI_Allreduce(&own, &best, 1, MPI_2INT, MPI_MAXLOC, MPI_COMM_WORLD);

    int table[4] = {0, 0, 0, 0};
    if (rank == best.rank)
        for (int i = 0; i < 4; i++) table[i] = best.value + i;
    MPI_Bcast(table, 4, MPI_INT, best.rank, MPI_COMM_WORLD);
    printf("rank %d: %d to %d\n", rank, table[0], table[3]);

    MPI_Finalize();
    return 0;
}
