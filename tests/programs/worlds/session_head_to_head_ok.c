/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   central: refused MPI_Comm_create_from_group
 *   interleavings: 1
 *   outcomes: {}
 * Rank 1 of a program without MPI_Init sends before it receives. Twin: session_head_to_head.
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
    if (rank == 1) {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, comm);
    }
    MPI_Recv(&value, 1, MPI_INT, 1 - rank, 0, comm, MPI_STATUS_IGNORE);
    if (rank == 0) {
        MPI_Send(&rank, 1, MPI_INT, 1, 0, comm);
    }
    MPI_Comm_free(&comm);
    MPI_Session_finalize(&session);
    return 0;
}
