/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   interleavings: 1
 *   outcomes: {}
 * Three nonblocking collectives in flight at once, completed in another order than they were started.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int sum = 0, one = rank + 1, word = rank == 1 ? 8 : 0;
    MPI_Request h[3];
    MPI_Status s[3];
    MPI_Iallreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &h[2]);
    MPI_Ibcast(&word, 1, MPI_INT, 1, MPI_COMM_WORLD, &h[0]);
    MPI_Ibarrier(MPI_COMM_WORLD, &h[1]);
    MPI_Waitall(3, h, s);
    assert(sum == 6 && word == 8);
    MPI_Finalize();
    return 0;
}
