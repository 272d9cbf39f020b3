/* DAMPI-TEST
 *   np: 4
 *   expect: clean
 *   interleavings: 1
 *   outcomes: {}
 * The same root, under different ranks in two communicators. Twin: mismatch_root.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, value, backwards;
    MPI_Comm turned;
    MPI_Request request;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &turned);
    value = rank == 3 ? 17 : 0;
    backwards = value;
    MPI_Ibcast(&value, 1, MPI_INT, 3, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Bcast(&backwards, 1, MPI_INT, 0, turned);
    assert(value == 17 && backwards == 17);
    MPI_Comm_free(&turned);
    MPI_Finalize();
    return 0;
}
