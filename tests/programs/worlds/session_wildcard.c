/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   central: refused MPI_Comm_create_from_group
 *   interleavings: 2
 *   outcomes: {0#0<-1 0#1<-2} {0#0<-2 0#1<-1}
 * A program that has a session and never calls MPI_Init: two wildcard receives on a communicator made from the group of
 * all processes.
 */
#include <assert.h>
#include <mpi.h>
#include <string.h>

int main(void) {
    int rank, size, value = 0, flag = -1, number = 0, length = 0;
    char name[MPI_MAX_PSET_NAME_LEN] = "";
    MPI_Session session;
    MPI_Group world;
    MPI_Comm comm;
    assert(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session) == MPI_SUCCESS);
    MPI_Initialized(&flag);
    assert(!flag);
    MPI_Session_get_num_psets(session, MPI_INFO_NULL, &number);
    assert(number == 2);
    MPI_Session_get_nth_pset(session, MPI_INFO_NULL, 0, &length, NULL);
    MPI_Session_get_nth_pset(session, MPI_INFO_NULL, 0, &length, name);
    assert(strcmp(name, "mpi://WORLD") == 0);
    MPI_Group_from_session_pset(session, name, &world);
    MPI_Comm_create_from_group(world, "dampi.test", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
    MPI_Group_free(&world);
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    assert(size == 3);
    if (rank == 0) {
        int sum = 0;
        for (int i = 1; i < size; i++) {
            MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, comm, MPI_STATUS_IGNORE);
            sum += value;
        }
        assert(sum == 3);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, comm);
    }
    MPI_Comm_free(&comm);
    assert(MPI_Session_finalize(&session) == MPI_SUCCESS && session == MPI_SESSION_NULL);
    MPI_Finalized(&flag);
    assert(!flag);
    return 0;
}
