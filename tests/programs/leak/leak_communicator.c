/* DAMPI-TEST
 *   np: 2
 *   expect: leak/communicator
 *   interleavings: 1
 *   outcomes: {}
 *   where: leak_communicator.c:@
 * A duplicated communicator that nobody frees. Twin: leak_communicator_ok.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm twin;
    int equal;
    MPI_Comm_dup(MPI_COMM_WORLD, &twin); /*@*/
    MPI_Comm_compare(MPI_COMM_WORLD, twin, &equal);
    assert(equal == MPI_CONGRUENT && rank < 2);
    MPI_Finalize();
    return 0;
}
