/* DAMPI-TEST
 *   np: 3
 *   expect: incomplete
 *   options: --loop-bound auto
 *   interleavings: 2
 * Five rounds of the same pattern: two senders are possible, then one. Only the first is explored; all are 32 ways.
 */
#include "rounds.h"

int main(void) {
    begin();
    for (int round = 0; round < 5; round++) one_round(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
