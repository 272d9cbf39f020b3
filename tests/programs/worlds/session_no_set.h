#include <mpi.h>
#include <stddef.h>

static void take_group_of(const char* set) {
    MPI_Session session;
    MPI_Group group;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    MPI_Group_from_session_pset(session, set, &group);
    MPI_Group_free(&group);
    MPI_Session_finalize(&session);
}
