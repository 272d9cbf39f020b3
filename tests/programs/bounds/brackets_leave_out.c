/* DAMPI-TEST
 *   np: 3
 *   expect: incomplete
 *   interleavings: 4
 * Three rounds, of which the second is inside a bracket: only what happens by itself is taken there.
 */
#include "rounds.h"

int main(void) {
    begin();
    one_round(MPI_COMM_WORLD);
    MPI_Pcontrol(1);
    one_round(MPI_COMM_WORLD);
    MPI_Pcontrol(0);
    one_round(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
