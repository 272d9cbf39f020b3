/* dampi-run -n 2 */
#include <mpi.h>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Datatype pair;
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
#ifdef MENDED
    MPI_Type_free(&pair);
#endif
    MPI_Finalize();
    return 0;
}
