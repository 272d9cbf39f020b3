/* DAMPI-TEST
 *   np: 1
 *   expect: leak/session
 *   central: refused MPI_Session_init
 *   interleavings: 1
 *   outcomes: {}
 *   where: session_leak.c:@
 * A session that is still there when the program ends, after MPI_Finalize. Twin: session_leak_ok.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    MPI_Session session;
    MPI_Init(NULL, NULL);
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session); /*@*/
    MPI_Finalize();
    return 0;
}
