#include <mpi.h>
#include <stddef.h>

enum { right, missing, weights, unweighted };

/* A ring in which each edge is there twice, with two weights. */
int main(void) {
    int rank, size;
    MPI_Comm ring;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int before = (rank + size - 1) % size, after = (rank + 1) % size;
    int sources[2] = {before, before}, in_weights[2] = {before, before + 10};
    int destinations[2] = {after, after}, out_weights[2] = {rank + 10, rank};
    if (WRONG == weights && rank == 1) out_weights[0] = rank + 20;
    if (WRONG == unweighted && rank == 1)
        MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, sources, MPI_UNWEIGHTED, 2, destinations, MPI_UNWEIGHTED,
                                       MPI_INFO_NULL, 0, &ring);
    else
        MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, sources, in_weights, WRONG == missing && rank == 1 ? 1 : 2,
                                       destinations, out_weights, MPI_INFO_NULL, 0, &ring);
    MPI_Comm_free(&ring);
    MPI_Finalize();
    return 0;
}
