/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   interleavings: 1
 *   outcomes: {0#0<-1 0#1<-2}
 * The library works on a duplicate of its own. Twin: library_tags.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm mine;
    MPI_Comm_dup(MPI_COMM_WORLD, &mine);
    if (rank == 0) {
        int library = 0, application = 0;
        MPI_Recv(&library, 1, MPI_INT, MPI_ANY_SOURCE, 0, mine, MPI_STATUS_IGNORE);
        MPI_Recv(&application, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        assert(library == 1 && application == 2);
    } else {
        /* rank 1 is inside the library, rank 2 is not */
        MPI_Send(&rank, 1, MPI_INT, 0, 0, rank == 1 ? mine : MPI_COMM_WORLD);
    }
    MPI_Comm_free(&mine);
    MPI_Finalize();
    return 0;
}
