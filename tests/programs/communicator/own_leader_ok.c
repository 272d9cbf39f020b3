/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 */
#include "own_leader.h"

int main(void) {
    begin();
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 5, &joined);
    end();
    return 0;
}
