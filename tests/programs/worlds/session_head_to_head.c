/* DAMPI-TEST
 *   np: 2
 *   expect: deadlock
 *   central: refused MPI_Comm_create_from_group
 *   interleavings: 1
 *   outcomes: {}
 *   where: session_head_to_head.c:@
 * Both ranks of a program without MPI_Init receive before they send. Twin: session_head_to_head_ok.
 */
#include <assert.h>
#include <mpi.h>

int main(void) {
    int rank, value = 0;
    MPI_Session session;
    MPI_Group world;
    MPI_Comm comm;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    MPI_Group_from_session_pset(session, "mpi://WORLD", &world);
    MPI_Comm_create_from_group(world, "", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
    MPI_Group_free(&world);
    MPI_Comm_rank(comm, &rank);
    assert(rank < 2);
    MPI_Recv(&value, 1, MPI_INT, 1 - rank, 0, comm, MPI_STATUS_IGNORE); /*@*/
    MPI_Send(&rank, 1, MPI_INT, 1 - rank, 0, comm);
    MPI_Comm_free(&comm);
    MPI_Session_finalize(&session);
    return 0;
}
