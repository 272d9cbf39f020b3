/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   central: refused MPI_Comm_create_from_group
 *   interleavings: 1
 *   outcomes: {}
 * The ranks make two communicators from the same group, told apart by tags. Twin: session_tags.
 */
#include <assert.h>
#include <mpi.h>

int main(void) {
    int rank;
    MPI_Session session;
    MPI_Group world;
    MPI_Comm comm, other;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    MPI_Group_from_session_pset(session, "mpi://WORLD", &world);
    MPI_Group_rank(world, &rank);
    MPI_Comm_create_from_group(world, "zero", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
    MPI_Comm_create_from_group(world, "one", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &other);
    /* A message on one of them is none on the other. */
    int value = 1 - rank, got[2] = {-1, -1};
    MPI_Request requests[2];
    MPI_Irecv(&got[0], 1, MPI_INT, 1 - rank, 0, comm, &requests[0]);
    MPI_Irecv(&got[1], 1, MPI_INT, 1 - rank, 0, other, &requests[1]);
    MPI_Send(&rank, 1, MPI_INT, 1 - rank, 0, other);
    MPI_Send(&value, 1, MPI_INT, 1 - rank, 0, comm);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
    assert(got[0] == rank && got[1] == 1 - rank);
    MPI_Comm_free(&other);
    MPI_Group_free(&world);
    MPI_Comm_free(&comm);
    MPI_Session_finalize(&session);
    return 0;
}
