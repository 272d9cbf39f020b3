/* DAMPI-TEST
 *   np: 4
 *   expect: clean
 *   central: refused MPI_Comm_create_from_group
 *   interleavings: 2
 *   outcomes: {0#0<-2 0#1<-3} {0#0<-3 0#1<-2}
 * Communicators of parts of the processes, made from groups: the same group several times, the halves, one process
 * alone, and an intercommunicator between the halves with a wildcard.
 */
#include <assert.h>
#include <mpi.h>

int main(void) {
    int rank, size, value = 0, result = -1;
    MPI_Session session;
    MPI_Group world, low, high, self;
    MPI_Comm all, half, again, between, alone;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    MPI_Group_from_session_pset(session, "mpi://WORLD", &world);
    MPI_Group_from_session_pset(session, "mpi://SELF", &self);
    MPI_Group_rank(world, &rank);
    MPI_Comm_create_from_group(world, "all", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &all);
    int first[1][3] = {{0, 1, 1}};
    MPI_Group_range_incl(world, 1, first, &low);
    MPI_Group_range_excl(world, 1, first, &high);
    const int is_low = rank < 2;
    MPI_Comm_create_from_group(is_low ? low : high, "half", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &half);
    MPI_Comm_create_from_group(is_low ? low : high, "half", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &again);
    MPI_Comm_size(again, &size);
    MPI_Comm_compare(half, again, &result);
    assert(size == 2 && result == MPI_CONGRUENT);
    MPI_Comm_create_from_group(self, "self", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &alone);
    MPI_Sendrecv(&rank, 1, MPI_INT, 0, 0, &value, 1, MPI_INT, 0, 0, alone, MPI_STATUS_IGNORE);
    assert(value == rank);
    MPI_Barrier(half);
    MPI_Barrier(again);
    MPI_Intercomm_create_from_groups(is_low ? low : high, is_low ? 0 : 1, is_low ? high : low, is_low ? 1 : 0,
                                     "between", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &between);
    MPI_Comm_remote_size(between, &size);
    assert(size == 2);
    if (rank == 0) {
        for (int i = 0; i < 2; i++) {
            MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, between, MPI_STATUS_IGNORE);
        }
    } else if (!is_low) {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, between);
    }
    MPI_Barrier(between);
    MPI_Comm_free(&alone);
    MPI_Comm_free(&between);
    MPI_Comm_free(&again);
    MPI_Comm_free(&half);
    MPI_Comm_free(&all);
    MPI_Group_free(&low);
    MPI_Group_free(&high);
    MPI_Group_free(&self);
    MPI_Group_free(&world);
    MPI_Session_finalize(&session);
    return 0;
}
