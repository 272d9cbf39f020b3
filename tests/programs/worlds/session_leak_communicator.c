/* DAMPI-TEST
 *   np: 2
 *   expect: leak/communicator
 *   central: refused MPI_Comm_create_from_group
 *   interleavings: 1
 *   outcomes: {}
 *   where: session_leak_communicator.c:@
 * A communicator that was made from the group of a session, and is there when the last session is finalized. Twin:
 * session_head_to_head_ok.
 */
#include <mpi.h>

int main(void) {
    MPI_Session session;
    MPI_Group world;
    MPI_Comm comm;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    MPI_Group_from_session_pset(session, "mpi://WORLD", &world);
    MPI_Comm_create_from_group(world, "tag", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm); /*@*/
    MPI_Group_free(&world);
    MPI_Barrier(comm);
    MPI_Session_finalize(&session);
    return 0;
}
