/* DAMPI-TEST
 *   np: 2
 *   expect: leak/group
 *   interleavings: 1
 *   outcomes: {}
 *   where: leak_group.c:@
 * MPI_Comm_group makes a handle that has to be freed. Twin: leak_group_ok.
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
    MPI_Comm_group(MPI_COMM_WORLD, &all); /*@*/
    MPI_Group_size(all, &size);
    assert(size == 2 && rank < size);
    MPI_Finalize();
    return 0;
}
