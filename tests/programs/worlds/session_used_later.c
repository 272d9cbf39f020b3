/* DAMPI-TEST
 *   np: 2
 *   expect: argument/session
 *   central: refused MPI_Session_finalize
 *   findings: 1
 *   interleavings: 1
 *   where: session_used_later.h:13
 * A session is used after it was finalized, and MPI with it: MPICH ends the ranks. Twin: session_used_later_ok.
 */
#include "session_used_later.h"

int main(void) {
    begin();
    MPI_Session_finalize(&session);
    return number_of_sets() == 0;
}
