/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   central: refused MPI_Group_from_session_pset
 */
#include "session_no_set.h"

int main(void) {
    take_group_of("mpi://WORLD");
    return 0;
}
