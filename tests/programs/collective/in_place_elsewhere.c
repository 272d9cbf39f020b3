/* DAMPI-TEST
 *   np: 2
 *   expect: argument/buffer
 *   where: in_place_elsewhere.c:@
 * MPI_IN_PLACE in a rank that is not the root is refused before MPI takes it for an address; the root may give it.
 */
#include <assert.h>
#include <mpi.h>

int main(int argc, char** argv) {
    int rank, values[2] = {1, 1}, counts[2] = {1, 1}, places[2] = {0, 1}, sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    const MPI_Comm comm = MPI_COMM_WORLD;
    void* const here = MPI_IN_PLACE;
    if (rank == 1) {
        assert(MPI_Gather(here, 1, MPI_INT, values, 1, MPI_INT, 0, comm) != MPI_SUCCESS); /*@*/
        assert(MPI_Gatherv(here, 1, MPI_INT, values, counts, places, MPI_INT, 0, comm) != MPI_SUCCESS);
        assert(MPI_Scatter(values, 1, MPI_INT, here, 1, MPI_INT, 0, comm) != MPI_SUCCESS);
        assert(MPI_Scatterv(values, counts, places, MPI_INT, here, 1, MPI_INT, 0, comm) != MPI_SUCCESS);
        assert(MPI_Reduce(here, &sum, 1, MPI_INT, MPI_SUM, 0, comm) != MPI_SUCCESS);
    }
    MPI_Gather(rank == 0 ? here : values, 1, MPI_INT, values, 1, MPI_INT, 0, comm);
    MPI_Scatter(values, 1, MPI_INT, rank == 0 ? here : values, 1, MPI_INT, 0, comm);
    sum = 1;
    MPI_Reduce(rank == 0 ? here : &sum, &sum, 1, MPI_INT, MPI_SUM, 0, comm);
    assert(rank == 1 || sum == 2);
    MPI_Finalize();
    return 0;
}
