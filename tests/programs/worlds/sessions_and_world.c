/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   central: refused MPI_Comm_create_from_group
 *   interleavings: 4
 *   outcomes: {0#0<-1 0#1<-2 0#2<-1 0#3<-2} {0#0<-1 0#1<-2 0#2<-2 0#3<-1} {0#0<-2 0#1<-1 0#2<-1 0#3<-2}
 *     {0#0<-2 0#1<-1 0#2<-2 0#3<-1}
 * A session before MPI_Init and until after MPI_Finalize, and another one in between; wildcards on MPI_COMM_WORLD, and
 * behind a barrier after MPI_Finalize on the session's communicator.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

static MPI_Comm communicator_of(MPI_Session session) {
    MPI_Group world;
    MPI_Comm comm;
    MPI_Group_from_session_pset(session, "mpi://WORLD", &world);
    MPI_Comm_create_from_group(world, "dampi.test", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
    MPI_Group_free(&world);
    return comm;
}

static void talk(MPI_Comm comm) {
    int rank, value;
    MPI_Comm_rank(comm, &rank);
    if (rank != 0) {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, comm);
        return;
    }
    for (int i = 0; i < 2; i++) {
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, comm, MPI_STATUS_IGNORE);
    }
}

int main(void) {
    MPI_Session outer, inner;
    int flag = -1, compared = -1;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &outer);
    MPI_Init(NULL, NULL);
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &inner);
    MPI_Comm mine = communicator_of(outer), short_lived = communicator_of(inner);
    MPI_Comm_compare(mine, MPI_COMM_WORLD, &compared);
    assert(compared == MPI_CONGRUENT);
    MPI_Barrier(short_lived);
    MPI_Comm_free(&short_lived);
    MPI_Session_finalize(&inner);
    talk(MPI_COMM_WORLD);
    MPI_Finalize();
    MPI_Finalized(&flag);
    assert(flag);
    MPI_Barrier(mine);
    talk(mine);
    MPI_Comm_free(&mine);
    MPI_Session_finalize(&outer);
    return 0;
}
