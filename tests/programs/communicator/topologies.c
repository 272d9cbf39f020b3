/* DAMPI-TEST
 *   np: 4
 *   expect: clean
 *   interleavings: 1
 *   outcomes: {}
 * Cartesian and graph topologies, sub-grids, and communicators that only some ranks get.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm grid, row, graph, some;
    int dims[2] = {2, 2}, periods[2] = {0, 0}, at[2], up, down, sum = 0, got = -1;
    int index[4] = {1, 2, 3, 4}, edges[4] = {1, 0, 3, 2}, neighbours = 0;
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
    MPI_Cart_coords(grid, rank, 2, at);
    assert(at[0] == rank / 2 && at[1] == rank % 2);
    MPI_Cart_shift(grid, 0, 1, &up, &down);
    assert(up == (rank < 2 ? MPI_PROC_NULL : rank - 2) && down == (rank < 2 ? rank + 2 : MPI_PROC_NULL));
    MPI_Sendrecv(&rank, 1, MPI_INT, down, 0, &got, 1, MPI_INT, up, 0, grid, MPI_STATUS_IGNORE);
    assert(got == (rank < 2 ? -1 : rank - 2));
    const int keep[2] = {0, 1};
    MPI_Cart_sub(grid, keep, &row);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, row);
    assert(sum == (rank < 2 ? 1 : 5));
    MPI_Graph_create(MPI_COMM_WORLD, 4, index, edges, 0, &graph);
    MPI_Graph_neighbors_count(graph, rank, &neighbours);
    assert(neighbours == 1);
    MPI_Comm_split(MPI_COMM_WORLD, rank == 3 ? MPI_UNDEFINED : 0, 0, &some);
    if (rank == 3) {
        assert(some == MPI_COMM_NULL);
    } else {
        MPI_Barrier(some);
        MPI_Comm_free(&some);
    }
    MPI_Comm_free(&graph);
    MPI_Comm_free(&row);
    MPI_Comm_free(&grid);
    MPI_Finalize();
    return 0;
}
