/* DAMPI-TEST
 *   np: 2
 *   expect: buffer/overlap
 *   findings: 1
 *   interleavings: 1
 *   where: overlapping_reduction.c:@
 * The buffers of a reduction are one, which MPICH refuses as well: that is one finding. Twin: overlapping_reduction_ok.
 */
#include "overlapping_reduction.h"

int main(void) {
    begin();
    MPI_Allreduce(values, values, 4, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /*@*/
    MPI_Finalize();
    return 0;
}
