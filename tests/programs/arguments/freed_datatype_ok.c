/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   interleavings: 1
 * Handles of datatypes that were freed are the handles of others, or are given out again; a datatype is freed while an
 * operation needs it; what was freed stands where it does not count.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, round, values[2] = {1, 2}, received[4] = {0};
    MPI_Datatype pair, copy, outer, inner, again, kept = MPI_INT, reals;
    MPI_Request request;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (round = 0; round < 3; round++) {
        MPI_Type_contiguous(2, MPI_INT, &pair);
        MPI_Type_commit(&pair);
        copy = pair;
        if (rank == 0) {
            MPI_Isend(values, 1, pair, 1, 0, MPI_COMM_WORLD, &request);
        } else {
            MPI_Irecv(received, 1, pair, 0, 0, MPI_COMM_WORLD, &request);
        }
        MPI_Type_free(&pair);
        MPI_Type_contiguous(2, MPI_INT, &again);
        MPI_Type_commit(&again);
        MPI_Bcast(values, 1, again, 0, MPI_COMM_WORLD);
        MPI_Gather(values, 2, MPI_INT, received, rank == 0 ? 2 : 0, rank == 0 ? MPI_INT : copy, 0, MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Type_free(&again);
    }

    /* The inner one lives on in the outer one, and comes out of it with the same handle. */
    MPI_Type_contiguous(2, MPI_INT, &inner);
    MPI_Type_contiguous(1, inner, &outer);
    MPI_Type_free(&inner);
    int integer;
    MPI_Aint address;
    MPI_Type_get_contents(outer, 1, 0, 1, &integer, &address, &inner);
    MPI_Type_commit(&inner);
    MPI_Bcast(values, 1, inner, 0, MPI_COMM_WORLD);
    MPI_Type_free(&inner);
    MPI_Type_free(&outer);

    MPI_Type_create_f90_real(6, 30, &reals);
    MPI_Bcast(values, 1, reals, 0, MPI_COMM_WORLD);
    MPI_Bcast(values, 1, kept, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
