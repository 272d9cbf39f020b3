/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   interleavings: 1
 *   outcomes: {}
 * The same amounts in different words: counts and types, results in place, arguments that matter only at the root, and
 * nothing at all. Twins: mismatch_amount, mismatch_amount_gather, mismatch_amount_zero.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

enum { N = 3 };

int main(void) {
    int rank, values[2] = {0, 0}, all[2 * N];
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    MPI_Datatype pair, structure;
    const int lengths[2] = {1, 1};
    const MPI_Aint places[2] = {0, sizeof(int)};
    const MPI_Datatype types[2] = {MPI_INT, MPI_INT};
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    MPI_Type_create_struct(2, lengths, places, types, &structure);
    MPI_Type_commit(&structure);

    if (rank == 0) values[0] = 3, values[1] = 4;
    if (rank == 0) {
        MPI_Bcast(values, 2, MPI_INT, 0, MPI_COMM_WORLD);
    } else {
        MPI_Bcast(values, 1, rank == 1 ? pair : structure, 0, MPI_COMM_WORLD);
    }
    assert(values[0] == 3 && values[1] == 4);

    // What the leaves say of the root's buffers is nobody's business.
    if (rank == 1) {
        for (int i = 0; i < 2 * N; i++) all[i] = 100 + i;
        MPI_Gather(MPI_IN_PLACE, 77, MPI_DATATYPE_NULL, all, 1, pair, 1, MPI_COMM_WORLD);
        assert(all[0] == 3 && all[5] == 4);
        MPI_Scatter(all, 1, structure, MPI_IN_PLACE, 55, MPI_CHAR, 1, MPI_COMM_WORLD);
    } else {
        MPI_Gather(values, 2, MPI_INT, NULL, 5, MPI_DATATYPE_NULL, 1, MPI_COMM_WORLD);
        MPI_Scatter(NULL, 9, MPI_DATATYPE_NULL, values, 2, MPI_INT, 1, MPI_COMM_WORLD);
    }
    assert(values[0] == 3 && values[1] == 4);

    if (rank == 2) {
        all[4] = 3, all[5] = 4;
        MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, 1, pair, MPI_COMM_WORLD);
    } else {
        MPI_Allgather(values, 2, MPI_INT, all, 1, structure, MPI_COMM_WORLD);
    }
    MPI_Alltoall(MPI_IN_PLACE, 3, MPI_CHAR, all, rank == 0 ? 2 : 1, rank == 0 ? MPI_INT : pair, MPI_COMM_WORLD);

    // Shares of different sizes, of the same whole.
    const int shares[N] = {2, 0, 4};
    int whole[6] = {1, 1, 1, 1, 1, 1}, share[4];
    MPI_Reduce_scatter(whole, share, shares, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    const int displacements[N] = {0, 2, 2};
    MPI_Gatherv(share, shares[rank], MPI_INT, all, shares, displacements, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Scatterv(all, shares, displacements, MPI_INT, share, shares[rank], MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Allgatherv(share, shares[rank], MPI_INT, all, shares, displacements, MPI_INT, MPI_COMM_WORLD);
    for (int i = 0; i < 6; i++) assert(all[i] == N);

    MPI_Bcast(NULL, 0, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Bcast(NULL, 0, rank == 0 ? MPI_CHAR : MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Allreduce(NULL, NULL, 0, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allgather(NULL, 0, MPI_INT, NULL, 0, MPI_CHAR, MPI_COMM_WORLD);
    MPI_Type_free(&pair);
    MPI_Type_free(&structure);
    MPI_Finalize();
    return 0;
}
