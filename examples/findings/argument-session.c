/* dampi-run -n 2 */
#include <mpi.h>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int sets;
    MPI_Session session;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
#ifndef MENDED
    MPI_Session_finalize(&session); /* makes it MPI_SESSION_NULL */
#endif
    MPI_Session_get_num_psets(session, MPI_INFO_NULL, &sets);
#ifdef MENDED
    MPI_Session_finalize(&session);
#endif
    MPI_Finalize();
    return 0;
}
