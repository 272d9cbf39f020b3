/* dampi-run -n 2 */
#include <mpi.h>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Session session;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
#ifdef MENDED
    MPI_Session_finalize(&session);
#endif
    MPI_Finalize();
    return 0;
}
