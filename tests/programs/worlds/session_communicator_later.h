#include <mpi.h>
#include <stddef.h>

int main(void) {
    MPI_Session session;
    MPI_Group world;
    MPI_Comm all;
    int value = 0;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    MPI_Group_from_session_pset(session, "mpi://WORLD", &world);
    MPI_Comm_create_from_group(world, "all", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &all);
    MPI_Group_free(&world);
    if (!LATER) {
        MPI_Bcast(&value, 1, MPI_INT, 0, all);
        MPI_Comm_free(&all);
    }
    MPI_Session_finalize(&session);
    if (LATER) MPI_Bcast(&value, 1, MPI_INT, 0, all);
    return 0;
}
