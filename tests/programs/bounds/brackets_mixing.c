/* DAMPI-TEST
 *   np: 4
 *   expect: incomplete
 *   interleavings: 4
 * Three messages in 6 orders; the bracket's mixing bound is 0, so there are 1 and the 2 and 1 alternatives.
 */
#include "rounds.h"

int main(void) {
    begin();
    MPI_Pcontrol(2);
    one_round(MPI_COMM_WORLD);
    MPI_Pcontrol(0);
    MPI_Finalize();
    return 0;
}
