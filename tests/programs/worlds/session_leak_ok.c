/* DAMPI-TEST
 *   np: 1
 *   expect: clean
 *   central: refused MPI_Session_finalize
 *   interleavings: 1
 *   outcomes: {}
 * The session is finalized, though after MPI_Finalize. Twin: session_leak.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    MPI_Session session;
    MPI_Init(NULL, NULL);
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    MPI_Finalize();
    MPI_Session_finalize(&session);
    return 0;
}
