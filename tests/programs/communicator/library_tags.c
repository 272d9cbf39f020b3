/* DAMPI-TEST
 *   np: 3
 *   expect: crash
 *   interleavings: 2
 *   outcomes: {0#0<-1 0#1<-2} {0#0<-2 0#1<-1}
 *   where: library_tags.c:@
 * A library that works on the communicator of its caller receives messages which are not its own. Twin:
 * library_tags_ok.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    assert(rank < 3);
    if (rank == 0) {
        int library = 0, application = 0;
        MPI_Recv(&library, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&application, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        assert(library == 1 && application == 2); /*@*/
    } else {
        /* rank 1 is inside the library, rank 2 is not */
        MPI_Send(&rank, 1, MPI_INT, 0, 0, rank == 1 ? MPI_COMM_WORLD : MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
