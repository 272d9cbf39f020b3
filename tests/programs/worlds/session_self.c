/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   central: refused MPI_Comm_create_from_group
 *   interleavings: 1
 *   outcomes: {}
 * Communicators of one process alone, of a program that never has any other: MPICH sets up no transport for it.
 */
#include <assert.h>
#include <mpi.h>

int main(void) {
    int sent = 5, got = 0, calls = 0;
    MPI_Session session;
    MPI_Group self;
    MPI_Comm comm;
    MPI_Request request;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    MPI_Group_from_session_pset(session, "mpi://SELF", &self);
    MPI_Comm_create_from_group(self, "tag", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
    MPI_Group_free(&self);
    MPI_Irecv(&got, 1, MPI_INT, 0, 0, comm, &request);
    MPI_Send(&sent, 1, MPI_INT, 0, 0, comm);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Allreduce(&sent, &calls, 1, MPI_INT, MPI_SUM, comm);
    assert(got == 5 && calls == 5);
    MPI_Comm_free(&comm);
    MPI_Session_finalize(&session);
    return 0;
}
