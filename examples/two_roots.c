/* DAMPI-TEST
 *   np: 3
 *   expect: collective/mismatch
 *   interleavings: 1
 *   outcomes: {}
 *   where: two_roots.c:31
 * The rank with the largest value is to send it to all others. But MPI_Reduce tells only rank 0 who that is; the other
 * ranks still believe what they began with, and each of them is a root of its own. Twin: two_roots_ok.
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
    MPI_Reduce(&own, &best, 1, MPI_2INT, MPI_MAXLOC, 0, MPI_COMM_WORLD);

    int table[4] = {0, 0, 0, 0};
    if (rank == best.rank)
        for (int i = 0; i < 4; i++) table[i] = best.value + i;
    MPI_Bcast(table, 4, MPI_INT, best.rank, MPI_COMM_WORLD);
    printf("rank %d: %d to %d\n", rank, table[0], table[3]);

    MPI_Finalize();
    return 0;
}
