/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   interleavings: 1
 *   outcomes: {}
 * Both sides agree on three messages. Twin: recv_from_finished.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, rounds = 0;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        for (int i = 0; i < 3; i++) {
            int got;
            MPI_Recv(&got, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            assert(got == i);
            rounds++;
        }
    if (rank == 1)
        for (int i = 0; i < 3; i++) {
            MPI_Send(&i, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
            rounds++;
        }
    assert(rounds == (rank == 0 ? 3 : 3));
    MPI_Finalize();
    return 0;
}
