#include <mpi.h>
#include <stddef.h>

enum { nothing, grid_reorder, part_of_grid, graph_reorder, edges_info, edges_reorder };

/* Topologies, by arguments that are the same in all ranks but for one. */
int main(void) {
    int rank;
    MPI_Comm grid, part, graph, edges;
    MPI_Info info;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const int wrong = rank == 1 ? WRONG : nothing;
    int dims[2] = {2, 2}, periods[2] = {0, 0}, remain[2] = {0, 1};
    int index[4] = {1, 2, 3, 4}, others[4] = {1, 0, 3, 2}, one = 1;
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, wrong == grid_reorder ? 0 : rank + 1, &grid);
    remain[0] = wrong == part_of_grid;
    remain[1] = !remain[0];
    MPI_Cart_sub(grid, remain, &part);
    MPI_Graph_create(MPI_COMM_WORLD, 4, index, others, wrong == graph_reorder, &graph);
    MPI_Info_create(&info);
    MPI_Info_set(info, rank == 0 ? "a" : "b", "1");
    MPI_Info_set(info, rank == 0 ? "b" : "a", wrong == edges_info ? "2" : "1");
    MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &rank, &one, &others[rank], MPI_UNWEIGHTED, info, wrong == edges_reorder,
                          &edges);
    MPI_Info_free(&info);
    MPI_Comm_free(&edges);
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &others[rank], MPI_UNWEIGHTED, 1, &others[rank], MPI_UNWEIGHTED,
                                   MPI_INFO_NULL, rank < 2 ? 2 : 1, &edges);
    MPI_Comm_free(&edges);
    MPI_Comm_free(&graph);
    if (part != MPI_COMM_NULL) MPI_Comm_free(&part);
    MPI_Comm_free(&grid);
    MPI_Finalize();
    return 0;
}
