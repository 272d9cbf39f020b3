/* DAMPI-TEST
 *   np: 2
 *   expect: collective/mismatch
 *   central: refused MPI_File_close
 *   interleavings: 1
 *   outcomes: {}
 *   where: view_differs.c:@
 * The ranks see the file in elementary types of different extents. Twin: view_differs_ok.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    MPI_File file;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_File_open(MPI_COMM_WORLD, "view_differs.tmp", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                  MPI_INFO_NULL, &file);
    const MPI_Datatype type = rank == 0 ? MPI_INT : MPI_DOUBLE;
    MPI_File_set_view(file, 0, type, type, "native", MPI_INFO_NULL); /*@*/
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
