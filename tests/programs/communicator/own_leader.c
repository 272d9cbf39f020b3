/* DAMPI-TEST
 *   np: 2
 *   expect: argument/rank
 *   findings: 1
 *   interleavings: 1
 *   where: own_leader.c:@
 * Both halves name rank 0 as the leader of the other one, which for one of them is itself. Twin: own_leader_ok.
 */
#include "own_leader.h"

int main(void) {
    begin();
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 0, 5, &joined); /*@*/
    end();
    return 0;
}
