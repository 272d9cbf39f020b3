/* dampi-run -n 2 */
#include <mpi.h>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Group group;
    MPI_Comm_group(MPI_COMM_WORLD, &group);
#ifdef MENDED
    MPI_Group_free(&group);
#endif
    MPI_Finalize();
    return 0;
}
