/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 */
#include "overlapping_reduction.h"

int main(void) {
    begin();
    MPI_Allreduce(values, sums, 4, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, values, 4, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
