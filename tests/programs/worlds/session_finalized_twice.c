/* DAMPI-TEST
 *   np: 2
 *   expect: argument/session
 *   central: refused MPI_Session_finalize
 *   findings: 1
 *   interleavings: 1
 *   where: session_finalized_twice.c:@
 * That MPICH then ends the ranks is no finding besides. Twin: session_used_later_ok.
 */
#include "session_used_later.h"

int main(void) {
    begin();
    (void)number_of_sets();
    MPI_Session_finalize(&session);
    MPI_Session_finalize(&copy); /*@*/
    return 0;
}
