/* DAMPI-TEST
 *   np: 3
 *   expect: truncation
 *   interleavings: 2
 *   outcomes: {0#0<-1 0#1<-2} {0#0<-2 0#1<-1}
 * A wildcard receive that is too short for one of its two possible messages still matches it: the error class says
 * so.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int data[4] = {rank, rank, rank, rank};
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (rank == 0) {
        int truncated = 0;
        for (int i = 0; i < 2; i++) {
            int class = MPI_SUCCESS;
            MPI_Status status;
            const int error = MPI_Recv(data, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
            if (error != MPI_SUCCESS) MPI_Error_class(error, &class);
            assert(class == MPI_SUCCESS || class == MPI_ERR_TRUNCATE);
            truncated += class == MPI_ERR_TRUNCATE;
        }
        assert(truncated == 1);
    } else {
        MPI_Send(data, rank == 1 ? 1 : 4, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
