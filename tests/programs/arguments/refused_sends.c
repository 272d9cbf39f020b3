/* DAMPI-TEST
 *   np: 2
 *   expect: argument/count, argument/datatype
 *   interleavings: 1
 *   where: refused_sends.c:@
 * A receiver waits already while MPI refuses messages to it: it never takes one of those for the message that comes.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    enum { rounds = 3000 };
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Datatype pair;
    MPI_Type_contiguous(2, MPI_INT, &pair); /* never committed */
    for (int i = 0; i < rounds; i++) {
        int values[2] = {i, i};
        if (rank == 1) {
            assert(MPI_Send(values, -1, MPI_INT, 0, 0, MPI_COMM_WORLD) != MPI_SUCCESS); /*@*/
            assert(MPI_Send(values, 1, pair, 0, 0, MPI_COMM_WORLD) != MPI_SUCCESS);
            MPI_Send(values, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
            MPI_Recv(values, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else {
            MPI_Recv(values, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            assert(values[0] == i);
            MPI_Send(values, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
        }
    }
    MPI_Type_free(&pair);
    MPI_Finalize();
    return 0;
}
