/* DAMPI-TEST
 *   np: 3
 *   expect: incomplete
 *   options: --mixing-bound 1 --mixing-unit zones
 *   interleavings: 6
 * As mixing_zones.c, with one zone more: all ways but the two that depart in the first and in the third round.
 */
#include "rounds.h"

int main(void) {
    begin();
    for (int round = 0; round < 3; round++) one_round(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
