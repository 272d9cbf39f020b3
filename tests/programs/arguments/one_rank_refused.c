/* DAMPI-TEST
 *   np: 2
 *   expect: argument/count
 *   interleavings: 1
 *   where: one_rank_refused.c:@
 * One rank's part in a broadcast is refused, and it goes on at once, though the root is not there yet.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, value = 1;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (rank == 1) {
        const int error = MPI_Bcast(&value, -1, MPI_INT, 0, MPI_COMM_WORLD); /*@*/
        int class;
        MPI_Error_class(error, &class);
        assert(class == MPI_ERR_COUNT);
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    value = 2 - rank;
    MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
    assert(value == 2);
    MPI_Finalize();
    return 0;
}
