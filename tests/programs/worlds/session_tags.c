/* DAMPI-TEST
 *   np: 2
 *   expect: collective/mismatch
 *   central: refused MPI_Comm_create_from_group
 *   interleavings: 1
 *   outcomes: {}
 * The ranks make a communicator from the same group, but with different tags. Twin: session_tags_ok.
 */
#include <mpi.h>

int main(void) {
    int rank;
    MPI_Session session;
    MPI_Group world;
    MPI_Comm comm;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    MPI_Group_from_session_pset(session, "mpi://WORLD", &world);
    MPI_Group_rank(world, &rank);
    MPI_Comm_create_from_group(world, rank == 0 ? "zero" : "one", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
    MPI_Group_free(&world);
    MPI_Comm_free(&comm);
    MPI_Session_finalize(&session);
    return 0;
}
