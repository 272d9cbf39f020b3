/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   central: refused MPI_File_close
 *   interleavings: 1
 *   outcomes: {}
 * One file under two names, which the ranks see from different places in different types of one extent.
 * Twins: view_differs, open_differs.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    MPI_File file;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const char* name = rank == 0 ? "view_differs_ok.tmp" : "./view_differs_ok.tmp";
    MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                  &file);
    const MPI_Datatype type = rank == 0 ? MPI_INT : MPI_FLOAT;
    MPI_File_set_view(file, 4 * rank, type, type, "native", MPI_INFO_NULL);
    MPI_File_set_size(file, 100);
    MPI_File_preallocate(file, 200);
    MPI_File_set_atomicity(file, 0);
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
