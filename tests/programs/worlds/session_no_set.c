/* DAMPI-TEST
 *   np: 2
 *   expect: argument/value
 *   central: refused MPI_Group_from_session_pset
 *   findings: 1
 *   interleavings: 1
 *   where: session_no_set.h:8
 * There is no such set of processes. Twin: session_no_set_ok.
 */
#include "session_no_set.h"

int main(void) {
    take_group_of("mpi://NOTHING");
    return 0;
}
