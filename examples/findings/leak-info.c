/* dampi-run -n 2 */
#include <mpi.h>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "no_locks", "true");
#ifdef MENDED
    MPI_Info_free(&info);
#endif
    MPI_Finalize();
    return 0;
}
