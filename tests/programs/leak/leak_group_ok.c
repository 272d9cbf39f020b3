/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   interleavings: 1
 *   outcomes: {}
 * The group is freed. Twin: leak_group.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Group all;
    int size;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_size(all, &size);
    assert(size == 2 && rank < size);
    MPI_Group_free(&all);
    MPI_Finalize();
    return 0;
}
