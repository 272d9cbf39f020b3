/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   interleavings: 1
 *   outcomes: {}
 * Figure 2.8 put right: the request is waited for and the datatype freed. Twin: unfreed_request.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Datatype new_type;
    int buf[4] = {0, 0, 0, 0};
    MPI_Type_contiguous(4, MPI_INT, &new_type);
    MPI_Type_commit(&new_type);
    if (rank == 0) {
        MPI_Request h;
        for (int i = 0; i < 4; i++) buf[i] = i;
        MPI_Isend(buf, 1, new_type, 1, 0, MPI_COMM_WORLD, &h);
        MPI_Wait(&h, MPI_STATUS_IGNORE);
    }
    if (rank == 1) {
        MPI_Recv(buf, 1, new_type, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        assert(buf[0] == 0 && buf[3] == 3);
    }
    MPI_Type_free(&new_type);
    MPI_Finalize();
    return 0;
}
