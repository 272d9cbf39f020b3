/* DAMPI-TEST
 *   np: 3
 *   expect: incomplete
 *   options: --mixing-bound 0 --mixing-unit zones
 *   interleavings: 4
 * Three rounds, each ended by a barrier: alternatives are mixed within a round only. All are 8 ways.
 */
#include "rounds.h"

int main(void) {
    begin();
    for (int round = 0; round < 3; round++) one_round(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
