/* dampi-run -n 2 */
#include <mpi.h>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int size;
    MPI_Group group;
    MPI_Comm_group(MPI_COMM_WORLD, &group);
#ifndef MENDED
    MPI_Group_free(&group);
    MPI_Group_size(group, &size);
#else
    MPI_Group_size(group, &size);
    MPI_Group_free(&group);
#endif
    MPI_Finalize();
    return 0;
}
