/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   interleavings: 1
 *   outcomes: {}
 * What may be called before MPI_Init and after MPI_Finalize, and a thread level: answers as without the tool.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, flag = -1, level = -1, asked = -1;
    MPI_Initialized(&flag);
    assert(!flag);
    MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level);
    MPI_Initialized(&flag);
    assert(flag && level >= MPI_THREAD_FUNNELED);
    MPI_Query_thread(&asked);
    assert(asked == level);
    MPI_Is_thread_main(&flag);
    assert(flag);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    assert(rank < 2);
    MPI_Finalized(&flag);
    assert(!flag);
    MPI_Finalize();
    MPI_Finalized(&flag);
    assert(flag);
    return 0;
}
