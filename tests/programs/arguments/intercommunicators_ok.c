/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 */
#include "intercommunicators.h"

int main(void) {
    begin();
    MPI_Scan(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    assert(sum == rank + 1);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, inter);
    assert(sum == 1);
    MPI_Allgather(&rank, 1, MPI_INT, &sum, 1, MPI_INT, inter);
    assert(sum == 1 - rank);
    MPI_Comm_dup(inter, &made);
    MPI_Comm_disconnect(&made);
    end();
    return 0;
}
